#pragma once
#include <set>
#include <string>
#include <string_view>

namespace modelwatch::advisories {

/// What can be seen of a chat template without running it.
struct TemplateTraits {
  std::set<std::string, std::less<>> names;     ///< identifiers inside tags: "tools", "add_generation_prompt", "strftime_now"
  std::set<std::string, std::less<>> controls;  ///< control tokens it writes: "<|im_start|>", "[INST]", "</think>"
  std::string asked;    ///< literal text written where add_generation_prompt is true, first such block
  std::string unasked;  ///< literal text written in that block's else branch
};

/// One pass over the text; linear, whatever it holds.
TemplateTraits template_traits(std::string_view text);

}  // namespace modelwatch::advisories
