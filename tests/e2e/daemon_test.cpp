#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>

#include "tests/e2e/scene.h"

namespace modelwatch::e2e {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kName = "acme/small";

/// The service manager's end of sd_notify.
class Manager {
 public:
  explicit Manager(const std::string& folder) : path_(folder + "/notify") {
    fd_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Manager() { close(fd_); }
  const std::string& path() const { return path_; }

  /// Waits for a datagram that holds `state`; the others are skipped.
  bool told(const std::string& state) {
    for (pollfd one{fd_, POLLIN, 0}; poll(&one, 1, 20'000) > 0;) {
      char text[4096];
      const ssize_t count = recv(fd_, text, sizeof text, 0);
      if (count > 0 && std::string_view(text, static_cast<std::size_t>(count)).find(state) != std::string_view::npos) return true;
    }
    return false;
  }

 private:
  std::string path_;
  int fd_;
};

class Daemon : public testing::Test {
 protected:
  void track(const char* history = "none") {
    scene.hub()->create(kName, {.files = small_model()});
    ASSERT_EQ(scene.run({"repo", "add", kName, "--history", history}).code, 0);
  }
  Scene scene;
};

TEST_F(Daemon, WatchesAndSaysWhatItFinds) {
  track();
  const auto daemon = scene.daemon();
  EXPECT_THAT(daemon->wait_for({"info started", "repositories=1"}), HasSubstr("token=no"));
  EXPECT_THAT(daemon->wait_for({"info baseline", "repo=acme/small"}), HasSubstr("revisions=1"));
  const std::string sha = scene.hub()->push(kName, {.files = {{"config.json", config_with(2)}}});
  const std::string line = daemon->wait_for({"info changed", "part=config"});
  EXPECT_THAT(line, HasSubstr("sha=" + sha));
  EXPECT_THAT(line, HasSubstr("advisory=x_MODELWATCH-"));
  daemon->wait_for({"info updated"});
  daemon->signal(SIGTERM);
  EXPECT_EQ(daemon->wait(), 0);
  EXPECT_THAT(daemon->err(), HasSubstr("info stopped"));
  EXPECT_THAT(daemon->out(), IsEmpty());
}

TEST_F(Daemon, TakesUpWhatTheCommandLineAdds) {
  const auto daemon = scene.daemon();
  ASSERT_THAT(daemon->wait_for({"info started"}), Not(IsEmpty()));
  track();
  EXPECT_THAT(daemon->wait_for({"info baseline", "repo=acme/small"}), Not(IsEmpty()));
}

TEST_F(Daemon, ReloadsOnHangUp) {
  scene.hub()->create(kName, {.files = small_model()});
  const auto daemon = scene.daemon();
  ASSERT_THAT(daemon->wait_for({"info started", "repositories=0"}), Not(IsEmpty()));
  scene.configure("[[repo]]\nname = \"acme/small\"\nhistory = \"none\"\n");
  daemon->signal(SIGHUP);
  EXPECT_THAT(daemon->wait_for({"info reloaded", "repositories=1"}), Not(IsEmpty()));
  EXPECT_THAT(daemon->wait_for({"info baseline", "repo=acme/small"}), Not(IsEmpty()));
  scene.configure("[hub]\nendpont = \"https://x\"\n");
  daemon->signal(SIGHUP);
  const std::string refused = daemon->wait_for({"error reload"});
  EXPECT_THAT(refused, HasSubstr("modelwatch.toml:7: unknown key hub.endpont"));
  EXPECT_THAT(refused, HasSubstr("did you mean hub.endpoint?"));
  scene.hub()->push(kName, {.files = {{"config.json", config_with(2)}}});
  EXPECT_THAT(daemon->wait_for({"info changed", "part=config"}), Not(IsEmpty())) << "the old configuration stays";
}

TEST_F(Daemon, FeedsTheWatchdogAndTellsTheManager) {
  Manager manager(scene.folder());
  const auto daemon = scene.daemon({.environment = {{"NOTIFY_SOCKET", manager.path()}, {"WATCHDOG_USEC", "200000"}}});
  EXPECT_TRUE(manager.told("READY=1"));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(manager.told("WATCHDOG=1"));
  daemon->signal(SIGHUP);
  EXPECT_TRUE(manager.told("RELOADING=1"));
  EXPECT_TRUE(manager.told("READY=1"));
  daemon->signal(SIGTERM);
  EXPECT_TRUE(manager.told("STOPPING=1"));
  EXPECT_EQ(daemon->wait(), 0);
}

TEST_F(Daemon, DrainsTheRevisionAtHandAndGoesOnLater) {
  scene.hub()->create(kName, {.files = small_model()});
  for (int i = 0; i < 6; ++i) scene.hub()->push(kName, {.files = {{"notes.txt", std::to_string(i)}}});
  scene.hub()->faults.arm({.path = "*/tree/*", .times = -1, .delay = std::chrono::milliseconds{300}});
  ASSERT_EQ(scene.run({"repo", "add", kName, "--history", "full"}).code, 0);
  {
    const auto daemon = scene.daemon();
    ASSERT_TRUE(scene.log().wait_for({.path = "*/tree/*"}, 2, seconds{20}));
    daemon->signal(SIGTERM);
    EXPECT_EQ(daemon->wait(), 0);
    EXPECT_THAT(daemon->err(), HasSubstr("info stopping checks=1"));
  }
  const auto stored = scene.run({"revisions", kName, "--limit", "0", "--json"}).json().find("revisions")->array()->size();
  EXPECT_GE(stored, 2U) << "the one at hand was finished";
  EXPECT_LT(stored, 8U);
  scene.hub()->faults.clear();
  const auto daemon = scene.daemon();
  EXPECT_THAT(daemon->wait_for({"info updated", "revisions=" + std::to_string(8 - stored)}), Not(IsEmpty())) << daemon->err();
}

TEST_F(Daemon, ASecondSignalCutsARequestThatHangs) {
  track();
  scene.hub()->faults.arm({.path = "*", .times = -1, .hang = true});
  const auto daemon = scene.daemon();
  ASSERT_TRUE(scene.log().wait_for({.path = "*"}, 1, seconds{20}));
  daemon->signal(SIGTERM);
  ASSERT_THAT(daemon->wait_for({"info stopping"}), Not(IsEmpty()));
  daemon->signal(SIGTERM);
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(daemon->wait(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - before, seconds{2});
}

TEST_F(Daemon, NeverSaysItsToken) {
  scene.hub()->add_user({.name = "ann", .token = "hf_VerySecretToken"});
  scene.environment["HF_TOKEN"] = "hf_VerySecretToken";
  scene.configure("[log]\nlevel = \"debug\"\n");
  track();
  const auto daemon = scene.daemon();
  ASSERT_THAT(daemon->wait_for({"info started"}), HasSubstr("token=yes"));
  ASSERT_THAT(daemon->wait_for({"info baseline"}), Not(IsEmpty()));
  scene.hub()->faults.arm({.path = "*", .times = -1, .status = 500});
  ASSERT_THAT(daemon->wait_for({"warning failed"}, seconds{60}), Not(IsEmpty()));
  daemon->signal(SIGTERM);
  daemon->wait();
  EXPECT_THAT(daemon->err(), Not(HasSubstr("VerySecret")));
  EXPECT_GT(scene.log().count({.path = "/acme/small/*"}), 0U);
  for (const auto& entry : scene.log().entries({.listener = testhub::Listener::hub})) EXPECT_EQ(entry.user, "ann") << entry.path;
}

TEST_F(Daemon, ServesWhatItFound) {
  track();
  const auto daemon = scene.daemon();
  const std::string started = daemon->wait_for({"info started"});
  const std::string key = "http=127.0.0.1:";
  ASSERT_THAT(started, HasSubstr(key));
  const auto port = static_cast<std::uint16_t>(std::stoi(started.substr(started.find(key) + key.size())));
  EXPECT_THAT(http_get(port, "/healthz"), HasSubstr("200 OK"));
  ASSERT_THAT(daemon->wait_for({"info baseline"}), Not(IsEmpty()));
  scene.hub()->push(kName, {.files = {{"config.json", config_with(2)}}});
  const std::string line = daemon->wait_for({"info changed", "part=config"});
  const std::string id = line.substr(line.find("x_MODELWATCH-"), std::string("x_MODELWATCH-2026-000000000000").size());
  EXPECT_THAT(http_get(port, "/v1/vulns/" + id), testing::AllOf(HasSubstr("200 OK"), HasSubstr("\"id\":\"" + id + "\"")));
  EXPECT_THAT(http_get(port, "/api/v1/repos"), HasSubstr(kName));
}

TEST_F(Daemon, OnlyOneOnADatabase) {
  const auto first = scene.daemon();
  ASSERT_THAT(first->wait_for({"info started"}), Not(IsEmpty()));
  const auto second = scene.daemon();
  EXPECT_EQ(second->wait(), 5);
  EXPECT_THAT(second->err(), HasSubstr("another modelwatchd works on " + scene.database()));
}

TEST_F(Daemon, AWrongConfigurationIsNamed) {
  std::ofstream(scene.config()) << "[schedule]\nintervall = \"1s\"\n";
  const auto daemon = scene.daemon();
  EXPECT_EQ(daemon->wait(), 2);
  EXPECT_THAT(daemon->err(), HasSubstr("modelwatch.toml:2: unknown key schedule.intervall"));
  EXPECT_THAT(daemon->err(), HasSubstr("try: did you mean schedule.interval?"));
}

}  // namespace
}  // namespace modelwatch::e2e
