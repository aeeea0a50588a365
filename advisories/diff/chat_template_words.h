#pragma once
#include <string>
#include <string_view>

#include "advisories/impact.h"
#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// What is said of one effective template, by its name.
struct TemplateVerdict {
  std::string name;
  Impact impact = Impact::behaviour;
  std::string verb;  ///< last part of the rule id
  std::string meaning;
  json::Object evidence;
};

TemplateVerdict added_template(const std::string& name, std::string_view text);
TemplateVerdict removed_template(const std::string& name);
/// Lines, control tokens, variables and the generation prompt compared; the texts are in normal form and differ.
TemplateVerdict replaced_template(const std::string& name, std::string_view before, std::string_view after);
TemplateVerdict unread_template(const std::string& name, const std::string& trouble);

}  // namespace modelwatch::advisories
