#include "advisories/manifest/front_matter.h"

#include <yaml-cpp/yaml.h>

#include <charconv>
#include <stdexcept>

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMaxBytes = 256 << 10, kMaxValues = 20'000, kMaxDepth = 32;

struct TooMuch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

json::Value scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;  // quoted
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
  const char *begin = text.data(), *end = begin + text.size();
  if (std::int64_t integer = 0; std::from_chars(begin, end, integer).ptr == end) return integer;
  if (text.find_first_not_of("0123456789.eE+-") == text.npos)
    if (double real = 0; std::from_chars(begin, end, real).ptr == end) return real;
  return text;
}

// Aliases are followed, so that a small text can name a huge tree: the values are counted as they are made.
json::Value convert(const YAML::Node& node, std::size_t depth, std::size_t& left) {
  if (left-- == 0) throw TooMuch("more than " + std::to_string(kMaxValues) + " values");
  if (depth > kMaxDepth) throw TooMuch("nested deeper than " + std::to_string(kMaxDepth));
  if (node.IsScalar()) return scalar(node);
  if (node.IsSequence()) {
    json::Array items;
    for (const YAML::Node& item : node) items.push_back(convert(item, depth + 1, left));
    return items;
  }
  if (!node.IsMap()) return nullptr;
  json::Object members;
  for (const auto& member : node) {
    if (!member.first.IsScalar()) throw TooMuch("a key that is no scalar");
    members.set(member.first.Scalar(), convert(member.second, depth + 1, left));
  }
  return members;
}

std::string_view line_at(std::string_view text, std::size_t at) {
  std::string_view line = text.substr(at, text.find('\n', at) - at);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

/// Flow collections nest without indentation, and yaml-cpp recurses into each: deep ones would end the process.
bool nests_too_deep(std::string_view yaml) {
  std::size_t depth = 0, indent_levels = 0;
  for (const char c : yaml) {
    if (c == '[' || c == '{') depth++;
    else if ((c == ']' || c == '}') && depth > 0) depth--;
    if (depth > kMaxDepth) return true;
  }
  // Block collections on one line: "- - - - -".
  for (std::size_t at = 0; at < yaml.size(); at = std::min(yaml.find('\n', at), yaml.size() - 1) + 1) {
    const std::string_view line = line_at(yaml, at);
    indent_levels = 0;
    for (std::size_t i = 0; i < line.size() && (line[i] == ' ' || line[i] == '-' || line[i] == '?'); ++i) indent_levels += line[i] != ' ';
    if (indent_levels > kMaxDepth || line.find_first_not_of(' ') > 400) return line.find_first_not_of(' ') != line.npos;
  }
  return false;
}

std::string where(const YAML::Exception& problem) {
  if (problem.mark.is_null()) return problem.msg;
  return "line " + std::to_string(problem.mark.line + 2) + ", column " + std::to_string(problem.mark.column + 1) + ": " + problem.msg;
}

}  // namespace

FrontMatter read_front_matter(std::string_view card) {
  FrontMatter front;
  front.body = card;
  if (card.starts_with("\xEF\xBB\xBF")) card.remove_prefix(3);
  if (line_at(card, 0) != "---") return front;
  const std::size_t begin = std::min(card.find('\n'), card.size() - 1) + 1;
  std::size_t end = begin;
  while (end < card.size() && line_at(card, end) != "---") end = std::min(card.find('\n', end), card.size() - 1) + 1;
  front.state = FrontMatter::State::broken;
  if (end >= card.size()) {
    front.problem = "the front matter is never closed";
    return front;
  }
  const std::string_view yaml = card.substr(begin, end - begin);
  front.body = card.substr(std::min(card.find('\n', end), card.size() - 1) + 1);
  if (yaml.size() > kMaxBytes || nests_too_deep(yaml)) {
    front.problem = yaml.size() > kMaxBytes ? "larger than 256 KiB" : "nested too deep";
    return front;
  }
  try {
    std::size_t left = kMaxValues;
    json::Value value = convert(YAML::Load(std::string(yaml)), 0, left);
    if (value.is_null()) value = json::Object{};
    if (value.object()) {
      front.value = std::move(value);
      front.state = FrontMatter::State::parsed;
    } else {
      front.problem = "not a mapping";
    }
  } catch (const YAML::Exception& problem) {
    front.problem = where(problem);
  } catch (const TooMuch& problem) {
    front.problem = problem.what();
  }
  return front;
}

}  // namespace modelwatch::advisories
