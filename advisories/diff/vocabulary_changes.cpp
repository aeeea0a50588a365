#include "advisories/diff/vocabulary_changes.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "estimator/json/utf8.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMaxShown = 60;

/// A text with its first eight bytes as a number: most comparisons end there.
struct Keyed {
  std::uint64_t head;
  std::uint32_t row;
};

std::uint64_t head_of(std::string_view text) {
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < 8; ++i) head = head << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  return head;
}

/// Rows [from, to) by text, each text once with its last row, as readers take repeats. Sorted, not hashed: no input makes
/// it slow.
template <class Text>
std::vector<Keyed> sorted(std::size_t from, std::size_t to, Text text) {
  std::vector<Keyed> keys;
  keys.reserve(to - from);
  for (std::size_t row = from; row < to; ++row) keys.push_back({head_of(text(row)), static_cast<std::uint32_t>(row)});
  std::sort(keys.begin(), keys.end(), [&](const Keyed& a, const Keyed& b) {
    if (a.head != b.head) return a.head < b.head;
    const auto order = text(a.row) <=> text(b.row);
    return order != 0 ? order < 0 : a.row > b.row;
  });
  const auto same = [&](const Keyed& a, const Keyed& b) { return a.head == b.head && text(a.row) == text(b.row); };
  keys.erase(std::unique(keys.begin(), keys.end(), same), keys.end());
  return keys;
}

/// Walks two sorted lists: `gone(row)`, `fresh(row)`, `both(row_before, row_after)`.
template <class TextA, class TextB, class Gone, class Fresh, class Both>
void merge_walk(const std::vector<Keyed>& a, TextA text_a, const std::vector<Keyed>& b, TextB text_b, Gone gone, Fresh fresh, Both both) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const auto by_head = a[i].head <=> b[j].head;
    const auto order = by_head != 0 ? by_head : text_a(a[i].row) <=> text_b(b[j].row);
    if (order < 0) gone(a[i++].row);
    else if (order > 0) fresh(b[j++].row);
    else both(a[i++].row, b[j++].row);
  }
  for (; i < a.size(); ++i) gone(a[i].row);
  for (; j < b.size(); ++j) fresh(b[j].row);
}

/// How many rows are equal at the start and, of the rest, at the end.
template <class Equal>
std::pair<std::size_t, std::size_t> common_ends(std::size_t size_a, std::size_t size_b, Equal equal) {
  const std::size_t shorter = std::min(size_a, size_b);
  std::size_t head = 0, tail = 0;
  while (head < shorter && equal(head, head)) ++head;
  while (tail < shorter - head && equal(size_a - 1 - tail, size_b - 1 - tail)) ++tail;
  return {head, tail};
}

/// Which elements of a list of distinct numbers are outside of a longest increasing subsequence.
std::vector<std::size_t> out_of_order(const std::vector<std::uint32_t>& ranks) {
  std::vector<std::size_t> ends, previous(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto at = std::lower_bound(ends.begin(), ends.end(), ranks[i], [&](std::size_t e, std::uint32_t rank) { return ranks[e] < rank; });
    previous[i] = at == ends.begin() ? ranks.size() : *(at - 1);
    if (at == ends.end()) ends.push_back(i);
    else *at = i;
  }
  std::vector<bool> kept(ranks.size());
  if (!ends.empty())
    for (std::size_t i = ends.back(); i < ranks.size(); i = previous[i]) kept[i] = true;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (!kept[i]) out.push_back(i);
  return out;
}

std::string with_number(std::string_view token, std::uint64_t number) { return shown(token) + " (" + std::to_string(number) + ")"; }

std::string score_text(float score) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", static_cast<double>(score));
  return text;
}

}  // namespace

