#include "daemon/loop.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <optional>
#include <vector>

#include "daemon/http/routes.h"
#include "daemon/http/server.h"
#include "daemon/hub/transport.h"
#include "daemon/log.h"
#include "daemon/loop_worker.h"
#include "daemon/notify.h"
#include "daemon/watch/schedule.h"
#include "storage/store.h"

namespace modelwatch {

namespace {

using boost::system::error_code;
using std::chrono::seconds;
using watch::CheckReport;
using watch::Time;

constexpr seconds kGrace{5};
constexpr seconds kBusyAgain{15};  // where the command line is checking the same repository

Time present() { return std::chrono::floor<seconds>(std::chrono::system_clock::now()); }

std::string count(std::size_t number) { return std::to_string(number); }

void tell_end(const JobDone& done) {
  using Outcome = CheckReport::Outcome;
  const CheckReport& report = done.report;
  const std::string outcome(name(report.outcome));
  switch (report.outcome) {
    case Outcome::unchanged: return log::debug(outcome, {{"repo", done.entry.name}});
    case Outcome::busy:
    case Outcome::interrupted: return log::debug(outcome, {{"repo", done.entry.name}, {"why", report.message}});
    case Outcome::baseline:
    case Outcome::updated:
      return log::info(outcome, {{"repo", report.tracked.name},
                                 {"ref", report.tracked.ref},
                                 {"head", report.tracked.head},
                                 {"revisions", std::to_string(report.revisions)},
                                 {"advisories", count(report.advisories.size())}});
    case Outcome::missing:
    case Outcome::gone:
    case Outcome::gated:
    case Outcome::disabled:
    case Outcome::rate_limited:
    case Outcome::failed:
      return log::warning(outcome, {{"repo", done.entry.name}, {"revisions", std::to_string(report.revisions)}, {"why", report.message}});
  }
}

}  // namespace

struct Loop::Impl {
  Impl(Config given, std::string file, std::function<Result<Config>()> reload_config)
      : config(std::make_shared<Config>(std::move(given))), database(std::move(file)), reload(std::move(reload_config)) {}

  std::shared_ptr<const Config> config;
  std::string database;
  std::function<Result<Config>()> reload;

  boost::asio::io_context io{1};
  boost::asio::signal_set signals{io, SIGTERM, SIGINT, SIGHUP};
  boost::asio::steady_timer due{io}, rescan{io}, watchdog{io}, grace{io};
  std::optional<storage::Store> store;
  std::unique_ptr<http::Server> server;
  watch::Schedule schedule;
  std::stop_source drain, stop;
  bool ended = false;
  std::vector<std::unique_ptr<Worker>> workers;  // after everything their jobs touch: joined before it goes
  std::vector<Worker*> idle;

  bool draining() const { return drain.stop_requested(); }

  Result<void> start() {
    auto opened = storage::Store::open(database, storage::Access::read_write, config->feed);
    if (!opened) return tl::unexpected(opened.error());
    store.emplace(std::move(*opened));
    if (auto ensured = ensure_repositories(); !ensured) return ensured;
    if (auto read = read_tracked(); !read) return read;
    hub::curl_transport(config->connect_timeout, config->idle_timeout);  // libcurl's start, before there are threads
    for (int i = 0; i < config->workers; ++i) {
      workers.push_back(std::make_unique<Worker>(database));
      idle.push_back(workers.back().get());
    }
    if (auto served = serve(); !served) return served;
    await_signal();
    await_rescan();
    feed_watchdog();
    log::info("started", {{"version", MODELWATCH_VERSION},
                          {"database", database},
                          {"config", config->file.empty() ? "-" : config->file},
                          {"hub", config->endpoint},
                          {"token", config->token.empty() ? "no" : "yes"},
                          {"http", server ? config->http_address + ":" + std::to_string(server->port()) : "-"},
                          {"repositories", count(schedule.size())}});
    notify("READY=1\nSTATUS=watching " + count(schedule.size()) + " repositories");
    hand_out();
    return {};
  }

  Result<void> serve() {
    if (!config->http) return {};
    auto listening = http::Server::listen(io, config->http_address, config->http_port, [this](const http::Request& request) {
      return http::route(request, {*store, config->identity, config->feed});
    });
    if (!listening) return tl::unexpected(listening.error());
    server = std::move(*listening);
    return {};
  }

  /// `[[repo]]`: added or taken up again, never removed.
  Result<void> ensure_repositories() {
    for (const Config::Repository& repository : config->repositories) {
      const auto tracked = store->track(repository.name, repository.ref, repository.history, present());
      if (!tracked) return tl::unexpected(tracked.error());
    }
    return {};
  }

