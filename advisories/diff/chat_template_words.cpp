#include "advisories/diff/chat_template_words.h"

#include <algorithm>
#include <vector>

#include "advisories/diff/rules/rule.h"
#include "advisories/diff/text_difference.h"
#include "advisories/manifest/template_traits.h"

namespace modelwatch::advisories {
namespace {

using Names = std::set<std::string, std::less<>>;

/// What a caller hands to apply_chat_template, and what the template is expected to honour.
constexpr std::string_view kVariables[] = {"add_generation_prompt", "tools",     "documents",       "enable_thinking", "bos_token",
                                           "eos_token",             "thinking",  "reasoning_effort", "builtin_tools",  "strftime_now",
                                           "raise_exception",       "date_string", "reasoning_content", "tool_calls"};

std::string titled(const std::string& name) { return name == "default" ? "chat template" : "chat template \"" + name + "\""; }

std::vector<std::string> minus(const Names& a, const Names& b) {
  std::vector<std::string> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

Names variables(const TemplateTraits& traits) {
  Names found;
  for (const std::string_view name : kVariables)
    if (traits.names.contains(name)) found.emplace(name);
  return found;
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < 4; ++i) text += (i ? ", " : "") + items[i];
  return items.size() > 4 ? text + ", …" : text;
}

json::Array array(const std::vector<std::string>& items) {
  return json::Array(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(items.size(), 50)));
}

void note(std::string_view words, const std::vector<std::string>& items, const char* key, TemplateVerdict& verdict, std::vector<std::string>& said) {
  if (items.empty()) return;
  said.push_back(std::string(words) + " " + listed(items));
  verdict.evidence.append(key, array(items));
}

bool holds_role(std::string_view prompt) {
  for (const std::string_view mark : {"assistant", "model", "Assistant", "ASSISTANT", "<|", "<｜"})
    if (prompt.find(mark) != std::string_view::npos) return true;
  return false;
}

/// The prefix of the answer, as a caller asks for it with add_generation_prompt.
void compare_prompts(const TemplateTraits& before, const TemplateTraits& after, TemplateVerdict& verdict, std::vector<std::string>& said_so_far) {
  if (before.asked != after.asked && !before.asked.empty() && !after.asked.empty())
    said_so_far.push_back("the generation prompt goes from " + said(json::Value(before.asked)) + " to " + said(json::Value(after.asked)));
  if (!holds_role(before.unasked) && holds_role(after.unasked) && !after.asked.empty()) {
    verdict.impact = Impact::breaking;
    verdict.verb = "prompt_unasked";
    said_so_far.push_back("it now writes " + said(json::Value(after.unasked)) + " where no generation prompt is asked for, which spoils training text");
  }
  const bool honoured = before.names.contains("add_generation_prompt"), honours = after.names.contains("add_generation_prompt");
  if (!honoured && honours) said_so_far.push_back("it honours add_generation_prompt from now on: callers that never set it lose the answer's header");
  if (honoured && !honours) said_so_far.push_back("it ignores add_generation_prompt from now on");
}

}  // namespace

TemplateVerdict added_template(const std::string& name, std::string_view text) {
  TemplateVerdict verdict{name, Impact::behaviour, "added", titled(name) + " added: apply_chat_template and chat servers use it from now on", {}};
  const TemplateTraits traits = template_traits(text);
  const std::vector<std::string> controls(traits.controls.begin(), traits.controls.end());
  if (!controls.empty()) {
    verdict.meaning += "; it writes " + listed(controls);
    verdict.evidence.append("controls", array(controls));
  }
  return verdict;
}

TemplateVerdict removed_template(const std::string& name) {
  if (name == "default")
    return {name, Impact::breaking, "removed", "chat template removed: apply_chat_template fails, chat servers refuse or fall back to a format of their own", {}};
  return {name, Impact::breaking, "name_removed", titled(name) + " removed: callers that ask for it fail, those that relied on it get another template", {}};
}

TemplateVerdict replaced_template(const std::string& name, std::string_view before, std::string_view after) {
  TemplateVerdict verdict{name, Impact::behaviour, "replaced", {}, {}};
  const TextDifference lines = text_difference(before, after);
  const TemplateTraits was = template_traits(before), is = template_traits(after);
  std::vector<std::string> said_so_far;
  compare_prompts(was, is, verdict, said_so_far);
  note("it now writes", minus(is.controls, was.controls), "controls_added", verdict, said_so_far);
  note("it no longer writes", minus(was.controls, is.controls), "controls_removed", verdict, said_so_far);
  note("it now reads", minus(variables(is), variables(was)), "variables_added", verdict, said_so_far);
  note("it no longer reads", minus(variables(was), variables(is)), "variables_removed", verdict, said_so_far);
  verdict.meaning = titled(name) + " changed (" + std::to_string(lines.added) + " lines added, " + std::to_string(lines.removed) + " removed)";
  for (std::size_t i = 0; i < said_so_far.size() && i < 3; ++i) verdict.meaning += (i ? "; " : ": ") + said_so_far[i];
  if (said_so_far.empty()) verdict.meaning += ": prompts may be written differently";
  for (auto& [key, value] : to_json(lines)) verdict.evidence.append(key, std::move(value));
  return verdict;
}

TemplateVerdict unread_template(const std::string& name, const std::string& trouble) {
  return {name, Impact::unknown, "not_read", titled(name) + " changed, but could not be compared: " + trouble, {}};
}

}  // namespace modelwatch::advisories
