#include "advisories/manifest/digest.h"
#include "daemon/hub/client_impl.h"
#include "daemon/hub/range_reader.h"

namespace modelwatch::hub {

namespace {

using advisories::Bytes;
using advisories::ListedFile;
using Kind = Trouble::Kind;

/// The text that git keeps in place of an LFS file.
std::string pointer_text(std::string_view sha256, std::uint64_t size) {
  return "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(sha256) + "\nsize " + std::to_string(size) + "\n";
}

/// The bytes are the listed ones: by git's id of them, or by their sha256. Where the listing masks the sha256, git's id of
/// the pointer that they would have decides.
bool is_listed(std::string_view bytes, const ListedFile& file) {
  if (bytes.size() != file.size) return false;
  if (!file.lfs) return advisories::git_blob_oid(bytes) == file.oid;
  const std::string sha256 = advisories::sha256(bytes);
  if (!file.lfs->sha256.empty()) return sha256 == file.lfs->sha256;
  return advisories::git_blob_oid(pointer_text(sha256, bytes.size())) == file.oid;
}

/// The whole body, from the endpoint or from where it sends us. An address that answers 403 has expired: a new one is
/// asked for, once.
Outcome<std::string> download(Session& session, const Ask& ask, const ListedFile& file, const std::stop_token& stop) {
  for (int attempt = 1;; ++attempt) {
    auto answer = session.ask(ask, stop);
    if (!answer) return tl::unexpected(std::move(answer.error()));
    if (answer->elsewhere.empty()) {
      if (answer->response.status != 200 || answer->response.too_large) return tl::unexpected(session.classify_answer(*answer, ask));
      return std::move(answer->response.body);
    }
    if (auto wrong = contradiction(answer->response, file, ask.what)) return tl::unexpected(std::move(*wrong));
    auto response = session.fetch(ask, answer->elsewhere, stop);
    if (!response) return tl::unexpected(std::move(response.error()));
    if (response->status == 403 && attempt == 1) continue;
    if (response->status != 200 || response->too_large) return tl::unexpected(session.classify_fetched(*response, ask));
    return std::move(response->body);
  }
}

}  // namespace

Outcome<Bytes> Client::file(std::string_view name, std::string_view sha, const ListedFile& file, std::uint64_t limit, std::stop_token stop) {
  require_sha(sha);
  const Ask ask{.what = std::string(name) + ": " + file.path, .name = std::string(name), .target = resolve_target(name, sha, file.path),
                .max_body = file.size};
  if (file.size > limit)
    return tl::unexpected(trouble(Kind::malformed, ask.what, "larger than " + std::to_string(limit) + " bytes"));
  if (is_listed("", file)) return std::make_shared<const std::string>();  // nothing to ask for
  auto bytes = download(impl_->session, ask, file, stop);
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  if (!is_listed(*bytes, file)) return tl::unexpected(trouble(Kind::malformed, ask.what, "other bytes than the listing says"));
  return std::make_shared<const std::string>(std::move(*bytes));
}

}  // namespace modelwatch::hub
