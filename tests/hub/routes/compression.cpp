#include "tests/hub/routes/compression.h"

#include <zlib.h>

#include <stdexcept>

namespace modelwatch::testhub {
namespace {

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_format = 15 + 16;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_format, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib not available");
  std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

bool is_text(const std::string& type) {
  return type.starts_with("text/") || type.starts_with("application/json");
}

}  // namespace

void compress(Reply& reply, const Request& request) {
  if (reply.status != 200 || request.headers.value("accept-encoding").find("gzip") == std::string::npos)
    return;
  if (!is_text(reply.headers.value("content-type"))) return;
  const std::string plain = reply.slice ? std::string(reply.slice->content.bytes()) : reply.text;
  reply.text = gzip(plain);
  reply.slice.reset();
  reply.chunked = true;
  reply.headers.set("content-encoding", "gzip");
  if (const std::string etag = reply.headers.value("etag"); !etag.empty() && !etag.starts_with("W/"))
    reply.headers.set("etag", "W/" + etag);
}

}  // namespace modelwatch::testhub
