#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "daemon/hub/gguf_extent.h"

// A header that ends, ends at the same place however much comes after, and every shorter piece of it goes on.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace modelwatch::hub;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto extent = gguf_extent(bytes);
  if (const auto* end = std::get_if<HeaderEnd>(&extent)) {
    const auto again = gguf_extent(bytes.substr(0, end->bytes));
    const auto* same = std::get_if<HeaderEnd>(&again);
    if (!same || same->bytes != end->bytes) std::abort();
    if (!std::holds_alternative<HeaderGoesOn>(gguf_extent(bytes.substr(0, end->bytes - 1)))) std::abort();
  } else if (const auto* on = std::get_if<HeaderGoesOn>(&extent); on && on->at_least <= size) {
    std::abort();
  }
  return 0;
}
