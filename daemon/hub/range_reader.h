#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "daemon/hub/session.h"

namespace modelwatch::hub {

/// Ranges of one file at one revision. The file is resolved once, without a range (a range there would be written into
/// the signed address, which then serves no other); every range then goes to the address it led to. Where that turns
/// 403, expired or pinned, the file is resolved once more.
class RangeReader {
 public:
  RangeReader(Session& session, std::string_view name, std::string_view sha, const advisories::ListedFile& file);

  /// Bytes [begin, end), which must lie within the listed size: where a file's own header wants more, it is malformed and
  /// nothing is asked. A server that ignores the range is read up to `end`.
  Outcome<std::string> read(std::uint64_t begin, std::uint64_t end, std::stop_token stop);

 private:
  Outcome<void> resolve(const std::stop_token& stop);
  Outcome<Response> ask(const Ask& question, const std::stop_token& stop);
  Outcome<std::string> bytes_of(Response response, std::uint64_t begin, std::uint64_t end) const;

  Session& session_;
  const advisories::ListedFile& file_;
  Ask bare_;
  bool resolved_ = false;
  bool may_resolve_again_ = true;
  std::string elsewhere_;  ///< byte for byte; empty: the endpoint itself serves the file
};

/// Trouble where a redirect's X-Linked-Size or X-Linked-ETag speak of other content than the listing does.
std::optional<Trouble> contradiction(const Response& redirect, const advisories::ListedFile& file, std::string_view what);

}  // namespace modelwatch::hub
