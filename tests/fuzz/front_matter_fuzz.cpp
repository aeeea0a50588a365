#include <cstdint>
#include <string_view>

#include "advisories/manifest/front_matter.h"

// Whatever a card begins with, reading ends, and the body lies within the card.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view card(reinterpret_cast<const char*>(data), size);
  const auto front = modelwatch::advisories::read_front_matter(card);
  if (front.body.size() > card.size()) __builtin_trap();
  return 0;
}
