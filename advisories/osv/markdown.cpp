#include "advisories/osv/markdown.h"

#include <algorithm>
#include <cstddef>

namespace modelwatch::advisories {
namespace {

std::size_t run_length(std::string_view text, std::size_t at, char c) {
  const auto end = text.find_first_not_of(c, at);
  return (end == text.npos ? text.size() : end) - at;
}

bool begins_html(std::string_view after_bracket) {
  if (after_bracket.empty()) return false;
  const char c = after_bracket.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '!' || c == '?';
}

/// The end of a code span that opens at `at` with `length` backticks, or `at + length` where none closes it.
std::size_t after_code_span(std::string_view text, std::size_t at, std::size_t length) {
  for (std::size_t i = text.find('`', at + length); i != text.npos; i = text.find('`', i)) {
    const std::size_t run = run_length(text, i, '`');
    i += run;
    if (run == length) return i;
  }
  return at + length;
}

bool html_in_paragraph(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\\') {
      i += 2;
    } else if (text[i] == '`') {
      i = after_code_span(text, i, run_length(text, i, '`'));
    } else if (text[i] == '<' && begins_html(text.substr(i + 1))) {
      return true;
    } else {
      ++i;
    }
  }
  return false;
}

}  // namespace

bool has_raw_html(std::string_view markdown) {
  std::size_t fence = 0;  // length of the fence that is open
  std::size_t paragraph = 0, at = 0;
  while (at < markdown.size()) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
    const std::string_view line = markdown.substr(at, end - at);
    const std::size_t indent = std::min<std::size_t>(run_length(line, 0, ' '), 3);
    const std::size_t ticks = run_length(line, indent, '`');
    const bool closes = line.find_first_not_of("` ") == line.npos;
    const bool opens = line.find('`', indent + ticks) == line.npos;
    const std::size_t next = std::min(end + 1, markdown.size());
    if (fence == 0 && ticks >= 3 && opens) {
      if (html_in_paragraph(markdown.substr(paragraph, at - paragraph))) return true;
      fence = ticks;
    } else if (fence > 0 && ticks >= fence && closes) {
      fence = 0;
      paragraph = next;
    } else if (fence == 0 && line.empty()) {  // a code span does not reach across paragraphs
      if (html_in_paragraph(markdown.substr(paragraph, at - paragraph))) return true;
      paragraph = next;
    }
    at = next;
  }
  return fence == 0 && html_in_paragraph(markdown.substr(paragraph));
}

}  // namespace modelwatch::advisories
