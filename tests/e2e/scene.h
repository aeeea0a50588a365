#pragma once
#include <memory>
#include <string>
#include <vector>

#include "estimator/json/value.h"
#include "tests/e2e/process.h"
#include "tests/hub/test_hub.h"

namespace modelwatch::e2e {

/// A test hub, a folder of its own with database and configuration, and the real programs on them.
class Scene {
 public:
  explicit Scene(const testhub::Addresses& addresses = {});
  ~Scene();

  testhub::TestHub::Locked hub() { return hub_->lock(); }
  testhub::RequestLog& log() { return hub_->log(); }
  void stop_hub() { hub_.reset(); }

  const std::string& folder() const { return folder_; }
  std::string database() const { return folder_ + "/modelwatch.db"; }
  std::string config() const { return folder_ + "/modelwatch.toml"; }
  /// Further lines of the configuration, in TOML, the first of them in [schedule]; the poll interval is one second, the
  /// HTTP port any free one.
  void configure(const std::string& toml);

  Variables environment;  ///< of the programs; HF_ENDPOINT points to the test hub

  /// Runs `modelwatch` to its end.
  struct Result {
    int code = -1;
    std::string out, err;
    json::Value json() const;                ///< of `out`: one document
    std::vector<json::Value> lines() const;  ///< of `out`: one document a line
  };
  Result run(std::vector<std::string> arguments);
  std::unique_ptr<Process> daemon(Process::Options options = {});

 private:
  std::unique_ptr<testhub::TestHub> hub_;
  std::string folder_;
};

/// One GET to 127.0.0.1, without keep-alive: status line, headers and body.
std::string http_get(std::uint16_t port, const std::string& path);

/// Text at an RFC 6901 pointer; "null" where nothing is there.
std::string at(const json::Value& document, const std::string& pointer);

/// A small repository of the family llama with every kind of file the pipeline reads.
testhub::Files small_model();
/// config.json of `small_model` with this many key-value heads.
std::string config_with(int kv_heads);

}  // namespace modelwatch::e2e