VocabularyChanges compare(const Vocabulary& before, const Vocabulary& after, const KnownElsewhere& elsewhere) {
  VocabularyChanges changes;
  if (before == after) return changes;
  // in the order of the files the same rows: what is between is sorted
  const auto [head, tail] = common_ends(before.size(), after.size(), [&](std::size_t i, std::size_t j) {
    const auto a = before[i], b = after[j];
    return a.id == b.id && a.score == b.score && a.token == b.token;
  });
  const auto text_before = [&](std::size_t row) { return before[row].token; };
  const auto text_after = [&](std::size_t row) { return after[row].token; };
  bool one_shift = true;
  merge_walk(
      sorted(head, before.size() - tail, text_before), text_before, sorted(head, after.size() - tail, text_after), text_after,
      [&](std::uint32_t row) {
        if (elsewhere && elsewhere(before[row].token, before[row].id, true)) ++changes.rehomed;
        else changes.removed.add_with([&] { return with_number(before[row].token, before[row].id); });
      },
      [&](std::uint32_t row) {
        if (elsewhere && elsewhere(after[row].token, after[row].id, false)) return void(++changes.rehomed);
        changes.highest_added = std::max(changes.highest_added, after[row].id);
        changes.added.add_with([&] { return with_number(after[row].token, after[row].id); });
      },
      [&](std::uint32_t was, std::uint32_t is) {
        const auto a = before[was], b = after[is];
        if (a.score != b.score) changes.rescored.add_with([&] { return shown(a.token) + ": " + score_text(a.score) + " → " + score_text(b.score); });
        if (a.id == b.id) return;
        const std::int64_t shift = static_cast<std::int64_t>(b.id) - a.id;
        one_shift &= changes.reassigned.count == 0 || changes.shift == shift;
        changes.shift = shift;
        changes.reassigned.add_with([&] { return shown(a.token) + ": " + std::to_string(a.id) + " → " + std::to_string(b.id); });
      });
  if (!one_shift) changes.shift.reset();
  return changes;
}

MergeChanges compare(const Merges& before, const Merges& after) {
  MergeChanges changes;
  if (before == after) return changes;
  const auto pair_of = [](const Merges::Pair& pair) { return shown(pair.left) + " " + shown(pair.right); };
  const auto [head, tail] = common_ends(before.size(), after.size(), [&](std::size_t i, std::size_t j) {
    const auto a = before[i], b = after[j];
    return a.both == b.both && a.left.size() == b.left.size();
  });
  // Two pairs of one text ("a b|c", "a|b c") are one here: the loser of the two never fires in practice.
  const auto text_before = [&](std::size_t row) { return before[row].both; };
  const auto text_after = [&](std::size_t row) { return after[row].both; };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> common;
  merge_walk(
      sorted(head, before.size() - tail, text_before), text_before, sorted(head, after.size() - tail, text_after), text_after,
      [&](std::uint32_t row) { changes.removed.add_with([&] { return pair_of(before[row]) + " (" + std::to_string(row) + ")"; }); },
      [&](std::uint32_t row) { changes.added.add_with([&] { return pair_of(after[row]) + " (" + std::to_string(row) + ")"; }); },
      [&](std::uint32_t was, std::uint32_t is) { common.emplace_back(was, is); });
  std::sort(common.begin(), common.end());
  std::vector<std::uint32_t> ranks;
  ranks.reserve(common.size());
  for (const auto& [was, is] : common) ranks.push_back(is);
  for (const std::size_t i : out_of_order(ranks))
    changes.moved.add_with([&] {
      return pair_of(before[common[i].first]) + ": " + std::to_string(common[i].first) + " → " + std::to_string(common[i].second);
    });
  changes.appended_only = head == before.size();
  return changes;
}

std::string shown(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size();) {
    if (out.size() >= kMaxShown) return out + "…";
    const std::size_t length = json::utf8_length(token.substr(i));
    const auto byte = static_cast<unsigned char>(token[i]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      char text[8];
      std::snprintf(text, sizeof text, "\\x%02X", byte);
      out += byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : text;
      ++i;
      continue;
    }
    out.append(token.substr(i, length));
    i += length;
  }
  return out;
}

}  // namespace modelwatch::advisories
