#include <algorithm>

#include "daemon/hub/client_impl.h"
#include "daemon/hub/gguf_extent.h"
#include "daemon/hub/range_reader.h"

namespace modelwatch::hub {

namespace {
constexpr std::uint64_t kFirstRange = 1 << 20;  // bytes; grows fourfold: a tokenizer inside makes it several MB
constexpr std::uint64_t kLargestHeader = 64 << 20;
}  // namespace

Outcome<advisories::Bytes> Client::gguf_header(std::string_view name, std::string_view sha, const advisories::ListedFile& file,
                                               std::stop_token stop) {
  require_sha(sha);
  const auto malformed = [&](std::string_view why) {
    return tl::unexpected(trouble(Trouble::Kind::malformed, std::string(name) + ": " + file.path, why));
  };
  RangeReader reader(impl_->session, name, sha, file);
  std::string bytes;
  for (std::uint64_t end = std::min(kFirstRange, file.size);;) {
    auto more = reader.read(bytes.size(), end, stop);
    if (!more) return tl::unexpected(std::move(more.error()));
    bytes += *more;
    const auto extent = gguf_extent(bytes);
    if (const auto* none = std::get_if<NoHeader>(&extent)) return malformed(none->why);
    if (const auto* whole = std::get_if<HeaderEnd>(&extent)) {
      bytes.resize(whole->bytes);
      return std::make_shared<const std::string>(std::move(bytes));
    }
    const std::uint64_t needed = std::get<HeaderGoesOn>(extent).at_least;
    if (needed > kLargestHeader) return malformed("a header of more than 64 MB");
    end = std::max(needed, std::min({4 * end, kLargestHeader, file.size}));
  }
}

}  // namespace modelwatch::hub
