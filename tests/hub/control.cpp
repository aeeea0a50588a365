#include "tests/hub/control.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "estimator/json/reader.h"
#include "tests/hub/routes/replies.h"
#include "tests/hub/scenario/arguments.h"
#include "tests/hub/scenario/names.h"
#include "tests/hub/scenario/operations.h"
#include "tests/hub/wire/server.h"
#include "tests/hub/wire/url.h"

namespace modelwatch::testhub {
namespace {

json::Value read_body(const std::string& body) {
  if (body.empty()) return json::Object{};
  auto read = json::read(body);
  if (!read) throw std::invalid_argument("body: " + read.error().to_string());
  return std::move(read->value);
}

std::uint64_t number(const Query& query, std::string_view name, std::uint64_t standard) {
  const std::string* text = query.find(name);
  if (text) std::from_chars(text->data(), text->data() + text->size(), standard);
  return standard;
}

json::Value to_json(const LogEntry& entry) {
  json::Object headers;
  for (auto [name, value] : entry.headers) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    headers.set(name, value);
  }
  return json::Object{{"number", entry.number},
                      {"time", iso_date(std::chrono::floor<std::chrono::seconds>(entry.time))},
                      {"listener", to_string(entry.listener)},
                      {"method", entry.method},
                      {"target", entry.target},
                      {"headers", std::move(headers)},
                      {"authorization", entry.authorization},
                      {"user", entry.user},
                      {"status", entry.status}};
}

}  // namespace

Control::Control(TestHub& hub, const std::string& address, std::uint16_t port) : hub_(hub) {
  const auto lock = hub_.lock();
  url_ = hub_.server().listen(address, port, [this](const Request& request) {
    try {
      return answer(request);
    } catch (const std::exception& error) {
      return api_error(400, error.what());
    }
  });
}

Control::~Control() {
  hub_.server().stop();
}

void Control::load(Scenario scenario) {
  const auto world = hub_.lock();
  player_ = Player(*world, std::move(scenario));
}

json::Value Control::play_next() {
  const auto world = hub_.lock();
  json::Value result = player_.next(*world);
  if (on_step && !result.is_null()) on_step(result);
  return result;
}

void Control::play(double speed) {
  double after = 0;
  {
    const auto world = hub_.lock();
    if (player_.finished()) return;
    after = player_.scenario().steps[player_.played()].after / speed;
  }
  hub_.server().after(std::chrono::milliseconds(static_cast<std::int64_t>(after * 1000)), [this, speed] {
    play_next();
    play(speed);
  });
}

json::Value Control::status() const {
  const auto world = hub_.lock();
  return json::Object{{"hub", hub_.url()},
                      {"cdn", hub_.cdn_url()},
                      {"control", url_},
                      {"now", iso_date(world->clock.seconds())},
                      {"repositories", world->size()},
                      {"scenario", player_.scenario().title},
                      {"steps", player_.scenario().steps.size()},
                      {"played", player_.played()},
                      {"faults", world->faults.pending()},
                      {"requests", hub_.log().last()}};
}

json::Value Control::steps() const {
  const auto world = hub_.lock();
  json::Array list;
  for (const Step& step : player_.scenario().steps)
    list.push_back(
        json::Object{{"name", step.name}, {"after", step.after}, {"played", list.size() < player_.played()}});
  return list;
}

Reply Control::read_log(const std::string& target) const {
  const Query query = Target(target).query;
  LogFilter filter;
  if (const std::string* method = query.find("method")) filter.method = *method;
  if (const std::string* path = query.find("path")) filter.path = *path;
  if (const std::string* listener = query.find("listener")) filter.listener = read_listener(*listener);
  if (query.find("status")) filter.status = static_cast<int>(number(query, "status", 0));
  filter.after = number(query, "after", 0);
  json::Array list;
  for (const LogEntry& entry : hub_.log().entries(filter)) list.push_back(to_json(entry));
  return json_reply(list);
}

Reply Control::answer(const Request& request) {
  const std::string path = Target(request.target).path;
  const std::string asked = request.method + " " + path;
  if (asked == "GET /") return json_reply(status());
  if (asked == "GET /steps") return json_reply(steps());
  if (asked == "GET /log") return read_log(request.target);
  if (asked == "DELETE /log") {
    hub_.log().clear();
    return json_reply(status());
  }
  if (asked == "POST /scenario") {
    const bool is_json = request.headers.value("content-type").starts_with("application/json");
    load(is_json ? load_scenario(Arguments("body", read_body(request.body)).text("path"))
                 : read_scenario(request.body, "."));
    return json_reply(status());
  }
  if (asked == "POST /steps/next") return json_reply(play_next());
  if (asked == "POST /steps/play") {
    play(Arguments("body", read_body(request.body)).real("speed").value_or(1));
    return json_reply(steps());
  }
  if (asked == "POST /operations") {
    const json::Value body = read_body(request.body);
    const auto world = hub_.lock();
    const auto& folder = player_.scenario().folder;
    if (!body.array()) return json_reply(do_operation(*world, body, folder));
    json::Array results;
    for (const json::Value& operation : *body.array())
      results.push_back(do_operation(*world, operation, folder));
    return json_reply(results);
  }
  if (asked == "POST /quit") {
    if (on_quit) on_quit();
    return json_reply(status());
  }
  return api_error(404, "no such route: " + asked);
}

}  // namespace modelwatch::testhub
