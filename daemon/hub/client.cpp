#include "daemon/hub/client.h"

#include <stdexcept>

#include "daemon/hub/bodies.h"
#include "daemon/hub/client_impl.h"
#include "daemon/hub/url.h"

namespace modelwatch::hub {

namespace {

ClientOptions with_clock(ClientOptions options) {
  if (!options.clock) {
    options.clock = [] { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); };
  }
  return options;
}

}  // namespace

Client::Client(ClientOptions options, std::unique_ptr<Transport> transport)
    : impl_(std::make_unique<Impl>(with_clock(std::move(options)), std::move(transport))) {}
Client::Client(Client&&) noexcept = default;
Client::~Client() = default;

std::optional<Quota> Client::quota(std::string_view bucket) const { return impl_->session.quota(bucket); }
bool Client::token_refused() const { return impl_->session.token_refused(); }

Outcome<std::vector<Ref>> Client::refs(std::string_view name, std::stop_token stop) {
  Ask ask{.what = std::string(name), .name = std::string(name), .target = api_target(name, "/refs"), .may_compress = true,
          .max_body = 16 << 20};
  auto answer = impl_->session.get(ask, std::move(stop));
  if (!answer) return tl::unexpected(std::move(answer.error()));
  return read_refs(answer->response.body, ask.what);
}

std::string api_target(std::string_view name, std::string_view rest) {
  return ("/api/models/" + encode_path(name)).append(rest);
}

std::string resolve_target(std::string_view name, std::string_view revision, std::string_view path) {
  return "/" + encode_path(name) + "/resolve/" + encode(revision) + "/" + encode_path(path);
}

void require_sha(std::string_view sha) {
  if (!is_sha(sha)) throw std::invalid_argument("hub: files are read at a full sha, not at \"" + std::string(sha) + "\"");
}

}  // namespace modelwatch::hub
