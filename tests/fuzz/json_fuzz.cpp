#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"

// Whatever is read must write and read back to an equal value; salvage must end on anything.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace modelwatch::json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto document = read(text)) {
    for (const Style style : {Style::compact, Style::pretty, Style::canonical}) {
      const auto again = read(write(document->value, style));
      if (!again || !(again->value == document->value)) std::abort();
    }
  }
  salvage(text);
  return 0;
}
