#include <algorithm>
#include <optional>

#include "advisories/diff/rules/judges.h"

namespace modelwatch::advisories {
namespace {

using Ids = std::vector<std::int64_t>;

/// The ids a value lists; none where it is neither an id nor a list of ids.
std::optional<Ids> ids_of(const json::Value& value) {
  Ids ids;
  if (value.is_null()) return ids;
  if (const auto one = value.integer()) return Ids{*one};
  const json::Array* list = value.array();
  if (!list) return std::nullopt;
  for (const json::Value& item : *list) {
    if (!item.integer()) return std::nullopt;
    ids.push_back(*item.integer());
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::string named(const Subject& subject, std::int64_t id, bool after) {
  std::string text = std::to_string(id);
  if (!subject.around.token_name) return text;
  const std::string token = subject.around.token_name(id, after);
  return token.empty() ? text : text + " (" + token + ")";
}

std::string named(const Subject& subject, const Ids& ids, bool after) {
  std::string text;
  for (std::size_t i = 0; i < ids.size() && i < 8; ++i) text += (i ? ", " : "") + named(subject, ids[i], after);
  return ids.size() > 8 ? text + ", …" : text;
}

Ids minus(const Ids& a, const Ids& b) {
  Ids rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

json::Array listed(const Ids& ids) { return json::Array(ids.begin(), ids.end()); }

const json::Value* sibling(const json::Value& document, std::string_view key) {
  if (const json::Value* found = document.find(key)) return found;
  const json::Value* text = document.find("text_config");
  return text ? text->find(key) : nullptr;
}

}  // namespace

void judge_stop_ids(const Subject& subject, Verdict& verdict) {
  const auto before = ids_of(subject.in_force_before()), after = ids_of(subject.in_force_after());
  if (!before || !after) return;
  const Ids gained = minus(*after, *before), lost = minus(*before, *after);
  verdict.evidence.append("gained", listed(gained));
  verdict.evidence.append("lost", listed(lost));
  const bool listed_now = subject.edit.before && subject.edit.before->integer() && subject.edit.after && subject.edit.after->array();
  const std::string list_note = listed_now ? "; the scalar became a list, which readers of one id refuse" : "";
  if (lost.empty()) {
    verdict.impact = Impact::behaviour;
    if (!before->empty()) verdict.verb = "extended";
    verdict.head = "stop ids: " + named(subject, gained, true) + " added" +
                   (before->empty() ? "" : " beside " + named(subject, *before, true));
    verdict.consequence = "output now ends there" + list_note;
    return;
  }
  if (gained.empty() && !after->empty()) verdict.verb = "narrowed";
  verdict.impact = Impact::breaking;
  verdict.head = after->empty() ? "stop ids " + named(subject, lost, false) + " removed"
                                : "stop ids changed from " + named(subject, *before, false) + " to " + named(subject, *after, true);
  verdict.consequence = "generation no longer stops at " + named(subject, lost, false) + list_note;
}

void judge_token_id(const Subject& subject, Verdict& verdict) {
  const Edit& edit = subject.edit;
  const auto id_of = [](const json::Value* value) { return value ? value->integer() : std::nullopt; };
  const auto before = id_of(edit.before), after = id_of(edit.after);
  if (before && after)
    verdict.head = subject.key + " changed from " + named(subject, *before, false) + " to " + named(subject, *after, true);
  else if (after) verdict.head = subject.key + " set to " + named(subject, *after, true) + " where there was none";
  else if (before) verdict.head = subject.key + " " + named(subject, *before, false) + " removed";
  // null and absent mean the same: no id
  if (!before && after) verdict.impact = std::min(verdict.impact, Impact::behaviour), verdict.verb = "added";
  if (before && !after) verdict.verb = "removed";
  const json::Value* vocabulary = sibling(subject.around.after, "vocab_size");
  const auto size = vocabulary ? vocabulary->integer() : std::nullopt;
  if (after && (*after < 0 || (size && *after >= *size))) {
    verdict.impact = std::max(verdict.impact, Impact::breaking);
    verdict.consequence = "the id lies outside the vocabulary, so an embedding look-up with it fails";
  } else if (before && *before < 0) {
    verdict.consequence = "the former id lay outside the vocabulary, so an embedding look-up with it failed";
  } else if (subject.key == "pad_token_id" && after) {
    const json::Value* stop = sibling(subject.around.after, "eos_token_id");
    if (stop && stop->integer() == after)
      verdict.consequence = "padding now equals the stop token: training that masks padding also masks the stop";
  }
}

}  // namespace modelwatch::advisories
