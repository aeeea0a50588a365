#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "tests/hub/log.h"
#include "tests/hub/world.h"

namespace modelwatch::testhub {

/// Addresses of the two hosts. They differ, so that crossing from one to the other is a change of host for a
/// client.
struct Addresses {
  std::string hub = "127.0.0.1", cdn = "127.0.0.2";
  std::uint16_t hub_port = 0, cdn_port = 0;  ///< 0: any free port
};

/// The test hub in this process: real sockets on a thread of its own, from construction to destruction.
///
///   testhub::TestHub hub;
///   hub->create("acme/tiny", {.files = {{"config.json", R"({"model_type": "llama"})"}}});
///   const std::string sha = hub->push("acme/tiny", {.files = {{"README.md", "# tiny\n"}}, .title = "Add a
///   card"}); … client with endpoint hub.url() … EXPECT_EQ(hub.log().count({.method = "HEAD"}), 1U);
///
/// `hub->…` is the World (world.h), locked against the server's thread until the end of the full expression.
class TestHub {
 public:
  explicit TestHub(const Addresses& addresses = {});
  TestHub(const TestHub&) = delete;
  TestHub& operator=(const TestHub&) = delete;
  ~TestHub();

  const std::string& url() const { return hub_url_; }  ///< for HF_ENDPOINT; no trailing '/'
  const std::string& cdn_url() const { return cdn_url_; }

  class Locked {
   public:
    Locked(World& world, std::recursive_mutex& mutex) : lock_(mutex), world_(world) {}
    World* operator->() const { return &world_; }
    World& operator*() const { return world_; }

   private:
    std::unique_lock<std::recursive_mutex> lock_;
    World& world_;
  };
  Locked operator->() { return {world_, mutex_}; }
  Locked lock() { return {world_, mutex_}; }

  RequestLog& log() { return log_; }
  class Server& server() {
    return *server_;
  }

 private:
  struct Reply answer(Listener listener, const struct Request& request);

  std::recursive_mutex mutex_;
  World world_;
  RequestLog log_;
  std::string hub_url_, cdn_url_;
  std::unique_ptr<class Server> server_;
};

}  // namespace modelwatch::testhub
