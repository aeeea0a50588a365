// libcurl against real sockets: the test hub for what a hub does, a bare socket for what none should.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "tests/daemon/hub/support.h"

namespace modelwatch::hub {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testhub::TestHub;

/// Answers every request with `answer` as it stands; closes the connection after each unless `keep`. With a `drip` the answer
/// comes byte by byte, that far apart, for as long as somebody listens.
class RawServer {
 public:
  explicit RawServer(std::string answer, bool keep = false, std::chrono::milliseconds drip = {})
      : answer_(std::move(answer)), keep_(keep), drip_(drip), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 8) != 0) throw std::runtime_error("bind");
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::jthread([this] { serve(); });
  }
  ~RawServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }

  std::string last_request() {
    const std::lock_guard lock(mutex_);
    return last_request_;
  }
  int connections() const { return connections_; }

  std::string url;

 private:
  void serve() {
    for (int connection; (connection = accept(listener_, nullptr, nullptr)) >= 0; close(connection)) {
      ++connections_;
      std::string request(64 << 10, '\0');
      do {
        const ssize_t size = recv(connection, request.data(), request.size(), 0);
        if (size <= 0) break;
        const std::lock_guard lock(mutex_);
        last_request_ = request.substr(0, static_cast<std::size_t>(size));
        send_answer(connection);
      } while (keep_);
    }
  }

  void send_answer(int connection) const {
    const std::size_t piece = drip_.count() ? 1 : answer_.size();
    for (std::size_t at = 0; at < answer_.size(); at += piece) {
      if (send(connection, answer_.data() + at, piece, MSG_NOSIGNAL) < 0) return;
      std::this_thread::sleep_for(drip_);
    }
  }

  std::string answer_;
  bool keep_;
  std::chrono::milliseconds drip_;
  int listener_;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  std::string last_request_;
  std::jthread thread_;
};

Response get(const std::string& url, std::uint64_t max_body = 1 << 20, bool stop_at_max = false) {
  return curl_transport(2s, 300ms)->exchange({.url = url, .headers = {{"accept-encoding", "identity"}}, .max_body = max_body, .stop_at_max = stop_at_max}, kNoStop);
}

TEST(Transport, HeadersComeInLowerCaseAndTrimmed) {
  RawServer server("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nX-Repo-COMMIT:  abc \r\nLink: <a>\r\nLink: <b>\r\nContent-Length: 2\r\n\r\nhi");
  const Response response = get(server.url);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "hi");
  EXPECT_EQ(response.failure, "");
  ASSERT_TRUE(response.header("x-repo-commit"));
  EXPECT_EQ(*response.header("x-repo-commit"), "abc");
  ASSERT_TRUE(response.header("link"));
  EXPECT_EQ(*response.header("link"), "<a>") << "those of the interim answer are gone";
}

TEST(Transport, TheAddressIsUsedByteForByte) {
  RawServer server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  const std::string target = "/a/../b//c%2fd%2F?z=%7e~&a=%22x%22&=&&Policy=a*'()!,;:@[]&b=+";
  EXPECT_EQ(get(server.url + target).status, 200);
  EXPECT_THAT(server.last_request(), testing::StartsWith("GET " + target + " HTTP/1.1\r\n"));
}

TEST(Transport, ABodyIsCutAtItsCap) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n";
  RawServer server(chunked);
  const Response refused = get(server.url, 15);
  EXPECT_TRUE(refused.too_large);
  EXPECT_EQ(refused.status, 200);
  EXPECT_EQ(refused.failure, "longer than 15 bytes");
  const Response kept = get(server.url, 15, true);
  EXPECT_FALSE(kept.too_large);
  EXPECT_EQ(kept.failure, "");
  EXPECT_EQ(kept.body, "012345678901234");
  EXPECT_EQ(get(server.url, 20).body, "01234567890123456789");
}

TEST(Transport, ALyingContentLengthIsNoWholeBody) {
  RawServer longer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
  const Response cut = get(longer.url);
  EXPECT_EQ(cut.status, 0);
  EXPECT_NE(cut.failure, "");
  RawServer shorter("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nonly this");
  EXPECT_EQ(get(shorter.url).body, "only");
  RawServer absurd("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nx");
  EXPECT_EQ(get(absurd.url).body, "x") << "as good as none: the body ends where the connection does";
}

