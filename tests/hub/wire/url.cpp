#include "tests/hub/wire/url.h"

#include <algorithm>
#include <cctype>

namespace modelwatch::testhub {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool unreserved(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-_.!~*'()").find(c) != std::string_view::npos;
}

std::string encode(std::string_view text, char also_kept) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (unreserved(c) || c == also_kept) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

}  // namespace

std::string percent_encode(std::string_view text) {
  return encode(text, '-');
}
std::string percent_encode_path(std::string_view path) {
  return encode(path, '/');
}

std::string percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high << 4 | low);
      i += 2;
    } else {
      out += text[i] == '+' && plus_is_space ? ' ' : text[i];
    }
  }
  return out;
}

Query::Query(std::string_view raw) {
  while (!raw.empty()) {
    const std::string_view field = raw.substr(0, raw.find('&'));
    raw.remove_prefix(std::min(raw.size(), field.size() + 1));
    if (field.empty()) continue;
    const std::size_t equals = field.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : field.substr(equals + 1);
    fields_.emplace_back(percent_decode(field.substr(0, equals), true), percent_decode(value, true));
  }
}

const std::string* Query::find(std::string_view name) const {
  for (const auto& [key, value] : fields_)
    if (key == name) return &value;
  return nullptr;
}

bool Query::flag(std::string_view name) const {
  const std::string* value = find(name);
  return value && (*value == "true" || *value == "True" || *value == "1");
}

std::vector<std::string> Query::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : fields_)
    if (key == name || (key.size() == name.size() + 2 && key.starts_with(name) && key.ends_with("[]")))
      values.push_back(value);
  return values;
}

void Query::set(std::string_view name, std::string value) {
  for (auto& field : fields_)
    if (field.first == name) {
      field.second = std::move(value);
      return;
    }
  fields_.emplace_back(name, std::move(value));
}

void Query::erase(std::string_view name) {
  std::erase_if(fields_, [&](const auto& field) { return field.first == name; });
}

std::string Query::to_string() const {
  std::string out;
  for (const auto& [key, value] : fields_) {
    if (!out.empty()) out += '&';
    out += percent_encode(key) + "=" + percent_encode(value);
  }
  return out;
}

Target::Target(std::string_view target) {
  const std::size_t mark = target.find('?');
  std::string_view raw_path = target.substr(0, mark);
  if (mark != std::string_view::npos) raw_query = target.substr(mark);
  query = Query(raw_query.empty() ? std::string_view() : std::string_view(raw_query).substr(1));
  path = percent_decode(raw_path);
  if (raw_path.starts_with('/')) raw_path.remove_prefix(1);
  while (!raw_path.empty()) {
    const std::string_view segment = raw_path.substr(0, raw_path.find('/'));
    raw_path.remove_prefix(std::min(raw_path.size(), segment.size() + 1));
    raw_segments.emplace_back(segment);
    segments.push_back(percent_decode(segment));
  }
}

std::string Target::rest(std::size_t first) const {
  std::string out;
  for (std::size_t i = first; i < raw_segments.size(); ++i) out += "/" + raw_segments[i];
  return out + raw_query;
}

}  // namespace modelwatch::testhub
