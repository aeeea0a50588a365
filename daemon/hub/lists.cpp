#include <algorithm>
#include <iterator>

#include "daemon/hub/bodies.h"
#include "daemon/hub/client_impl.h"
#include "daemon/hub/paging.h"
#include "daemon/hub/url.h"

namespace modelwatch::hub {

namespace {
constexpr int kLargestPage = 1'000;
constexpr int kMostPages = 1'000;
}  // namespace

Outcome<RepositoryList> Client::list(std::string_view author, std::string_view since, int limit, std::stop_token stop) {
  const auto most = static_cast<std::size_t>(std::max(limit, 1));
  std::string query = "?sort=lastModified&expand=sha&expand=lastModified&limit=" + std::to_string(std::clamp(limit, 1, kLargestPage));
  if (!author.empty()) query += "&author=" + encode(author);
  Ask ask{.what = author.empty() ? "the list of models" : "the models of " + std::string(author), .name = {}, .target = "/api/models" + query,
          .may_compress = true, .max_body = 16 << 20};
  RepositoryList list;
  for (int pages = 0; pages < kMostPages; ++pages) {
    auto answer = impl_->session.get(ask, stop);
    if (!answer) return tl::unexpected(std::move(answer.error()));
    auto page = read_list(answer->response.body, ask.what);
    if (!page) return tl::unexpected(std::move(page.error()));
    const auto old = std::find_if(page->begin(), page->end(), [&](const auto& r) { return !since.empty() && r.last_modified <= since; });
    const auto room = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(most - list.repositories.size()), old - page->begin());
    const bool cut = page->begin() + room != page->end();
    std::move(page->begin(), page->begin() + room, std::back_inserter(list.repositories));
    const auto next = next_page(answer->response);
    if (cut || !next || list.repositories.size() >= most) {
      list.complete = !cut && !next;
      break;
    }
    ask.target = target_of(*next);
  }
  return list;
}

}  // namespace modelwatch::hub
