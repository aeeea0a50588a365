#include "advisories/manifest/weights.h"

#include <algorithm>
#include <set>

#include "advisories/manifest/files.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMaxMissing = 20;

// Known by their hash where a listing gives no size: the empty file as git and as LFS name it.
constexpr std::string_view kEmptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
constexpr std::string_view kEmptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

std::string padded_number(unsigned number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

/// The name of another shard of the same set, written as this one is.
std::string sibling(std::string_view path, unsigned shard) {
  const std::size_t of = path.rfind("-of-");
  const std::size_t start = path.find_last_of("-_", of - 1) + 1;
  return std::string(path.substr(0, start)) + padded_number(shard, of - start) + std::string(path.substr(of));
}

}  // namespace

std::uint64_t WeightSet::bytes() const {
  std::uint64_t total = 0;
  for (const ListedFile* file : files) total += file->size;
  return total;
}

bool WeightSet::empty() const {
  return std::all_of(files.begin(), files.end(), [](const ListedFile* file) { return is_empty_weights(*file); });
}

bool is_empty_weights(const ListedFile& file) {
  return file.size == 0 || file.identity() == kEmptyBlob || file.identity() == kEmptySha256 ||
         (file.path.ends_with(".safetensors") && file.size <= 16);
}

WeightSets weight_sets(const Listing& listing) {
  WeightSets sets;
  std::map<std::string, const ListedFile*> indexes;
  for (const ListedFile& file : listing) {
    if (part_of(file.path) != Part::weights) continue;
    WeightName name = weight_name(file.path);
    if (name.index) {
      indexes.emplace(name.key(), &file);
      continue;
    }
    WeightSet& set = sets[name.key()];
    set.name = std::move(name);
    set.files.push_back(&file);
  }
  for (const auto& [key, file] : indexes)
    if (const auto set = sets.find(key); set != sets.end()) set->second.index = file;
  return sets;
}

std::vector<std::string> missing_shards(const WeightSet& set) {
  std::map<unsigned, std::set<unsigned>> seen;
  std::map<unsigned, std::string_view> example;
  for (const ListedFile* file : set.files) {
    const WeightName name = weight_name(file->path);
    if (name.shards == 0 || name.shards > 10'000) continue;
    seen[name.shards].insert(name.shard);
    example.emplace(name.shards, file->path);
  }
  std::vector<std::string> missing;
  for (const auto& [count, shards] : seen) {
    const unsigned first = shards.contains(0) ? 0 : 1;  // some tools count from 0
    for (unsigned shard = first; shard < count + first && missing.size() < kMaxMissing; ++shard)
      if (!shards.contains(shard)) missing.push_back(sibling(example[count], shard));
  }
  return missing;
}

StoredTensors read_tensors(const Snapshot& snapshot, const WeightSet& set) {
  StoredTensors stored;
  for (std::size_t i = 0; i < set.files.size(); ++i) {
    const ListedFile& file = *set.files[i];
    if (set.name.format != WeightFormat::safetensors) {
      stored.faults.push_back({file.path, "files of this kind have no header that is read", false});
      continue;
    }
    const auto read = snapshot.contents->read(file);
    if (const auto* why = std::get_if<NotRead>(&read)) {
      stored.faults.push_back({file.path, "not read: " + why->reason, false});
    } else if (std::string fault = stored.table.read(std::get<Bytes>(read), file.size, static_cast<std::uint32_t>(i)); !fault.empty()) {
      stored.faults.push_back({file.path, std::move(fault), true});
    }
  }
  stored.table.finish();
  return stored;
}

}  // namespace modelwatch::advisories
