#include "estimator/json/writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "estimator/json/utf8.h"

namespace modelwatch::json {
namespace {

void write_string(std::string_view s, std::string& out) {
  static constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < s.size();) {
    const auto c = static_cast<unsigned char>(s[i]);
    if (c >= 0x80) {
      const std::size_t length = utf8_length(s.substr(i));
      if (length == 0) {
        out += "\xEF\xBF\xBD";
        ++i;
      } else {
        out.append(s, i, length);
        i += length;
      }
      continue;
    }
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (c < 0x20 || c == 0x7f) {
          out += "\\u00";
          out += hex[c >> 4];
          out += hex[c & 15];
        } else {
          out += s[i];
        }
    }
    ++i;
  }
  out += '"';
}

void write_real(double d, Style style, std::string& out) {
  if (std::isnan(d)) {
    out += "NaN";
    return;
  }
  if (std::isinf(d)) {
    out += d < 0 ? "-Infinity" : "Infinity";
    return;
  }
  const bool integral = d == std::trunc(d);
  char buffer[400];
  if (style == Style::canonical && integral) {  // 1e6, 1000000.0 and 1000000 are one number
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, d == 0 ? 0.0 : d, std::chars_format::fixed, 0).ptr);
    return;
  }
  // Python's repr: the shortest digits, an exponent only outside [1e-4, 1e16).
  const double size = std::abs(d);
  const auto format = d == 0 || (size >= 1e-4 && size < 1e16) ? std::chars_format::fixed : std::chars_format::scientific;
  const std::string_view text(buffer, static_cast<std::size_t>(std::to_chars(buffer, buffer + sizeof buffer, d, format).ptr - buffer));
  out += text;
  if (format == std::chars_format::fixed && integral) out += ".0";
}

class Writer {
 public:
  explicit Writer(Style style) : style_(style) {}

  void value(const Value& v) {
    if (v.is_null()) out += "null";
    else if (const auto b = v.boolean()) out += *b ? "true" : "false";
    else if (const auto i = v.integer()) out += std::to_string(*i);
    else if (v.big()) out += v.big()->digits;
    else if (v.is_real()) write_real(*v.real(), style_, out);
    else if (v.string()) write_string(*v.string(), out);
    else if (v.array()) array(*v.array());
    else object(*v.object());
  }

  std::string out;

 private:
  void array(const Array& a) {
    out += '[';
    ++depth_;
    bool first = true;
    for (const Value& v : a) {
      separate(first);
      value(v);
    }
    close(']', a.empty());
  }

  void object(const Object& o) {
    std::vector<const Member*> members;
    for (const Member& m : o) members.push_back(&m);
    if (style_ == Style::canonical)
      std::stable_sort(members.begin(), members.end(), [](auto* a, auto* b) { return a->first < b->first; });
    out += '{';
    ++depth_;
    bool first = true;
    for (const Member* m : members) {
      separate(first);
      write_string(m->first, out);
      out += style_ == Style::pretty ? ": " : ":";
      value(m->second);
    }
    close('}', o.empty());
  }

  void separate(bool& first) {
    if (!first) out += ',';
    first = false;
    break_line();
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty) break_line();
    out += bracket;
  }

  void break_line() {
    if (style_ != Style::pretty) return;
    out += '\n';
    out.append(2 * depth_, ' ');
  }

  Style style_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string write(const Value& value, Style style) {
  Writer writer(style);
  writer.value(value);
  return std::move(writer.out);
}

}  // namespace modelwatch::json