TEST(Transport, NoServerNoHttpNoEndOfHeaders) {
  const Response unreachable = get("http://127.0.0.1:1/");
  EXPECT_EQ(unreachable.status, 0);
  EXPECT_NE(unreachable.failure, "");
  RawServer gibberish("220 smtp ready\r\n");
  EXPECT_EQ(get(gibberish.url).status, 0);
  std::string endless = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 5'000; ++i) endless += "x-" + std::to_string(i) + ": " + std::string(90, 'y') + "\r\n";
  RawServer heavy(endless + "\r\n");
  EXPECT_EQ(get(heavy.url).status, 0);
  EXPECT_EQ(get("file:///etc/hostname").status, 0);
}

TEST(Transport, SilenceIsGivenUp) {
  TestHub hub;
  hub->create("acme/tiny");
  hub->faults.arm({.hang = true});
  const auto started = steady_clock::now();
  const Response response = get(hub.url() + "/api/models/acme/tiny");
  EXPECT_EQ(response.status, 0);
  EXPECT_EQ(response.failure, "no byte for 300 ms");
  EXPECT_LT(steady_clock::now() - started, 2s);
}

TEST(Transport, AServerThatDripsHoldsNoWorker) {
  RawServer server("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n" + std::string(60'000, 'x'), false, 5ms);
  const auto started = steady_clock::now();
  const Response response = curl_transport(100ms, 1s)->exchange({.url = server.url}, kNoStop);
  EXPECT_EQ(response.status, 0);
  EXPECT_EQ(response.failure, "slower than 8 KB/s");
  EXPECT_LT(steady_clock::now() - started, 10s) << "it never was silent for a second, and would go on for minutes";
}

TEST(Transport, AStopEndsATransferInFlightWithin50Milliseconds) {
  TestHub hub;
  hub->create("acme/tiny");
  hub->faults.arm({.times = -1, .hang = true});
  auto transport = curl_transport(10s, 10s);
  for (int i = 0; i < 5; ++i) {
    std::stop_source source;
    steady_clock::time_point stopped;
    const auto mark = hub.log().last();
    std::jthread stopper([&] {
      hub.log().wait_for({.after = mark}, 1, 5s);
      stopped = steady_clock::now();
      source.request_stop();
    });
    const Response response = transport->exchange({.url = hub.url() + "/api/models/acme/tiny"}, source.get_token());
    const auto ended = steady_clock::now();
    stopper.join();
    EXPECT_TRUE(response.interrupted);
    EXPECT_LT(ended - stopped, 50ms);
  }
  hub->faults.clear();
  EXPECT_EQ(transport->exchange({.url = hub.url() + "/api/models/acme/tiny"}, kNoStop).status, 200) << "usable afterwards";
  std::stop_source source;
  source.request_stop();
  EXPECT_TRUE(transport->exchange({.url = hub.url()}, source.get_token()).interrupted);
}

TEST(Transport, ConnectionsAreKept) {
  RawServer server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true);
  auto transport = curl_transport(2s, 2s);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(transport->exchange({.method = i % 2 ? "HEAD" : "GET", .url = server.url}, kNoStop).status, 200);
  }
  EXPECT_EQ(server.connections(), 1);
  transport.reset();  // before the server, which waits for the connection to close
}

TEST(Transport, WhatIsCompressedUnaskedIsDecompressed) {
  TestHub hub;
  hub->create("acme/tiny", {.files = {{"notes.txt", std::string(5'000, 'n')}}});
  hub->faults.arm({.times = -1, .gzip = true});
  Client client = client_for(hub);
  const auto info = client.info("acme/tiny", "main", kNoStop);
  ASSERT_EQ(message_of(info), "ok");
  const auto file = listed(client, "acme/tiny", info->sha, "notes.txt");
  const auto bytes = client.file("acme/tiny", info->sha, file, 1 << 20, kNoStop);
  ASSERT_EQ(message_of(bytes), "ok");
  EXPECT_EQ((*bytes)->size(), 5'000U);
}

}  // namespace
}  // namespace modelwatch::hub
