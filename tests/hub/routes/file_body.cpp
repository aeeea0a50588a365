#include "tests/hub/routes/file_body.h"

#include <algorithm>
#include <charconv>

#include "tests/hub/wire/url.h"

namespace modelwatch::testhub {
namespace {

struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool satisfiable = true;
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// RFC 9110 §14.1.2, one range of bytes.
std::optional<Range> parse_range(std::string_view header, std::uint64_t size) {
  if (!header.starts_with("bytes=")) return {};
  header.remove_prefix(6);
  const std::size_t dash = header.find('-');
  if (dash == std::string_view::npos) return {};
  const auto first = number(header.substr(0, dash));
  const auto last = number(header.substr(dash + 1));
  if (dash == 0) {
    if (!last) return {};
    if (*last == 0) return Range{.satisfiable = false};
    return Range{size - std::min(*last, size), size - 1};
  }
  if (!first || (!last && dash + 1 != header.size()) || (last && *last < *first)) return {};
  if (*first >= size) return Range{.satisfiable = false};
  return Range{*first, last ? std::min(*last, size - 1) : size - 1};
}

}  // namespace

void put_content(Reply& reply, const Content& content, const Request& request, bool ignore_range) {
  const std::uint64_t size = content.size();
  const std::string* header = request.headers.find("range");
  const auto range = header && !ignore_range && size > 0 ? parse_range(*header, size) : std::nullopt;
  if (!range) {
    reply.slice = Slice{content, 0, size};
    return;
  }
  if (!range->satisfiable) {
    reply.status = 416;
    reply.headers.set("content-range", "bytes */" + std::to_string(size));
    return;
  }
  reply.status = 206;
  reply.slice = Slice{content, range->first, range->last - range->first + 1};
  reply.headers.set("content-range", "bytes " + std::to_string(range->first) + "-" +
                                         std::to_string(range->last) + "/" + std::to_string(size));
}

std::string content_disposition(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return "inline; filename*=UTF-8''" + percent_encode(name) + "; filename=\"" + name + "\";";
}

}  // namespace modelwatch::testhub
