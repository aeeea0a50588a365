#include <algorithm>
#include <unordered_set>

#include "daemon/hub/bodies.h"
#include "daemon/hub/client_impl.h"
#include "daemon/hub/paging.h"
#include "daemon/hub/url.h"

namespace modelwatch::hub {

namespace {

constexpr int kPage = 50;           // what the Hub gives unasked: enough for all that happens between two polls
constexpr int kLargestPage = 1'000; // for the history of a repository that is new to us

/// Takes over the commits of one page, newest first, until the known one or the limit.
class Reading {
 public:
  Reading(std::string_view known, std::size_t limit) : known_(known), limit_(limit) {}

  void add(std::vector<Commit> page) {
    for (Commit& commit : page) {
      if (done()) return;
      if (!seen_.insert(commit.sha).second) continue;  // a push in between shifts the pages of a branch
      ++listed_;
      if (commit.sha == known_) list.met_known = true;
      else if (list.commits.size() < limit_) list.commits.push_back(std::move(commit));
      else full_ = true;
    }
  }
  /// After the last page. A server without Link and total that fills its page may have more: then the end is not known.
  void end(std::optional<std::uint64_t> total, bool page_was_full) {
    if (!done()) list.complete = total ? listed_ >= *total : !page_was_full;
  }
  bool done() const { return list.met_known || full_; }

  CommitList list;

 private:
  std::string_view known_;
  std::size_t limit_;
  std::uint64_t listed_ = 0;
  bool full_ = false;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Outcome<CommitList> Client::commits(std::string_view name, std::string_view ref, std::string_view known, int limit, std::stop_token stop) {
  const int most = std::clamp(limit, 1, impl_->session.options().max_commits);
  const int page = std::min(most + 1, known.empty() ? kLargestPage : kPage);
  Ask ask{.what = std::string(name), .name = std::string(name),
          .target = api_target(name, "/commits/" + encode(ref) + "?limit=" + std::to_string(page)), .may_compress = true, .max_body = 32 << 20};
  Reading reading(known, static_cast<std::size_t>(most));
  for (std::size_t pages = 0; !reading.done(); ++pages) {
    if (pages > static_cast<std::size_t>(most)) return tl::unexpected(trouble(Trouble::Kind::malformed, ask.what, "pages of commits without end"));
    auto answer = impl_->session.get(ask, stop);
    if (!answer) return tl::unexpected(std::move(answer.error()));
    auto commits = read_commits(answer->response.body, ask.what);
    if (!commits) return tl::unexpected(std::move(commits.error()));
    const bool full = static_cast<int>(commits->size()) >= page;
    reading.add(std::move(*commits));
    const auto next = next_page(answer->response);
    if (!next) {
      reading.end(total_count(answer->response), full);
      break;
    }
    ask.target = target_of(*next);
  }
  return std::move(reading.list);
}

}  // namespace modelwatch::hub
