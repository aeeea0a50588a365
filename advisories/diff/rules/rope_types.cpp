#include "advisories/diff/rules/rope_types.h"

#include <algorithm>
#include <array>

namespace modelwatch::advisories {

bool is_known_rope_type(std::string_view type) {
  static constexpr std::array<std::string_view, 10> known = {"default", "linear", "dynamic", "yarn",          "longrope",
                                                             "llama3",  "mrope",  "su",      "deepseek_yarn", "proportional"};
  return std::find(known.begin(), known.end(), type) != known.end();
}

}  // namespace modelwatch::advisories
