#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/hub/client.h"
#include "daemon/hub/transport.h"

namespace modelwatch::hub {

/// Answers by a function and keeps what was asked.
struct Wire {
  std::function<Response(const Request&)> answer;
  std::vector<Request> asked;

  std::size_t count(std::string_view url_part) const {
    std::size_t found = 0;
    for (const Request& request : asked) found += request.url.find(url_part) != std::string::npos;
    return found;
  }
};

class FakeTransport : public Transport {
 public:
  explicit FakeTransport(std::shared_ptr<Wire> wire) : wire_(std::move(wire)) {}
  Response exchange(const Request& request, std::stop_token) override {
    wire_->asked.push_back(request);
    return wire_->answer(request);
  }

 private:
  std::shared_ptr<Wire> wire_;
};

inline Response reply(int status, std::string body = {}, std::vector<std::pair<std::string, std::string>> headers = {}) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  response.headers = std::move(headers);
  return response;
}

inline Response no_answer(std::string failure) {
  Response response;
  response.failure = std::move(failure);
  return response;
}

/// Answers one after the other; the last one from then on.
inline std::function<Response(const Request&)> in_turn(std::vector<Response> responses) {
  return [responses = std::move(responses), next = std::size_t{0}](const Request&) mutable {
    return responses[std::min(next++, responses.size() - 1)];
  };
}

}  // namespace modelwatch::hub
