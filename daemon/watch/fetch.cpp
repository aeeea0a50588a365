#include "daemon/watch/fetch.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

#include "advisories/manifest/files.h"

namespace modelwatch::watch {

namespace {

using advisories::Bytes;
using advisories::Fetch;
using advisories::ListedFile;
using advisories::NotRead;
using Content = std::variant<Bytes, NotRead>;
using hub::Trouble;

/// New bytes in memory, all others in the database.
class FetchedContents : public advisories::Contents {
 public:
  FetchedContents(std::map<std::string, Content, std::less<>> fresh, std::shared_ptr<const advisories::Contents> stored)
      : fresh_(std::move(fresh)), stored_(std::move(stored)) {}

  Content read(const ListedFile& file) const override {
    const auto at = fresh_.find(file.identity());
    return at != fresh_.end() ? at->second : stored_->read(file);
  }

 private:
  std::map<std::string, Content, std::less<>> fresh_;
  std::shared_ptr<const advisories::Contents> stored_;
};

/// Readable at the root of a gated repository by everybody.
bool is_free(std::string_view path) {
  static constexpr std::array free = {"README.md", "LICENSE", "LICENSE.md", "LICENSE.txt"};
  return std::find(free.begin(), free.end(), path) != free.end();
}

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; }

class Fetching {
 public:
  Fetching(hub::Client& hub, std::string_view name, std::string_view sha, std::stop_token stop)
      : hub_(hub), name_(name), sha_(sha), stop_(std::move(stop)) {}

  /// The content of one wanted file that is not stored; ends the check where the Hub does not answer.
  Step<Content> fetch(const ListedFile& file, Fetch how) {
    if (file.size == 0 && !file.lfs) return Content(std::make_shared<const std::string>());
    const std::uint64_t limit = advisories::fetch_limit(file.path);
    if (how == Fetch::whole && file.size > limit) return Content(NotRead{"larger than " + megabytes(limit)});
    if (gated_ && !is_free(file.path)) return Content(NotRead{"gated"});
    if (read_ >= kMostBytes) return Content(NotRead{"more than " + megabytes(kMostBytes) + " to read in one revision"});
    auto bytes = ask(file, how, std::min(limit, kMostBytes - read_));
    // Wrong bytes may be a transfer that went wrong; twice the same is what the Hub has.
    if (!bytes && bytes.error().kind == Trouble::Kind::malformed) bytes = ask(file, how, std::min(limit, kMostBytes - read_));
    if (bytes) {
      read_ += (*bytes)->size();
      return Content(std::move(*bytes));
    }
    switch (bytes.error().kind) {
      case Trouble::Kind::gated: gated_ = true; return Content(NotRead{"gated"});
      case Trouble::Kind::no_entry: return Content(NotRead{"listed, but not there"});
      case Trouble::Kind::malformed: return Content(NotRead{bytes.error().message});
      default: return ended(bytes);
    }
  }

 private:
  hub::Outcome<Bytes> ask(const ListedFile& file, Fetch how, std::uint64_t limit) {
    if (how == Fetch::safetensors_header) return hub_.safetensors_header(name_, sha_, file, stop_);
    if (how == Fetch::gguf_header) return hub_.gguf_header(name_, sha_, file, stop_);
    return hub_.file(name_, sha_, file, limit, stop_);
  }

  hub::Client& hub_;
  std::string_view name_, sha_;
  std::stop_token stop_;
  bool gated_ = false;       ///< the Hub said so once: no need to ask for each file
  std::uint64_t read_ = 0;   ///< bytes of this revision
};

}  // namespace

Step<Fetched> fetch_revision(hub::Client& hub, storage::Store& store, std::string_view name, std::string_view sha,
                             const std::function<void(int done, int total)>& told, std::stop_token stop) {
  auto listing = hub.tree(name, sha, stop);
  if (!listing) return ended(listing);

  Fetching fetching(hub, name, sha, stop);
  std::map<std::string, Content, std::less<>> fresh;
  Fetched fetched;
  const int total = static_cast<int>(listing->size());
  for (const ListedFile& file : *listing) {
    storage::StoredFile stored{file, nullptr, {}};
    const Fetch how = advisories::fetch_of(file);
    auto known = fresh.find(file.identity());
    if (how != Fetch::nothing && known == fresh.end()) {
      const auto has = store.has_blob(file.identity());
      if (!has) return tl::unexpected<Ended>(has.error());
      if (!*has) {
        auto content = fetching.fetch(file, how);
        if (!content) return ended(content);
        known = fresh.emplace(file.identity(), std::move(*content)).first;
      }
    }
    if (how != Fetch::nothing && known != fresh.end()) {
      if (const Bytes* bytes = std::get_if<Bytes>(&known->second)) stored.bytes = *bytes;
      else stored.not_read = std::get<NotRead>(known->second).reason;
    }
    fetched.files.push_back(std::move(stored));
    told(static_cast<int>(fetched.files.size()), total);
  }
  fetched.snapshot = {std::move(*listing), std::make_shared<FetchedContents>(std::move(fresh), store.contents())};
  return fetched;
}

}  // namespace modelwatch::watch
