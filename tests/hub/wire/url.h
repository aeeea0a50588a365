#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace modelwatch::testhub {

/// As encodeURIComponent does: everything but letters, digits and - _ . ! ~ * ' ( ).
std::string percent_encode(std::string_view text);
/// Each segment encoded, '/' kept.
std::string percent_encode_path(std::string_view path);
/// A '%' that is not followed by two hex digits stays as it is.
std::string percent_decode(std::string_view text, bool plus_is_space = false);

/// Parameters of a query or a form, decoded, in order.
class Query {
 public:
  Query() = default;
  explicit Query(std::string_view raw);

  const std::string* find(std::string_view name) const;
  bool flag(std::string_view name) const;                     ///< true, True, 1
  std::vector<std::string> all(std::string_view name) const;  ///< of `name` and of `name[]`
  void set(std::string_view name, std::string value);         ///< replaces in place, else goes to the end
  void put_first(std::string_view name, std::string value) {
    fields_.insert(fields_.begin(), {std::string(name), std::move(value)});
  }
  void erase(std::string_view name);
  std::string to_string() const;  ///< encoded, without '?'

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// A request target taken apart. Segments are split before they are decoded, so that an encoded '/' stays
/// inside one.
struct Target {
  explicit Target(std::string_view target);

  std::string path;                       ///< decoded
  std::vector<std::string> raw_segments;  ///< as sent
  std::vector<std::string> segments;      ///< decoded
  std::string raw_query;                  ///< with its '?', or empty
  Query query;

  /// The raw path from segment `first` on, each with its leading '/', and the query.
  std::string rest(std::size_t first) const;
};

}  // namespace modelwatch::testhub
