#include "advisories/manifest/weight_index.h"

#include <algorithm>
#include <simdjson.h>
#include <unordered_map>

#include "advisories/manifest/padded_text.h"
#include "estimator/json/reader.h"

namespace modelwatch::advisories {

using namespace simdjson;

class IndexReader {
 public:
  explicit IndexReader(WeightIndex& index) : index_(index) {}

  error_code read(ondemand::document& document) {
    ondemand::object object;
    json::Object rest;
    if (const auto error = document.get_object().get(object)) return error;
    for (auto field : object) {
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      if (key == "weight_map") {
        ondemand::object map;
        if (const auto error = field.value().get_object().get(map)) return error;
        if (const auto error = read_map(map)) return error;
        continue;
      }
      std::string name(key);
      std::string_view raw;
      ondemand::value value;
      if (const auto error = field.value().get(value)) return error;
      if (const auto error = to_json_string(value).get(raw)) return error;
      auto read = json::read(raw);
      if (!read) return refuse("under \"" + name + "\": " + read.error().to_string());
      rest.set(std::move(name), std::move(read->value));
    }
    index_.rest = std::move(rest);
    const char* behind = nullptr;
    return document.current_location().get(behind) ? SUCCESS : refuse("text behind the object");
  }

  std::string trouble;

 private:
  error_code refuse(std::string reason) {
    trouble = std::move(reason);
    return TAPE_ERROR;
  }

  error_code read_map(ondemand::object& map) {
    std::unordered_map<std::string, std::uint32_t> files;
    for (auto field : map) {
      std::string_view key, file;
      if (const auto error = field.unescaped_key().get(key)) return error;
      if (index_.rows_.size() >= WeightIndex::kMaxTensors || key.size() > 4096) return refuse("too many or too long tensor names");
      const auto name = static_cast<std::uint32_t>(index_.names_.size());
      index_.names_.append(key);
      if (const auto error = field.value().get_string().get(file)) return error;
      // shards come in runs: the last one is looked at first
      if (index_.files_.empty() || index_.files_[last_] != file) {
        const auto [at, fresh] = files.emplace(file, static_cast<std::uint32_t>(index_.files_.size()));
        if (fresh && index_.files_.size() >= WeightIndex::kMaxShards) return refuse("more than 10,000 shards");
        if (fresh) index_.files_.emplace_back(file);
        last_ = at->second;
      }
      index_.rows_.push_back({name, static_cast<std::uint32_t>(index_.names_.size() - name), last_});
    }
    return SUCCESS;
  }

  WeightIndex& index_;
  std::uint32_t last_ = 0;
};

WeightIndex WeightIndex::read(const Bytes& bytes) {
  WeightIndex index;
  const PaddedText text(bytes);
  ondemand::parser parser;
  ondemand::document document;
  IndexReader reader(index);
  auto error = parser.iterate(padded_string_view(text.text().data(), text.text().size(), text.capacity())).get(document);
  const bool begun = !error;  // a document that was refused at once, as an empty one, has no place to ask for
  if (begun) error = reader.read(document);
  if (error) {
    const char* where = nullptr;
    if (!begun || document.current_location().get(where)) where = text.text().data();
    index.trouble = text.problem(where, reader.trouble.empty() ? error_message(error) : reader.trouble.c_str());
  }
  const std::string_view names = index.names_;
  const auto name = [names](const Row& row) { return names.substr(row.name, row.name_size); };
  std::stable_sort(index.rows_.begin(), index.rows_.end(), [&](const Row& a, const Row& b) { return name(a) < name(b); });
  return index;
}

WeightIndex::Entry WeightIndex::operator[](std::size_t i) const {
  const Row& row = rows_[i];
  return {std::string_view(names_).substr(row.name, row.name_size), files_[row.file]};
}

}  // namespace modelwatch::advisories
