#include <algorithm>
#include <iterator>

#include "daemon/hub/bodies.h"
#include "daemon/hub/client_impl.h"
#include "daemon/hub/paging.h"
#include "daemon/hub/url.h"

namespace modelwatch::hub {

namespace {

constexpr std::size_t kMostFiles = 500'000;
constexpr int kMostPages = 2'000;

using Files = std::vector<advisories::ListedFile>;

/// Sorted; a file that two pages list alike is one file. False where they differ: no listing of one revision.
bool merge(Files& files) {
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  for (std::size_t i = 1; i < files.size(); ++i) {
    if (files[i].path == files[i - 1].path && files[i].oid != files[i - 1].oid) return false;
  }
  files.erase(std::unique(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path == b.path; }), files.end());
  return true;
}

}  // namespace

Outcome<advisories::Listing> Client::tree(std::string_view name, std::string_view sha, std::stop_token stop) {
  require_sha(sha);
  Ask ask{.what = std::string(name), .name = std::string(name),
          .target = api_target(name, "/tree/" + std::string(sha) + "?recursive=true&expand=false"), .may_compress = true, .max_body = 32 << 20};
  const auto malformed = [&](std::string_view why) { return tl::unexpected(trouble(Trouble::Kind::malformed, ask.what, why)); };
  Files files;
  for (int pages = 0; !ask.target.empty(); ++pages) {
    if (pages == kMostPages || files.size() > kMostFiles) return malformed("more than 500,000 files");
    auto answer = impl_->session.get(ask, stop);
    if (!answer) return tl::unexpected(std::move(answer.error()));
    auto page = read_tree(answer->response.body, ask.what);
    if (!page) return tl::unexpected(std::move(page.error()));
    files.insert(files.end(), std::make_move_iterator(page->begin()), std::make_move_iterator(page->end()));
    const auto next = next_page(answer->response);
    const std::string_view target = next ? target_of(*next) : std::string_view();
    if (target == ask.target) return malformed("a page that leads to itself");
    ask.target = target;
  }
  if (!merge(files)) return malformed("one file is listed twice, differently");
  return advisories::Listing(std::move(files));
}

}  // namespace modelwatch::hub
