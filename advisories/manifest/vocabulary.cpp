#include "advisories/manifest/vocabulary.h"

#include <algorithm>

#include "advisories/manifest/digest.h"

namespace modelwatch::advisories {
namespace {

template <class T>
std::string_view as_bytes(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

bool Vocabulary::add(std::string_view token, std::uint32_t id) {
  if (rows_.size() >= kMaxTokens || bytes_.size() + token.size() > kMaxBytes) return false;
  bytes_.append(token);
  rows_.push_back({static_cast<std::uint32_t>(bytes_.size()), id});
  return true;
}

bool Vocabulary::add(std::string_view token, std::uint32_t id, float score) {
  if (!add(token, id)) return false;
  scores_.resize(rows_.size());
  scores_.back() = score;
  return true;
}

Vocabulary::Entry Vocabulary::operator[](std::size_t i) const {
  const std::uint32_t begin = i == 0 ? 0 : rows_[i - 1].end;
  return {std::string_view(bytes_).substr(begin, rows_[i].end - begin), rows_[i].id, scores_.empty() ? 0 : scores_[i]};
}

bool Vocabulary::operator==(const Vocabulary& other) const { return bytes_ == other.bytes_ && rows_ == other.rows_ && scores_ == other.scores_; }

std::string Vocabulary::digest() const {
  std::vector<std::uint32_t> order(rows_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  const auto before = [this](std::uint32_t a, std::uint32_t b) { return rows_[a].id < rows_[b].id; };
  if (!std::is_sorted(order.begin(), order.end(), before)) std::stable_sort(order.begin(), order.end(), before);
  Hasher hasher(Hasher::Algorithm::sha256);
  std::string block;
  for (const std::uint32_t i : order) {
    const Entry entry = (*this)[i];
    block.append(as_bytes(entry.id)).append(as_bytes(entry.score)).append(as_bytes(static_cast<std::uint32_t>(entry.token.size()))).append(entry.token);
    if (block.size() < (64 << 10)) continue;
    hasher.update(block);
    block.clear();
  }
  hasher.update(block);
  return hasher.finish();
}

bool Merges::add(std::string_view left, std::string_view right) {
  if (rows_.size() >= kMaxMerges || bytes_.size() + left.size() + right.size() > Vocabulary::kMaxBytes) return false;
  bytes_.append(left);
  const auto left_end = static_cast<std::uint32_t>(bytes_.size());
  bytes_.append(right);
  rows_.push_back({static_cast<std::uint32_t>(bytes_.size()), left_end});
  return true;
}

bool Merges::add(std::string_view written) {
  const std::size_t space = written.find(' ');
  if (space == std::string_view::npos || written.find(' ', space + 1) != std::string_view::npos) return false;
  return add(written.substr(0, space), written.substr(space + 1));
}

Merges::Pair Merges::operator[](std::size_t rank) const {
  const std::uint32_t begin = rank == 0 ? 0 : rows_[rank - 1].end;
  const Row& row = rows_[rank];
  const std::string_view bytes = bytes_;
  return {bytes.substr(begin, row.left_end - begin), bytes.substr(row.left_end, row.end - row.left_end), bytes.substr(begin, row.end - begin)};
}

bool Merges::operator==(const Merges& other) const { return bytes_ == other.bytes_ && rows_ == other.rows_; }

std::string Merges::digest() const {
  Hasher hasher(Hasher::Algorithm::sha256);
  hasher.update(bytes_);
  hasher.update({reinterpret_cast<const char*>(rows_.data()), rows_.size() * sizeof(Row)});
  return hasher.finish();
}

}  // namespace modelwatch::advisories
