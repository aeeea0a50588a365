#include <algorithm>

#include "daemon/hub/client_impl.h"
#include "daemon/hub/range_reader.h"

namespace modelwatch::hub {

namespace {

constexpr std::uint64_t kFirstRange = 100'001;        // bytes; holds the whole header of 97 % of the files
constexpr std::uint64_t kLargestHeader = 25'000'000;  // bytes of JSON that the Hub's own clients accept

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (auto at = bytes.rbegin(); at != bytes.rend(); ++at) value = value << 8 | static_cast<unsigned char>(*at);
  return value;
}

}  // namespace

Outcome<advisories::Bytes> Client::safetensors_header(std::string_view name, std::string_view sha, const advisories::ListedFile& file,
                                                      std::stop_token stop) {
  require_sha(sha);
  const auto malformed = [&](std::string_view why) {
    return tl::unexpected(trouble(Trouble::Kind::malformed, std::string(name) + ": " + file.path, why));
  };
  if (file.size < 8) return malformed("too short for a safetensors file");
  RangeReader reader(impl_->session, name, sha, file);
  auto header = reader.read(0, std::min(kFirstRange, file.size), stop);
  if (!header) return tl::unexpected(std::move(header.error()));
  const std::uint64_t length = little_endian(std::string_view(*header).substr(0, 8));
  if (length > kLargestHeader) return malformed("announces a header of " + std::to_string(length) + " bytes");
  if (8 + length > header->size()) {
    auto rest = reader.read(header->size(), 8 + length, stop);
    if (!rest) return tl::unexpected(std::move(rest.error()));
    *header += *rest;
  }
  header->resize(8 + length);
  if (length > 0 && (*header)[8] != '{') return malformed("no JSON where the header should be");
  return std::make_shared<const std::string>(std::move(*header));
}

}  // namespace modelwatch::hub
