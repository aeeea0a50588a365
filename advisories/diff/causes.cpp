#include "advisories/diff/causes.h"

#include <algorithm>
#include <map>

#include "advisories/diff/json_difference.h"
#include "advisories/diff/rules/rule.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

/// Keys of one file that mean something together only.
constexpr std::string_view kRope[] = {"rope_theta", "rope_scaling", "rope_parameters", "rope_local_base_freq", "original_max_position_embeddings",
                                      "partial_rotary_factor"};
constexpr std::string_view kQuantisation[] = {"quantization_config", "compression_config", "quantization"};
constexpr std::string_view kLabels[] = {"id2label", "label2id", "num_labels"};
constexpr std::string_view kCode[] = {"auto_map"};

template <std::size_t N>
bool any_token(const std::vector<std::string>& tokens, const std::string_view (&keys)[N]) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) { return std::find(std::begin(keys), std::end(keys), token) != std::end(keys); });
}

const std::string* token_text(const std::optional<json::Value>& value) {
  if (!value) return nullptr;
  if (value->string()) return value->string();
  const json::Value* content = value->find("content");
  return content ? content->string() : nullptr;
}

/// "token <x>" where a finding is about one special token coming, going or changing.
std::string token_cause(const Finding& finding, const std::vector<std::string>& tokens) {
  if (tokens.empty()) return {};
  if (finding.path.ends_with("added_tokens.json")) return "token " + tokens.front();
  const bool entry = tokens.size() == 2 && tokens.front() == "added_tokens_decoder";
  if (!entry && !(tokens.size() == 1 && tokens.front().ends_with("_token"))) return {};
  const std::string* text = token_text(finding.after);
  if (!text) text = token_text(finding.before);
  return text ? "token " + *text : std::string();
}

/// What several findings of a diff may share; empty where a finding stands alone by its nature.
std::string cause_of(const Finding& finding) {
  if (!finding.cause.empty()) return finding.cause;
  if (!finding.pointer || finding.pointer->empty()) return {};
  const std::vector<std::string> tokens = pointer_tokens(*finding.pointer);
  if (any_token(tokens, kRope)) return "rope in " + finding.path;
  if (any_token(tokens, kQuantisation)) return "quantisation in " + finding.path;
  if (any_token(tokens, kLabels)) return "labels in " + finding.path;
  if (any_token(tokens, kCode)) return "code pointers in " + finding.path;
  if (std::string token = token_cause(finding, tokens); !token.empty()) return token;
  const auto text = [](const std::optional<json::Value>& value) { return value ? json::write(*value, json::Style::canonical) : std::string("nothing"); };
  const std::string before = text(finding.before), after = text(finding.after);
  if (before.size() + after.size() > 400) return {};
  return tokens.back() + " from " + before + " to " + after;
}

/// "num_key_value_heads 16 → 8", or the first half of the sentence.
std::string short_form(const Finding& finding) {
  if (!finding.pointer || finding.pointer->empty() || (!finding.before && !finding.after))
    return finding.meaning.substr(0, finding.meaning.find(": "));
  const std::vector<std::string> tokens = pointer_tokens(*finding.pointer);
  std::string text = tokens.back();
  if (!finding.before) return text + " set to " + said(*finding.after);
  if (!finding.after) return text + " " + said(*finding.before) + " removed";
  return text + " " + said(*finding.before) + " → " + said(*finding.after);
}

}  // namespace

void assign_causes(std::vector<Change>& parts) {
  std::map<std::string, std::vector<Finding*>> groups;
  for (Change& change : parts)
    for (Finding& finding : change.findings)
      if (std::string cause = cause_of(finding); !cause.empty()) groups[std::move(cause)].push_back(&finding);
  for (const auto& [cause, findings] : groups)
    for (Finding* finding : findings) finding->cause = findings.size() > 1 ? cause : std::string();
}

std::string summary_of(const Change& change) {
  const auto& findings = change.findings;
  const auto matter = std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.impact > Impact::cosmetic; });
  if (findings.size() == 1) return findings.front().meaning;
  if (matter == 0) return "equal in meaning: " + std::to_string(findings.size()) + " values or files written differently";
  if (matter == 1) return findings.front().meaning;
  std::string text;
  const std::ptrdiff_t shown = std::min<std::ptrdiff_t>(matter, 3);
  for (std::ptrdiff_t i = 0; i < shown; ++i) text += (i ? "; " : "") + short_form(findings[static_cast<std::size_t>(i)]);
  return matter > shown ? text + "; " + std::to_string(matter - shown) + " more" : text;
}

}  // namespace modelwatch::advisories
