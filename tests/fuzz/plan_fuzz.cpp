// A config.json from a stranger: a plan or an error, and the whole document of it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "estimator/plan.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace modelwatch;
  const auto document = json::read({reinterpret_cast<const char*>(data), size}, {.depth = 64, .values = 100'000});
  if (!document) return 0;
  const auto plan = estimator::plan(document->value);
  if (plan) json::write(estimator::to_json(*plan));
  return 0;
}
