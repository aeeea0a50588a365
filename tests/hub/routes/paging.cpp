#include "tests/hub/routes/paging.h"

#include <charconv>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "tests/hub/git/digest.h"
#include "tests/hub/routes/replies.h"

namespace modelwatch::testhub {

void add_next_link(Reply& reply, const Context& context, const Query& query) {
  std::string path;
  for (const std::string& segment : context.target.raw_segments) path += "/" + segment;
  reply.headers.set("link",
                    "<" + context.world.public_base() + path + "?" + query.to_string() + ">; rel=\"next\"");
}

tl::expected<std::size_t, Reply> page_limit(const Context& context, std::size_t standard, std::size_t most) {
  std::size_t limit = standard;
  if (const std::string* asked = context.target.query.find("limit")) {
    const auto [end, error] = std::from_chars(asked->data(), asked->data() + asked->size(), limit);
    if (error != std::errc() || end != asked->data() + asked->size() || limit == 0 || limit > most)
      return tl::unexpected(
          api_error(400, "Number must be between 1 and " + std::to_string(most) + " at 'limit'"));
  }
  return context.fault.page_size ? std::min(limit, *context.fault.page_size) : limit;
}

std::string tree_cursor(const std::string& last_path, const std::string& tree_oid, std::size_t limit) {
  const std::string inner = json::write(json::Object{{"file_name", last_path}, {"tree_oid", tree_oid}});
  return base64(base64(inner) + ":" + std::to_string(limit));
}

std::optional<std::string> tree_cursor_path(const std::string& cursor) {
  const std::string outer = base64_decode(cursor);
  if (base64(outer) != cursor) return {};
  const auto inner = json::read(base64_decode(outer.substr(0, outer.rfind(':'))));
  const json::Value* name = inner ? inner->value.find("file_name") : nullptr;
  if (!name || !name->string()) return {};
  return *name->string();
}

}  // namespace modelwatch::testhub
