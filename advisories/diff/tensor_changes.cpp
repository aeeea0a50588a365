#include "advisories/diff/tensor_changes.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_set>

namespace modelwatch::advisories {
namespace {

std::string shape_of(const Tensor& tensor) {
  std::string text = "[";
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  return text + "]";
}
std::string described(const Tensor& tensor) { return std::string(tensor.name) + " " + std::string(tensor.dtype) + " " + shape_of(tensor); }

bool same_shape(const Tensor& a, const Tensor& b) { return std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end()); }

bool by_kind(const Tensor& a, const Tensor& b) {
  const auto shape = std::lexicographical_compare_three_way(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end());
  return std::tie(a.dtype, a.bytes) != std::tie(b.dtype, b.bytes) ? std::tie(a.dtype, a.bytes) < std::tie(b.dtype, b.bytes) : shape < 0;
}

void pair_by_kind(std::vector<Tensor>& gone, std::vector<Tensor>& fresh, TensorChanges& changes) {
  if (gone.empty() || gone.size() != fresh.size()) return;
  std::vector<Tensor> a = gone, b = fresh;
  std::stable_sort(a.begin(), a.end(), by_kind);
  std::stable_sort(b.begin(), b.end(), by_kind);
  const auto same_kind = [](const Tensor& x, const Tensor& y) { return !by_kind(x, y) && !by_kind(y, x); };
  if (!std::equal(a.begin(), a.end(), b.begin(), same_kind)) return;
  for (std::size_t i = 0; i < a.size(); ++i) changes.renamed.add(std::string(a[i].name) + " → " + std::string(b[i].name));
  gone.clear();
  fresh.clear();
}

/// The text before or behind which the longer name equals the shorter one.
std::optional<std::string_view> prefix_between(std::string_view longer, std::string_view shorter) {
  if (longer.size() <= shorter.size() || !longer.ends_with(shorter)) return std::nullopt;
  return longer.substr(0, longer.size() - shorter.size());
}

/// One prefix that turns names of `from` into names of `to`.
std::string_view common_prefix_rule(const std::vector<Tensor>& shorter, const std::vector<Tensor>& longer) {
  if (shorter.empty()) return {};
  for (const Tensor& tensor : longer)
    if (const auto prefix = prefix_between(tensor.name, shorter.front().name); prefix && prefix->ends_with('.')) return *prefix;
  return {};
}

void pair_by_prefix(std::vector<Tensor>& gone, std::vector<Tensor>& fresh, bool put_before, TensorChanges& changes) {
  std::vector<Tensor>&shorter = put_before ? gone : fresh, &longer = put_before ? fresh : gone;
  const std::string prefix(common_prefix_rule(shorter, longer));
  if (prefix.empty()) return;
  std::unordered_set<std::string_view> paired;
  for (const Tensor& tensor : shorter) {
    const std::string name = prefix + std::string(tensor.name);
    const auto at = std::lower_bound(longer.begin(), longer.end(), name, [](const Tensor& t, const std::string& n) { return t.name < n; });
    if (at == longer.end() || at->name != name || !same_shape(*at, tensor)) continue;
    paired.insert(at->name);
    paired.insert(tensor.name);
    changes.renamed.add(put_before ? std::string(tensor.name) + " → " + name : name + " → " + std::string(tensor.name));
  }
  for (std::vector<Tensor>* side : {&gone, &fresh})
    std::erase_if(*side, [&](const Tensor& tensor) { return paired.contains(tensor.name); });
}

void compare_pair(const Tensor& a, const Tensor& b, TensorChanges& changes) {
  if (!same_shape(a, b)) changes.reshaped.add(std::string(a.name) + " " + shape_of(a) + " → " + shape_of(b));
  else if (a.dtype != b.dtype) changes.retyped.add(std::string(a.name) + " " + std::string(a.dtype) + " → " + std::string(b.dtype));
  else ++changes.same;
}

}  // namespace

DtypeTotals totals(const TensorTable& table) {
  DtypeTotals sums;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Tensor tensor = table[i];
    auto at = sums.find(tensor.dtype);
    if (at == sums.end()) at = sums.emplace(tensor.dtype, DtypeTotal{}).first;
    ++at->second.tensors;
    at->second.elements += tensor.elements();
    at->second.bytes += tensor.bytes;
  }
  return sums;
}

json::Object to_json(const DtypeTotals& totals) {
  json::Object out;
  for (const auto& [dtype, sum] : totals)
    out.append(dtype, json::Object{{"tensors", sum.tensors}, {"elements", sum.elements}, {"bytes", sum.bytes}});
  return out;
}

TensorChanges compare(const TensorTable& before, const WeightSet& files_before, const TensorTable& after, const WeightSet& files_after) {
  TensorChanges changes;
  std::vector<Tensor> gone, fresh;
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    if (j == after.size() || (i < before.size() && before[i].name < after[j].name)) {
      gone.push_back(before[i++]);
    } else if (i == before.size() || after[j].name < before[i].name) {
      fresh.push_back(after[j++]);
    } else {
      const Tensor a = before[i++], b = after[j++];
      compare_pair(a, b, changes);
      if (files_before.files[a.file]->path != files_after.files[b.file]->path) changes.moved.add(std::string(a.name));
    }
  }
  pair_by_prefix(gone, fresh, true, changes);
  pair_by_prefix(gone, fresh, false, changes);
  pair_by_kind(gone, fresh, changes);
  for (const Tensor& tensor : gone) changes.removed.add(described(tensor));
  for (const Tensor& tensor : fresh) changes.added.add(described(tensor));
  return changes;
}

}  // namespace modelwatch::advisories
