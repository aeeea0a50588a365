#include <signal.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "estimator/json/writer.h"
#include "tests/hub/control.h"
#include "tests/hub/scenario/scenario.h"

namespace {

using namespace modelwatch;
using namespace modelwatch::testhub;

struct Options {
  std::string scenario;
  std::string public_base;
  Addresses addresses;
  std::string control_address = "127.0.0.1";
  std::uint16_t control_port = 0;
  double play = 0;
};

int read_options(Options& options, int argc, char** argv) {
  CLI::App app{"A server that behaves like the read side of the Hugging Face Hub.", "testhub"};
  app.add_option("--scenario", options.scenario, "TOML file: the repositories at the start, and the steps");
  app.add_option("--play", options.play, "play the steps by their own times, so many times faster")
      ->expected(0, 1)
      ->default_str("1");
  app.add_option("--public-base", options.public_base,
                 "origin written into Link headers (default: the hub's own)");
  app.add_option("--hub-address", options.addresses.hub)->capture_default_str();
  app.add_option("--hub-port", options.addresses.hub_port, "0: any free port")->capture_default_str();
  app.add_option("--cdn-address", options.addresses.cdn)->capture_default_str();
  app.add_option("--cdn-port", options.addresses.cdn_port)->capture_default_str();
  app.add_option("--control-address", options.control_address)->capture_default_str();
  app.add_option("--control-port", options.control_port)->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return -1;
}

/// Waits for SIGINT or SIGTERM, which every thread blocks; a client's /quit raises SIGTERM.
void wait_for_signal(const sigset_t& signals) {
  int caught = 0;
  sigwait(&signals, &caught);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (const int code = read_options(options, argc, argv); code >= 0) return code;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    TestHub hub(options.addresses);
    hub->behaviour.public_base = options.public_base;
    Control control(hub, options.control_address, options.control_port);
    control.on_quit = [] { ::kill(::getpid(), SIGTERM); };
    control.on_step = [](const json::Value& result) { std::cout << json::write(result) << std::endl; };
    if (!options.scenario.empty()) control.load(load_scenario(options.scenario));
    std::cout << json::write(
                     json::Object{{"hub", hub.url()}, {"cdn", hub.cdn_url()}, {"control", control.url()}})
              << std::endl;
    if (options.play > 0) control.play(options.play);
    wait_for_signal(signals);
  } catch (const std::exception& error) {
    std::cerr << "testhub: " << error.what() << "\n";
    return 2;
  }
  return 0;
}
