#include "advisories/osv/details.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "estimator/json/utf8.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMostLines = 20, kLongestLine = 500, kLongestName = 300;

std::uint32_t code_point(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead;
  std::uint32_t point = lead & (0x7Fu >> character.size());
  for (const char c : character.substr(1)) point = point << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  return point;
}

/// A well-formed character, or its number where it would move the reader's cursor or turn the text around.
std::string visible(std::string_view character) {
  const std::uint32_t point = code_point(character);
  const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
  const bool direction = point == 0x200E || point == 0x200F || (point >= 0x2028 && point <= 0x202E) ||
                         (point >= 0x2066 && point <= 0x2069) || point == 0x61C || point == 0xFEFF;
  if (point == '\n') return "\\n";
  if (!control && !direction) return std::string(character);
  char escape[16];
  std::snprintf(escape, sizeof escape, "\\u{%x}", unsigned(point));
  return escape;
}

std::size_t longest_backtick_run(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  return longest;
}

std::string code_span(std::string_view upstream) {
  const std::string text = plain_line(upstream, kLongestName);
  const std::string fence(longest_backtick_run(text) + 1, '`');
  const bool touches = !text.empty() && (text.front() == '`' || text.back() == '`');
  return fence + (touches ? " " + text + " " : text) + fence;
}

std::string fenced_block(std::string_view text) {
  const std::string fence(std::max<std::size_t>(3, longest_backtick_run(text) + 1), '`');
  return fence + "text\n" + std::string(text) + fence + "\n";
}

std::string opening_sentence(const Advisory& a) {
  const std::string repository = code_span(a.repository.name), part(title(a.part));
  if (a.kind == "taken-over")
    return "The name " + repository + " answers with another repository than before: what is loaded under it belongs to somebody else.";
  if (a.kind == "history-rewritten")
    return "The history of " + repository + " was rewritten: revisions seen before are no longer part of it.";
  const bool plural = a.part == Part::weights;
  const std::string subject = "The " + part + " of " + repository, was = plural ? " were " : " was ";
  if (a.kind == "added" || a.kind == "removed") return subject + was + a.kind + ".";
  return subject + (plural ? " differ" : " differs") + " from the previous revision.";
}

std::string findings_block(const Advisory& a) {
  std::string lines;
  for (std::size_t i = 0; i < std::min(a.findings.size(), kMostLines); ++i) {
    const Finding& finding = a.findings[i];
    std::string line = "[" + std::string(name(finding.impact)) + "] ";
    if (!finding.path.empty()) line += finding.path + ": ";
    lines += plain_line(line + finding.meaning, kLongestLine) + "\n";
  }
  const std::size_t total = std::max(a.findings_total, a.findings.size());
  if (total > kMostLines) lines += "and " + std::to_string(total - kMostLines) + " more\n";
  return lines.empty() ? "" : fenced_block(lines);
}

std::string closing_sentence(const Closing& closing) {
  const std::string at = " at " + code_span(closing.sha);
  const std::string by = closing.closing_advisory.empty() ? "" : " (" + code_span(closing.closing_advisory) + ")";
  if (closing.by == "reverted") return "Reverted upstream" + at + by + ".";
  if (closing.by == "removed") return "Removed upstream" + at + by + ".";
  if (closing.by == "rewritten") return "A rewritten history left this state" + at + by + ".";
  return "Superseded" + at + " by another change of the same part" + by + ".";
}

}  // namespace

std::string_view title(Part part) {
  switch (part) {
    case Part::generation: return "generation config";
    case Part::chat_template: return "chat template";
    case Part::card: return "model card";
    case Part::other: return "other files";
    default: return name(part);
  }
}

std::string plain_line(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = json::utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const std::string shown = length == 0 ? "\xEF\xBF\xBD" : visible(character);
    if (out.size() + shown.size() + 3 > most && text.size() > character.size()) return out + "…";
    out += shown;
    text.remove_prefix(character.size());
  }
  return out;
}

std::string summary_of(const Advisory& a) {
  std::string text = a.withdrawn ? "WITHDRAWN (" + plain_line(a.withdrawn_reason, 80) + "): " : "";
  text += plain_line(a.repository.name, kLongestName) + ": ";
  if (a.kind == "taken-over")
    text += "name taken over by another repository";
  else if (a.kind == "history-rewritten")
    text += "history rewritten";
  else
    text += std::string(title(a.part)) + (a.kind == "added" ? " added" : a.kind == "removed" ? " removed" : " changed");
  text += " at " + a.introduced.substr(0, 10) + " (" + std::string(name(a.impact)) + ")";
  const auto reverted = std::find_if(a.closings.begin(), a.closings.end(), [](const Closing& c) { return c.by == "reverted"; });
  if (reverted != a.closings.end()) text += ", reverted upstream at " + reverted->sha.substr(0, 10);
  return text;
}

std::string details_of(const Advisory& a) {
  std::string text = opening_sentence(a) + "\n\n";
  if (!a.from.revision.empty()) text += "- from revision " + code_span(a.from.revision) + "\n";
  text += "- to revision " + code_span(a.to.revision) + "\n\n";
  if (const std::string block = findings_block(a); !block.empty()) text += block + "\n";
  if (!a.equals_revision.empty())
    text += "This is the state that revision " + code_span(a.equals_revision) + " had before" +
            (a.reverts.empty() ? "" : "; it undoes " + code_span(a.reverts)) + ".\n\n";
  else if (!a.reverts.empty())
    text += "It undoes " + code_span(a.reverts) + ".\n\n";
  for (const Closing& closing : a.closings) text += closing_sentence(closing) + "\n\n";
  if (a.history_rewritten && a.kind != "history-rewritten")
    text += "The history of the repository was rewritten since: some of the versions listed here are no longer part of it.\n\n";
  if (a.withdrawn) text += "Withdrawn: " + code_span(a.withdrawn_reason) + ".\n\n";
  return text + "This record reports an upstream change. It does not claim a vulnerability.";
}

}  // namespace modelwatch::advisories
