#include <yaml-cpp/yaml.h>

#include <charconv>

#include "tests/hub/routes/summary.h"

namespace modelwatch::testhub {
namespace {

constexpr int deepest = 20;

json::Value scalar(const YAML::Node& node) {
  const std::string text = node.Scalar();
  if (node.Tag() == "!") return text;  // quoted
  if (text == "true" || text == "false") return text == "true";
  if (text.empty() || text == "null" || text == "~") return nullptr;
  std::int64_t integer = 0;
  const char* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, integer); read.ec == std::errc() && read.ptr == end)
    return integer;
  double real = 0;
  if (const auto read = std::from_chars(text.data(), end, real); read.ec == std::errc() && read.ptr == end)
    return real;
  return text;
}

json::Value to_json(const YAML::Node& node, int depth) {
  if (depth > deepest) return nullptr;
  if (node.IsScalar()) return scalar(node);
  if (node.IsSequence()) {
    json::Array list;
    for (const YAML::Node& item : node) list.push_back(to_json(item, depth + 1));
    return list;
  }
  if (node.IsMap()) {
    json::Object object;
    for (const auto& item : node) object.set(item.first.Scalar(), to_json(item.second, depth + 1));
    return object;
  }
  return nullptr;
}

}  // namespace

std::optional<json::Object> read_card(std::string_view readme) {
  if (!readme.starts_with("---\n")) return {};
  const std::size_t end = readme.find("\n---", 3);
  if (end == std::string_view::npos) return {};
  try {
    const json::Value value = to_json(YAML::Load(std::string(readme.substr(4, end - 3))), 0);
    if (const json::Object* object = value.object()) return *object;
  } catch (const YAML::Exception&) {
  }
  return {};
}

}  // namespace modelwatch::testhub
