#include "tests/hub/scenario/arguments.h"

#include <ctime>
#include <stdexcept>

namespace modelwatch::testhub {

Arguments::Arguments(std::string what, const json::Value& value)
    : what_(std::move(what)), object_(value.object()) {
  if (!object_) throw std::invalid_argument(what_ + ": a table is expected");
}

void Arguments::wrong(std::string_view key, std::string_view expected) const {
  throw std::invalid_argument(what_ + ": " + std::string(key) + ": " + std::string(expected) +
                              " is expected");
}

const json::Value* Arguments::value(std::string_view key) {
  used_.emplace(key);
  return object_->find(key);
}

std::optional<std::string> Arguments::optional_text(std::string_view key) {
  const json::Value* found = value(key);
  if (!found) return {};
  if (!found->string()) wrong(key, "a text");
  return *found->string();
}

std::string Arguments::text(std::string_view key) {
  auto found = optional_text(key);
  if (!found) throw std::invalid_argument(what_ + ": " + std::string(key) + " is missing");
  return *found;
}

std::optional<bool> Arguments::flag(std::string_view key) {
  const json::Value* found = value(key);
  if (found && !found->is_bool()) wrong(key, "true or false");
  return found ? found->boolean() : std::nullopt;
}

std::optional<std::int64_t> Arguments::integer(std::string_view key) {
  const json::Value* found = value(key);
  if (found && !found->integer()) wrong(key, "a whole number");
  return found ? found->integer() : std::nullopt;
}

std::optional<double> Arguments::real(std::string_view key) {
  const json::Value* found = value(key);
  if (found && !found->real()) wrong(key, "a number");
  return found ? found->real() : std::nullopt;
}

std::vector<std::string> Arguments::texts(std::string_view key) {
  const json::Value* found = value(key);
  if (!found) return {};
  if (found->string()) return {*found->string()};
  if (!found->array()) wrong(key, "a list of texts");
  std::vector<std::string> list;
  for (const json::Value& item : *found->array()) {
    if (!item.string()) wrong(key, "a list of texts");
    list.push_back(*item.string());
  }
  return list;
}

std::optional<std::chrono::sys_seconds> Arguments::date(std::string_view key) {
  const auto found = optional_text(key);
  if (!found) return {};
  return parse_date(*found);
}

const json::Object* Arguments::object(std::string_view key) {
  const json::Value* found = value(key);
  if (found && !found->object()) wrong(key, "a table");
  return found ? found->object() : nullptr;
}

const json::Array* Arguments::array(std::string_view key) {
  const json::Value* found = value(key);
  if (found && !found->array()) wrong(key, "a list");
  return found ? found->array() : nullptr;
}

void Arguments::done() const {
  for (const auto& [key, ignored] : *object_)
    if (!used_.contains(key)) throw std::invalid_argument(what_ + ": unknown key " + key);
}

std::chrono::sys_seconds parse_date(const std::string& text) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (end && *end == '.') end += 1 + std::string_view(end + 1).find_first_not_of("0123456789");
  if (!end || std::string_view(end) != "Z")
    throw std::invalid_argument("not a date like 2026-03-01T08:00:00Z: " + text);
  return std::chrono::sys_seconds(std::chrono::seconds(::timegm(&parts)));
}

}  // namespace modelwatch::testhub
