#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "tests/hub/scenario/scenario.h"
#include "tests/hub/test_hub.h"
#include "tests/hub/wire/message.h"

namespace modelwatch::testhub {

/// The control port: a third address where tests and the demo load scenarios, play steps, do operations and
/// read the log, in JSON (README.md, "Control port"). The hub outlives it.
class Control {
 public:
  /// Port 0 takes a free one.
  Control(TestHub& hub, const std::string& address, std::uint16_t port);
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  ~Control();  ///< stops the hub's server: a request may be on its way to this object

  const std::string& url() const { return url_; }
  void load(Scenario scenario);
  /// Plays the remaining steps, each `after` seconds (divided by `speed`) behind the one before.
  void play(double speed);
  /// Called on the server's thread when a client asks the program to end.
  std::function<void()> on_quit;
  /// Called after each step, with its result: the program prints them.
  std::function<void(const json::Value&)> on_step;

 private:
  Reply answer(const Request& request);
  Reply read_log(const std::string& target) const;
  json::Value status() const;
  json::Value steps() const;
  json::Value play_next();

  TestHub& hub_;
  std::string url_;
  Player player_;  ///< touched under the hub's lock
};

}  // namespace modelwatch::testhub
