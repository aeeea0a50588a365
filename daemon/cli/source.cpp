#include "daemon/cli/source.h"

#include <filesystem>
#include <map>
#include <memory>

#include "advisories/manifest/files.h"
#include "daemon/cli/open_store.h"
#include "daemon/cli/table.h"
#include "daemon/hub/client.h"
#include "daemon/hub/transport.h"

namespace modelwatch::cli {
namespace {

using advisories::Bytes;
using advisories::Fetch;
using advisories::ListedFile;
using advisories::NotRead;
using hub::Trouble;

struct Named {
  std::string repository, revision;  ///< revision empty: the head
};

Named split(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

/// Stored contents together with the Store they are read through.
class StoredContents : public advisories::Contents {
 public:
  StoredContents(std::shared_ptr<storage::Store> store, std::shared_ptr<const Contents> contents)
      : store_(std::move(store)), contents_(std::move(contents)) {}
  std::variant<Bytes, NotRead> read(const ListedFile& file) const override { return contents_->read(file); }

 private:
  std::shared_ptr<storage::Store> store_;  // before what reads through it
  std::shared_ptr<const Contents> contents_;
};

/// Fetches a file when a reader asks for it, once.
class HubContents : public advisories::Contents {
 public:
  HubContents(std::shared_ptr<hub::Client> client, std::string name, std::string sha)
      : client_(std::move(client)), name_(std::move(name)), sha_(std::move(sha)) {}

  std::variant<Bytes, NotRead> read(const ListedFile& file) const override {
    const auto known = read_.find(file.identity());
    if (known != read_.end()) return known->second;
    return read_.emplace(std::string(file.identity()), fetch(file)).first->second;
  }

 private:
  std::variant<Bytes, NotRead> fetch(const ListedFile& file) const {
    const auto limit = advisories::fetch_limit(file.path);
    hub::Outcome<Bytes> bytes;
    switch (advisories::fetch_of(file)) {
      case Fetch::nothing: return NotRead{"files of this kind are not read"};
      case Fetch::gguf_header: return NotRead{"headers of GGUF files are not read"};
      case Fetch::safetensors_header: bytes = client_->safetensors_header(name_, sha_, file, {}); break;
      case Fetch::whole:
        if (file.size > limit) return NotRead{"larger than " + std::to_string(limit / 1'000'000) + " MB"};
        bytes = client_->file(name_, sha_, file, limit, {});
        break;
    }
    if (!bytes) return NotRead{bytes.error().message};
    return *bytes;
  }

  std::shared_ptr<hub::Client> client_;
  std::string name_, sha_;
  mutable std::map<std::string, std::variant<Bytes, NotRead>, std::less<>> read_;
};

Error error_of(const Trouble& trouble, const std::string& what) {
  switch (trouble.kind) {
    case Trouble::Kind::missing:
      return {ErrorKind::not_found, what + ": not found, or private to others", "HF_TOKEN of an account that may read it"};
    case Trouble::Kind::no_revision:
    case Trouble::Kind::no_entry: return {ErrorKind::not_found, what + ": there is no such revision"};
    case Trouble::Kind::interrupted: return {ErrorKind::interrupted, what + ": interrupted"};
    case Trouble::Kind::gated: return {ErrorKind::upstream, what + ": gated", "HF_TOKEN of an account with access"};
    default: return {ErrorKind::upstream, what + ": " + trouble.message};
  }
}

/// None where the database has no such revision, or is not there.
std::optional<Source> stored_source(const Named& named, const Program& program, const Config& config) {
  auto opened = open_store(program, config, storage::Access::read_only);
  if (!opened) return {};
  auto store = std::make_shared<storage::Store>(std::move(*opened));
  const auto tracked = store->find(named.repository);
  if (!tracked) return {};
  const std::string wanted = named.revision.empty() ? tracked->head : named.revision;
  if (wanted.empty()) return {};
  const auto detail = store->revision(named.repository, wanted);
  if (!detail) return {};
  auto snapshot = store->snapshot(detail->tracked.repository, detail->row.sha);
  if (!snapshot) return {};
  return Source{tracked->name, detail->row.sha,
                {std::move(snapshot->listing), std::make_shared<StoredContents>(store, snapshot->contents)}};
}

Result<Source> fetched_source(const Named& named, const Config& config) {
  const std::string what = named.repository + (named.revision.empty() ? "" : "@" + named.revision);
  const hub::ClientOptions options = client_options(config);
  auto client = std::make_shared<hub::Client>(options, hub::curl_transport(options.connect_timeout, options.idle_timeout));
  const auto info = client->info(named.repository, named.revision.empty() ? "main" : named.revision, {});
  if (!info) return tl::unexpected(error_of(info.error(), what));
  auto listing = client->tree(info->name, info->sha, {});
  if (!listing) return tl::unexpected(error_of(listing.error(), what));
  return Source{info->name, info->sha, {std::move(*listing), std::make_shared<HubContents>(client, info->name, info->sha)}};
}

}  // namespace

bool names_repository(std::string_view text) {
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::path(text), error)) return false;
  const Named named = split(text);
  return is_repository_name(named.repository) && (text.find('@') == std::string_view::npos || !named.revision.empty());
}

Result<Source> repository_source(std::string_view text, const Program& program) {
  if (!names_repository(text)) return fail(ErrorKind::usage, printable(text) + " names no repository", "org/name or org/name@revision");
  const auto config = command_config();
  if (!config) return tl::unexpected(config.error());
  const Named named = split(text);
  if (auto stored = stored_source(named, program, *config)) return std::move(*stored);
  return fetched_source(named, *config);
}

}  // namespace modelwatch::cli