  Result<void> read_tracked() {
    auto rows = store->polled();
    if (!rows) return tl::unexpected(rows.error());
    schedule.replace(*rows, present());
    return {};
  }

  /// Gives what is due to idle workers, and sleeps until the next is.
  void hand_out() {
    if (draining()) return;
    for (const watch::Schedule::Entry& entry : schedule.take(present(), idle.size())) {
      Worker* worker = idle.back();
      idle.pop_back();
      worker->post({entry, config, drain.get_token(), stop.get_token()}, [this, worker](JobDone done) {
        boost::asio::post(io, [this, worker, done = std::move(done)] { take_back(worker, done); });
      });
    }
    const auto next = schedule.next();
    if (idle.empty() || !next) return;
    due.expires_after(std::max(*next - present(), seconds{0}) + std::chrono::milliseconds{20});
    due.async_wait([this](error_code error) {
      if (!error) hand_out();
    });
  }

  void take_back(Worker* worker, const JobDone& done) {
    const CheckReport& report = done.report;
    const Time now = present();
    idle.push_back(worker);
    tell_end(done);
    if (done.resolvers) schedule.observe({done.resolvers->limit, done.resolvers->remaining, done.resolvers->resets});
    watch::Schedule::Ending ending{done.entry.tracked, report.tracked.next_check.value_or(now + config->pace.interval), false, {}};
    if (report.outcome == CheckReport::Outcome::busy) ending.next = now + kBusyAgain;
    if (report.outcome == CheckReport::Outcome::interrupted) ending.next = now;
    ending.refused = report.outcome == CheckReport::Outcome::failed && report.kind == ErrorKind::upstream;
    const bool polls_are_open = done.resolvers && done.resolvers->remaining > 0 && now < done.resolvers->resets;
    if (report.outcome == CheckReport::Outcome::rate_limited && !polls_are_open) ending.all_until = report.retry_at;
    schedule.finished(ending, now);
    if (!draining()) return hand_out();
    if (idle.size() == workers.size()) end();
  }

  /// What the command line added or removed meanwhile.
  void await_rescan() {
    rescan.expires_after(std::clamp(config->pace.interval / 10, seconds{1}, seconds{60}));
    rescan.async_wait([this](error_code error) {
      if (error) return;
      if (const auto read = read_tracked(); !read) log::error("database", {{"why", read.error().message}});
      hand_out();
      await_rescan();
    });
  }

  void feed_watchdog() {
    const auto period = watchdog_period();
    if (!period) return;
    notify("WATCHDOG=1");
    watchdog.expires_after(*period);
    watchdog.async_wait([this](error_code error) {
      if (!error) feed_watchdog();
    });
  }

  void await_signal() {
    signals.async_wait([this](error_code error, int signal) {
      if (error) return;
      if (signal == SIGHUP) read_again();
      else begin_draining();
      if (!ended) await_signal();
    });
  }

  void read_again() {
    notify("RELOADING=1");
    auto read = reload();
    if (!read) {
      log::error("reload", {{"why", read.error().message}, {"try", read.error().hint}});
    } else {
      config = std::make_shared<Config>(std::move(*read));
      log::open(config->log_level);
      auto applied = ensure_repositories().and_then([this] { return read_tracked(); });
      if (applied) log::info("reloaded", {{"config", config->file}, {"repositories", count(schedule.size())}});
      else log::error("reload", {{"why", applied.error().message}});
      hand_out();
    }
    notify("READY=1\nSTATUS=watching " + count(schedule.size()) + " repositories");
  }

  void begin_draining() {
    if (draining()) {
      stop.request_stop();
      return;
    }
    log::info("stopping", {{"checks", count(schedule.running())}});
    notify("STOPPING=1");
    drain.request_stop();
    due.cancel();
    rescan.cancel();
    if (idle.size() == workers.size()) return end();
    grace.expires_after(kGrace);
    grace.async_wait([this](error_code error) {
      if (!error) stop.request_stop();
    });
  }

  /// Nothing runs any more: with its last waits gone the loop returns.
  void end() {
    ended = true;
    if (server) server->stop();
    grace.cancel();
    watchdog.cancel();
    signals.cancel();
    log::info("stopped");
  }
};

Loop::Loop(Config config, std::string database, std::function<Result<Config>()> reload)
    : impl_(std::make_unique<Impl>(std::move(config), std::move(database), std::move(reload))) {}

Loop::~Loop() = default;

Result<void> Loop::run() {
  if (auto started = impl_->start(); !started) return started;
  impl_->io.run();
  return {};
}

}  // namespace modelwatch
