#include "daemon/hub/session.h"

#include <algorithm>

#include "daemon/hub/retry.h"
#include "daemon/hub/url.h"

namespace modelwatch::hub {

namespace {

using Kind = Trouble::Kind;

constexpr int kMostHops = 5;
constexpr int kMostTries = 3;
constexpr int kMostRateJitter = 4;                // seconds
constexpr std::uint64_t kLeastBody = 256 << 10;   // bytes; redirects and errors have bodies of their own

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string commit_of(const Response& response) {
  const std::string* commit = response.header("x-repo-commit");
  return commit && is_sha(*commit) ? *commit : std::string();
}

tl::unexpected<Trouble> failed(Trouble trouble) { return tl::unexpected<Trouble>(std::move(trouble)); }

}  // namespace

bool is_sha(std::string_view text) { return text.size() == 40 && is_hex(text); }

Session::Session(ClientOptions options, std::unique_ptr<Transport> transport)
    : options_(std::move(options)), endpoint_(options_.endpoint), transport_(std::move(transport)) {
  // A line break would end the header and start one of the token's own.
  std::erase_if(options_.token, [](unsigned char c) { return c <= ' ' || c == 0x7f; });
}

Outcome<Answer> Session::ask(const Ask& ask, std::stop_token stop) {
  Answer answer;
  std::string target = ask.target, name = ask.name;
  bool with_token = !options_.token.empty();
  for (int hop = 0; hop <= kMostHops; ++hop) {
    const std::string url = endpoint_.at(target);
    auto response = exchange(ask, url, with_token, stop);
    if (response && response->status == 401 && with_token && !is_gated(*response)) {
      // For a stranger a 401 means missing or private; with a token it may as well be the token that is stale.
      token_refused_ = answer.token_refused = true;
      with_token = false;
      response = exchange(ask, url, false, stop);
    }
    if (!response) return failed(std::move(response.error()));
    if (with_token && response->status < 400) token_refused_ = false;
    answer.response = std::move(*response);
    answer.commit = commit_of(answer.response);
    NextHop next = next_hop(endpoint_, url, answer.response);
    if (const auto* broken = std::get_if<Broken>(&next)) return failed(trouble(Kind::refused, ask.what, broken->why));
    if (auto* elsewhere = std::get_if<OtherHost>(&next)) answer.elsewhere = std::move(elsewhere->url);
    auto* within = std::get_if<WithinHub>(&next);
    if (within) {
      if (std::string moved = moved_name(target, name, within->target); !moved.empty()) answer.renamed_to = name = std::move(moved);
    }
    if (!within || (ask.until_commit && !answer.commit.empty())) return answer;
    target = std::move(within->target);
  }
  return failed(trouble(Kind::refused, ask.what, "more than 5 redirects"));
}

Outcome<Answer> Session::get(const Ask& question, std::stop_token stop) { return settle(ask(question, std::move(stop)), question); }

Outcome<Answer> Session::settle(Outcome<Answer> answer, const Ask& question) const {
  if (!answer) return answer;
  if (!answer->elsewhere.empty()) {
    const std::string origin = origin_of(answer->elsewhere);
    return failed(trouble(Kind::refused, question.what, "the endpoint sends its clients to " + one_line(origin, options_.token)));
  }
  if (answer->response.status != 200 || answer->response.too_large) return failed(classify_answer(*answer, question));
  return answer;
}

Outcome<Response> Session::fetch(const Ask& ask, const std::string& first, std::stop_token stop) {
  std::string url = first;
  for (int hop = 0; hop <= kMostHops; ++hop) {
    auto response = exchange(ask, url, false, stop);
    if (!response) return response;
    const std::string* location = response->status >= 300 && response->status < 400 ? response->header("location") : nullptr;
    if (!location) return response;
    url = resolve(url, *location);
    if (url.empty()) return failed(trouble(Kind::refused, ask.what, "a redirect to something that is no address"));
  }
  return failed(trouble(Kind::refused, ask.what, "more than 5 redirects"));
}

/// One hop, with its retries.
Outcome<Response> Session::exchange(const Ask& ask, const std::string& url, bool with_token, std::stop_token stop) {
  if (options_.offline) return failed(trouble(Kind::offline, ask.what, "not asked: HF_HUB_OFFLINE is set"));
  if (endpoint_.origin.empty()) return failed(trouble(Kind::refused, ask.what, "the endpoint is no http(s) address"));
  Request request{.method = ask.method, .url = url, .headers = {}, .max_body = ask.max_body, .stop_at_max = ask.stop_at_max};
  if (!ask.stop_at_max) request.max_body = std::max(ask.max_body, kLeastBody);
  request.headers = {{"user-agent", options_.user_agent}, {"accept-encoding", ask.may_compress ? "gzip" : "identity"}};
  if (!ask.range.empty()) request.headers.emplace_back("range", ask.range);
  if (with_token && endpoint_.owns(url)) request.headers.emplace_back("authorization", "Bearer " + options_.token);

  const int tries = ask.retry ? kMostTries : 1;
  for (int attempt = 1;; ++attempt) {
    if (auto wait = exhausted(ask, url)) return failed(std::move(*wait));
    Response response = transport_->exchange(request, stop);
    if (response.interrupted) return failed(trouble(Kind::interrupted, ask.what, "interrupted"));
    const Time now = options_.clock();
    const bool own = endpoint_.owns(url);
    if (own) {
      for (auto& [bucket, quota] : read_quotas(response, now)) quotas_.insert_or_assign(bucket, quota);
    }
    if (!is_transient(response)) {
      if (!ask.stop_at_max && response.body.size() > ask.max_body && response.status / 100 == 2) response.too_large = true;
      if (response.too_large) response.failure = "longer than " + std::to_string(ask.max_body) + " bytes";
      return response;
    }
    const double spread = std::uniform_real_distribution<double>(0, 1)(random_);
    const auto length = pause_before_retry(response, attempt, options_.retry_pause, spread, now);
    if (attempt == tries || !length)
      return failed(spread_out(own ? classify(response, asked(ask), now) : classify_elsewhere(response, asked(ask), now)));
    if (!pause(*length, stop)) return failed(trouble(Kind::interrupted, ask.what, "interrupted"));
  }
}

/// Asking in an exhausted window would only earn a 429, and for the others behind the same address as well.
std::optional<Trouble> Session::exhausted(const Ask& ask, const std::string& url) {
  if (!endpoint_.owns(url)) return {};
  const auto quota = quotas_.find(bucket_of(target_of(url)));
  if (quota == quotas_.end() || quota->second.remaining > 0 || options_.clock() >= quota->second.resets) return {};
  Trouble wait = trouble(Kind::rate_limited, ask.what, "the quota of \"" + one_line(quota->first, {}) + "\" requests is used up");
  wait.retry_at = quota->second.resets + std::chrono::seconds(1);
  return spread_out(std::move(wait));
}

/// Not all who wait for the same window come back in the same second.
Trouble Session::spread_out(Trouble trouble) {
  if (trouble.retry_at) *trouble.retry_at += std::chrono::seconds(std::uniform_int_distribution<int>(0, kMostRateJitter)(random_));
  return trouble;
}

bool Session::pause(std::chrono::milliseconds length, const std::stop_token& stop) {
  std::unique_lock lock(never_contended_);
  stopped_.wait_for(lock, stop, length, [] { return false; });
  return !stop.stop_requested();
}

Trouble Session::classify_answer(const Answer& answer, const Ask& ask) const {
  return classify(answer.response, asked(ask, answer.token_refused), options_.clock());
}

Trouble Session::classify_fetched(const Response& response, const Ask& ask) const {
  return classify_elsewhere(response, asked(ask), options_.clock());
}

std::optional<Quota> Session::quota(std::string_view bucket) const {
  const auto at = quotas_.find(bucket);
  return at == quotas_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace modelwatch::hub
