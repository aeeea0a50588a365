#pragma once
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>

#include "daemon/hub/client.h"
#include "daemon/hub/errors.h"
#include "daemon/hub/redirects.h"
#include "daemon/hub/transport.h"

namespace modelwatch::hub {

/// One question to the endpoint.
struct Ask {
  std::string what;                  ///< for messages: "org/name", or "org/name: path"
  std::string name;                  ///< the repository in the target, so that a rename is seen
  std::string target;                ///< path and query
  std::string method = "GET";
  std::string range = {};            ///< "bytes=0-99"; empty: whole
  bool may_compress = false;         ///< JSON; never files, whose ETag and ranges are of the plain bytes
  std::uint64_t max_body = 1 << 20;  ///< bytes
  bool stop_at_max = false;
  bool retry = true;
  bool until_commit = false;         ///< the first answer that names the commit will do, redirect or not
};

/// The end of a chain of redirects within the endpoint.
struct Answer {
  Response response;
  std::string commit;      ///< X-Repo-Commit of that answer, 40 hex; empty where it has none
  std::string renamed_to;  ///< where a hop led to another name
  std::string elsewhere;   ///< the last hop leads to this address on another host, which was not followed
  bool token_refused = false;
};

/// The conversation of one worker with one endpoint: redirects, retries, quotas, and the one place that adds the token.
class Session {
 public:
  Session(ClientOptions options, std::unique_ptr<Transport> transport);

  /// Follows the decision list up to an answer, whatever its status, or to another host. Trouble only where there is none:
  /// no connection, too many redirects, rate limited, stopped, offline.
  Outcome<Answer> ask(const Ask& ask, std::stop_token stop);
  /// The same, for a whole 2xx body from the endpoint itself; anything else is Trouble.
  Outcome<Answer> get(const Ask& ask, std::stop_token stop);
  Outcome<Answer> settle(Outcome<Answer> answer, const Ask& ask) const;  ///< the second half of `get`
  /// A GET somewhere else, with `url` byte for byte and without the token. Any status; redirects are followed.
  Outcome<Response> fetch(const Ask& ask, const std::string& url, std::stop_token stop);

  Trouble classify_answer(const Answer& answer, const Ask& ask) const;
  Trouble classify_fetched(const Response& response, const Ask& ask) const;

  const ClientOptions& options() const { return options_; }
  const Endpoint& endpoint() const { return endpoint_; }
  std::optional<Quota> quota(std::string_view bucket) const;
  bool token_refused() const { return token_refused_; }

 private:
  Outcome<Response> exchange(const Ask& ask, const std::string& url, bool with_token, std::stop_token stop);
  std::optional<Trouble> exhausted(const Ask& ask, const std::string& url);
  Trouble spread_out(Trouble trouble);
  bool pause(std::chrono::milliseconds length, const std::stop_token& stop);
  Asked asked(const Ask& ask, bool token_refused = false) const { return {ask.what, options_.token, token_refused}; }

  ClientOptions options_;
  Endpoint endpoint_;
  std::unique_ptr<Transport> transport_;
  std::map<std::string, Quota, std::less<>> quotas_;
  bool token_refused_ = false;
  std::minstd_rand random_{std::random_device{}()};
  std::mutex never_contended_;  ///< for the condition variable, which wakes a pause on a stop
  std::condition_variable_any stopped_;
};

/// True for 40 lower-case hex digits: a commit or a git object.
bool is_sha(std::string_view text);

}  // namespace modelwatch::hub
