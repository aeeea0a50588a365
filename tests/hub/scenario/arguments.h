#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/json/value.h"

namespace modelwatch::testhub {

/// The keys of one operation, each read once and by kind. Everything throws std::invalid_argument that says
/// which operation and key is wrong; `done` refuses keys that nobody asked for, so a misspelt one is no
/// silent default.
class Arguments {
 public:
  Arguments(std::string what, const json::Value& value);

  std::string text(std::string_view key);  ///< must be there
  std::optional<std::string> optional_text(std::string_view key);
  std::optional<bool> flag(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key);
  std::optional<double> real(std::string_view key);
  std::vector<std::string> texts(std::string_view key);  ///< a list, or one text
  std::optional<std::chrono::sys_seconds> date(
      std::string_view key);  ///< 2026-03-01T08:00:00Z, as TOML writes it
  const json::Object* object(std::string_view key);
  const json::Array* array(std::string_view key);
  const json::Value* value(std::string_view key);  ///< of any kind; null where it is not there
  void done() const;

  [[noreturn]] void wrong(std::string_view key, std::string_view expected) const;
  const std::string& what() const { return what_; }

 private:
  std::string what_;
  const json::Object* object_;
  std::set<std::string, std::less<>> used_;
};

std::chrono::sys_seconds parse_date(const std::string& text);

}  // namespace modelwatch::testhub
