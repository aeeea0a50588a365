#include "daemon/loop_worker.h"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>

#include "daemon/hub/transport.h"
#include "daemon/log.h"

namespace modelwatch {

namespace {

storage::Time present() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

void tell_change(const storage::ChangeRow& change) {
  const bool is_event = change.event != "change";
  log::info(is_event ? std::string_view(change.event) : "changed",
            {{"repo", change.repository},
             {"sha", change.sha.empty() ? "-" : change.sha},
             {"part", std::string(name(change.part))},
             {"impact", std::string(name(change.impact))},
             {"advisory", change.advisory.empty() ? "-" : change.advisory},
             {"summary", change.summary}});
}

}  // namespace

struct Worker::Impl {
  std::string database;
  std::shared_ptr<const Config> config;  ///< what client and store were made from
  std::optional<storage::Store> store;
  std::optional<hub::Client> hub;
  boost::asio::thread_pool thread{1};    // last: joined first

  Result<void> equip(const std::shared_ptr<const Config>& wanted) {
    if (store && hub && config == wanted) return {};
    hub.reset();
    store.reset();
    auto opened = storage::Store::open(database, storage::Access::read_write, wanted->feed);
    if (!opened) return tl::unexpected(opened.error());
    store.emplace(std::move(*opened));
    const hub::ClientOptions options = client_options(*wanted);
    hub.emplace(options, hub::curl_transport(options.connect_timeout, options.idle_timeout));
    config = wanted;
    return {};
  }

  Result<watch::CheckReport> check(const Job& job) {
    if (auto equipped = equip(job.config); !equipped) return tl::unexpected(equipped.error());
    auto tracked = store->find(job.entry.name, job.entry.ref);
    if (!tracked) return tl::unexpected(tracked.error());
    watch::CheckOptions options = check_options(*job.config);
    options.holder = "modelwatchd";
    options.drain = job.drain;
    watch::Progress progress;
    progress.change = tell_change;
    return watch::check_repo(*tracked, *hub, *store, options, present(), progress, job.stop);
  }

  /// One of the program's few places that catch: whatever a check trips over, the daemon goes on.
  JobDone run(const Job& job) {
    JobDone done{job.entry, {}, {}};
    Result<watch::CheckReport> report;
    try {
      report = check(job);
      if (hub) done.resolvers = hub->quota("resolvers");
    } catch (const std::exception& exception) {
      report = fail(ErrorKind::bad_input, std::string("internal error: ") + exception.what());
    }
    if (report) {
      done.report = std::move(*report);
      return done;
    }
    config.reset();  // begin afresh with the next job
    done.report.outcome = watch::CheckReport::Outcome::failed;
    done.report.kind = report.error().kind;
    done.report.message = report.error().message;
    return done;
  }
};

Worker::Worker(std::string database) : impl_(std::make_unique<Impl>()) { impl_->database = std::move(database); }

Worker::~Worker() { impl_->thread.join(); }

void Worker::post(Job job, std::function<void(JobDone)> done) {
  boost::asio::post(impl_->thread, [this, job = std::move(job), done = std::move(done)] { done(impl_->run(job)); });
}

}  // namespace modelwatch
