#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "advisories/pins/pin.h"

// Any text under any of the names: it ends, and what is found stands inside of the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace modelwatch::advisories;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"a.json", "a.yaml", "a.toml", "a.sh", "a.env", "Dockerfile", ".gitmodules", "a.spdx", "a.purls"}) {
    const auto file = read_pins(name, text);
    if (!file) continue;
    for (const Pin& pin : file->pins)
      if (pin.repository.empty() || pin.at.line == 0 || pin.at.line > size + 1) std::abort();
  }
  return 0;
}
