#include "daemon/hub/bodies.h"
#include "daemon/hub/client_impl.h"
#include "daemon/hub/url.h"

namespace modelwatch::hub {

namespace {

// What RepositoryInfo needs; the whole object would carry every file name, widget and card.
constexpr std::string_view kWanted =
    "?expand=sha&expand=private&expand=disabled&expand=gated&expand=downloads&expand=tags&expand=safetensors";

}  // namespace

Outcome<RepositoryInfo> Client::info(std::string_view name, std::string_view ref, std::stop_token stop) {
  const std::string target = api_target(name, ref.empty() ? "" : "/revision/" + encode(ref));
  Ask ask{.what = std::string(name), .name = std::string(name), .target = target + std::string(kWanted), .may_compress = true,
          .max_body = 16 << 20};
  auto answer = impl_->session.ask(ask, stop);
  if (answer && answer->response.status == 400) {  // a server that knows no `expand`
    ask.target = target;
    answer = impl_->session.ask(ask, stop);
  }
  answer = impl_->session.settle(std::move(answer), ask);
  if (!answer) return tl::unexpected(std::move(answer.error()));
  auto info = read_info(answer->response.body, ask.what);
  // Some servers answer 200 for a revision that they do not have.
  if (info && info->sha.empty()) return tl::unexpected(trouble(Trouble::Kind::no_revision, ask.what, "the answer has no sha"));
  return info;
}

}  // namespace modelwatch::hub
