#include "daemon/hub/client_impl.h"

namespace modelwatch::hub {

namespace {

using Kind = Trouble::Kind;

// Not one of the files whose requests the Hub counts as downloads of the model.
constexpr std::string_view kPolled = ".gitattributes";
// Open at the root of every gated repository, there or not.
constexpr std::string_view kPolledBehindGate = "README.md";

constexpr std::size_t kMostGatedRemembered = 100'000;

Outcome<Head> ask_head(Session& session, std::string_view name, std::string_view ref, std::string_view path, const std::stop_token& stop) {
  // Not retried: the next poll is the retry.
  const Ask ask{.what = std::string(name), .name = std::string(name), .target = resolve_target(name, ref, path), .method = "HEAD",
                .retry = false, .until_commit = true};
  auto answer = session.ask(ask, stop);
  if (!answer) return tl::unexpected(std::move(answer.error()));
  Head head{answer->commit, answer->renamed_to};
  const int status = answer->response.status;
  if (!head.sha.empty() && status < 400) return head;
  Trouble trouble = session.classify_answer(*answer, ask);
  // A missing file at a revision that is there names the commit all the same.
  if (trouble.kind == Kind::no_entry || status < 400) return head;
  return tl::unexpected(std::move(trouble));
}

}  // namespace

Outcome<Head> Client::head(std::string_view name, std::string_view ref, std::stop_token stop) {
  if (!impl_->gated.contains(name)) {
    auto head = ask_head(impl_->session, name, ref, kPolled, stop);
    if (head || head.error().kind != Kind::gated) return head;
    if (impl_->gated.size() >= kMostGatedRemembered) impl_->gated.clear();
    impl_->gated.emplace(name);
  }
  return ask_head(impl_->session, name, ref, kPolledBehindGate, stop);
}

}  // namespace modelwatch::hub
