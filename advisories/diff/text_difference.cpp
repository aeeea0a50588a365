#include "advisories/diff/text_difference.h"

#include <algorithm>
#include <cstdint>
#include <dtl/dtl.hpp>
#include <unordered_map>

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kContext = 3, kLongLine = 160, kMaxLineBytes = 400, kMaxHunks = 40, kMaxHunkLines = 400;

/// The end of a line that starts at `from`, without its newline.
std::size_t line_end(std::string_view text, std::size_t from) {
  const std::size_t newline = std::min(text.find('\n', from), text.size());
  if (newline - from <= kLongLine) return newline;
  const std::string_view line = text.substr(from, newline - from);
  const std::size_t tag = std::min(line.find("%}"), line.find("}}"));
  return tag == std::string_view::npos ? newline : from + tag + 2;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t from = 0; from < text.size() && lines.size() <= kMaxLines;) {
    const std::size_t end = line_end(text, from);
    lines.push_back(text.substr(from, end - from));
    from = end + (end < text.size() && text[end] == '\n' ? 1 : 0);
  }
  return lines;
}

enum class Kind { same, removed, added };
struct Edit {
  Kind kind;
  std::string_view line;
};

/// Lines as numbers: dtl copies what it compares several times over.
std::vector<std::uint32_t> interned(const std::vector<std::string_view>& lines, std::unordered_map<std::string_view, std::uint32_t>& ids) {
  std::vector<std::uint32_t> out;
  for (const std::string_view line : lines) out.push_back(ids.emplace(line, static_cast<std::uint32_t>(ids.size())).first->second);
  return out;
}

std::vector<Edit> edits_of(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after) {
  std::unordered_map<std::string_view, std::uint32_t> ids;
  const std::vector<std::uint32_t> a = interned(before, ids), b = interned(after, ids);
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const auto from = static_cast<std::ptrdiff_t>(head), back = static_cast<std::ptrdiff_t>(tail);
  dtl::Diff<std::uint32_t, std::vector<std::uint32_t>> diff({a.begin() + from, a.end() - back}, {b.begin() + from, b.end() - back});
  diff.compose();
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < head; ++i) edits.push_back({Kind::same, before[i]});
  std::size_t was = head, is = head;
  for (const auto& [id, info] : diff.getSes().getSequence()) {
    if (info.type == dtl::SES_ADD) edits.push_back({Kind::added, after[is]});
    else edits.push_back({info.type == dtl::SES_DELETE ? Kind::removed : Kind::same, before[was]});
    was += info.type != dtl::SES_ADD;
    is += info.type != dtl::SES_DELETE;
  }
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) edits.push_back({Kind::same, before[i]});
  return edits;
}

std::string shown(const Edit& edit, bool& cut) {
  std::string_view line = edit.line;
  if (line.size() > kMaxLineBytes) {
    cut = true;
    std::size_t end = kMaxLineBytes;
    while (end > kMaxLineBytes - 4 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    line = line.substr(0, end);
  }
  std::string text(1, edit.kind == Kind::same ? ' ' : edit.kind == Kind::removed ? '-' : '+');
  text.append(line);
  return line.size() < edit.line.size() ? text + "…" : text;
}

void collect_hunks(const std::vector<Edit>& edits, TextDifference& difference) {
  std::size_t before_line = 1, after_line = 1, kept_lines = 0, quiet = kContext + 1;
  TextHunk* open = nullptr;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const auto changes = [&](const Edit& edit) { return edit.kind != Kind::same; };
    const auto ahead = edits.begin() + static_cast<std::ptrdiff_t>(i);
    const bool near = std::any_of(ahead, ahead + static_cast<std::ptrdiff_t>(std::min(kContext + 1, edits.size() - i)), changes);
    quiet = changes(edits[i]) ? 0 : quiet + 1;
    if (!near && quiet > kContext) open = nullptr;
    else if (!open && (difference.hunks.size() >= kMaxHunks || kept_lines >= kMaxHunkLines)) difference.cut = true;
    else {
      if (!open) open = &difference.hunks.emplace_back(TextHunk{before_line, after_line, {}});
      if (kept_lines < kMaxHunkLines) open->lines.push_back(shown(edits[i], difference.cut));
      else difference.cut = true;
      ++kept_lines;
    }
    if (edits[i].kind != Kind::added) ++before_line;
    if (edits[i].kind != Kind::removed) ++after_line;
  }
}

}  // namespace

TextDifference text_difference(std::string_view before, std::string_view after) {
  TextDifference difference;
  const std::vector<std::string_view> a = lines_of(before), b = lines_of(after);
  if (a.size() > kMaxLines || b.size() > kMaxLines) {
    difference.replaced = true;
    difference.removed = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    difference.added = static_cast<std::size_t>(std::count(after.begin(), after.end(), '\n')) + 1;
    return difference;
  }
  const std::vector<Edit> edits = edits_of(a, b);
  for (const Edit& edit : edits) {
    difference.added += edit.kind == Kind::added;
    difference.removed += edit.kind == Kind::removed;
  }
  collect_hunks(edits, difference);
  return difference;
}

json::Object to_json(const TextDifference& difference) {
  json::Object out;
  out.append("lines_added", difference.added);
  out.append("lines_removed", difference.removed);
  if (difference.replaced) return out;
  json::Array hunks;
  for (const TextHunk& hunk : difference.hunks)
    hunks.push_back(json::Object{{"before_line", hunk.before_line},
                                 {"after_line", hunk.after_line},
                                 {"lines", json::Array(hunk.lines.begin(), hunk.lines.end())}});
  out.append("hunks", std::move(hunks));
  if (difference.cut) out.append("cut", true);
  return out;
}

}  // namespace modelwatch::advisories
