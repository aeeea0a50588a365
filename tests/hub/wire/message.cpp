#include "tests/hub/wire/message.h"

#include <strings.h>

#include <algorithm>

namespace modelwatch::testhub {
namespace {

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

std::string_view to_string(Listener listener) {
  switch (listener) {
    case Listener::hub:
      return "hub";
    case Listener::cdn:
      return "cdn";
    case Listener::control:
      return "control";
  }
  return "";
}

const std::string* Headers::find(std::string_view name) const {
  for (const auto& [key, value] : fields_)
    if (same_name(key, name)) return &value;
  return nullptr;
}

std::string Headers::value(std::string_view name) const {
  const std::string* found = find(name);
  return found ? *found : std::string();
}

void Headers::set(std::string_view name, std::string value) {
  for (auto& field : fields_)
    if (same_name(field.first, name)) {
      field.second = std::move(value);
      return;
    }
  add(name, std::move(value));
}

void Headers::erase(std::string_view name) {
  std::erase_if(fields_, [&](const auto& field) { return same_name(field.first, name); });
}

}  // namespace modelwatch::testhub
