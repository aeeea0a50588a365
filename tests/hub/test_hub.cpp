#include "tests/hub/test_hub.h"

#include "tests/hub/routes/routes.h"
#include "tests/hub/wire/server.h"
#include "tests/hub/wire/url.h"

namespace modelwatch::testhub {

TestHub::TestHub(const Addresses& addresses) : server_(std::make_unique<Server>()) {
  const std::lock_guard lock(mutex_);  // no request is answered before both origins are known
  hub_url_ = server_->listen(addresses.hub, addresses.hub_port,
                             [this](const Request& r) { return answer(Listener::hub, r); });
  cdn_url_ = server_->listen(addresses.cdn, addresses.cdn_port,
                             [this](const Request& r) { return answer(Listener::cdn, r); });
  world_.hub_url = hub_url_;
  world_.cdn_url = cdn_url_;
}

TestHub::~TestHub() {
  server_->stop();
}

Reply TestHub::answer(Listener listener, const Request& request) {
  const std::lock_guard lock(mutex_);
  LogEntry entry;
  entry.time = world_.clock.now();
  entry.listener = listener;
  entry.method = request.method;
  entry.target = request.target;
  entry.path = percent_decode(std::string_view(request.target).substr(0, request.target.find('?')));
  entry.headers = request.headers;
  if (const std::string* value = request.headers.find("authorization")) {
    entry.authorization = true;
    const User* user = value->starts_with("Bearer ") ? world_.user_of_token(value->substr(7)) : nullptr;
    if (user) entry.user = user->name;
    entry.headers.erase("authorization");
  }
  const Fault fault = world_.faults.take(listener, request.method, entry.path);
  if (fault.before) fault.before(world_);
  Reply reply =
      listener == Listener::hub ? answer_hub(world_, request, fault) : answer_cdn(world_, request, fault);
  entry.status = reply.hang ? 0 : reply.status;
  log_.add(std::move(entry));
  return reply;
}

}  // namespace modelwatch::testhub
