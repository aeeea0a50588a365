#include <sqlite3.h>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "storage/store_impl.h"

namespace modelwatch::storage {

/// What is stored was read within the reader's limits and then put a few levels deeper.
json::Value read_json(std::string_view text) {
  auto document = json::read(text, {.depth = 128, .values = 16'000'000});
  if (!document) throw SqliteError(SQLITE_CORRUPT, "stored JSON cannot be read: " + document.error().to_string());
  return std::move(document->value);
}

std::string names_as_json(const std::vector<std::string>& names) { return json::write(json::Array(names.begin(), names.end())); }

std::vector<std::string> names_from_json(std::string_view text) {
  std::vector<std::string> names;
  const json::Value value = read_json(text);
  if (!value.array()) return names;
  for (const json::Value& name : *value.array())
    if (name.string()) names.push_back(*name.string());
  return names;
}

}  // namespace modelwatch::storage
