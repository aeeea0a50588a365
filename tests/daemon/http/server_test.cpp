#include "daemon/http/server.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <ctime>
#include <thread>

namespace modelwatch::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using testing::HasSubstr;
using testing::Not;

/// A server on a port of its own that echoes, on a thread of its own.
class Listening : public testing::Test {
 protected:
  Listening() {
    auto listening = Server::listen(io_, "127.0.0.1", 0, [](const Request& request) {
      if (request.path == "/throw") throw std::runtime_error("bug");
      Reply reply;
      reply.body = request.method + " " + request.path + " " + std::to_string(request.body.size());
      return reply;
    });
    server_ = std::move(*listening);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~Listening() override {
    asio::post(io_, [this] { server_->stop(); });
    thread_.join();
  }

  tcp::socket connect() {
    tcp::socket socket(client_);
    socket.connect({asio::ip::make_address("127.0.0.1"), server_->port()});
    return socket;
  }
  /// Sends, says that nothing follows, and reads until the server closes.
  std::string talk(const std::string& text) {
    tcp::socket socket = connect();
    asio::write(socket, asio::buffer(text));
    boost::system::error_code ignored;
    socket.shutdown(tcp::socket::shutdown_send, ignored);
    std::string answer;
    asio::read(socket, asio::dynamic_buffer(answer), ignored);
    return answer;
  }

  asio::io_context io_, client_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

TEST_F(Listening, AnswersOneRequestAfterTheOther) {
  const std::string answer = talk("GET /a HTTP/1.1\r\nHost: h\r\n\r\nPOST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_THAT(answer, HasSubstr("GET /a 0"));
  EXPECT_THAT(answer, HasSubstr("POST /b 3"));
}

TEST_F(Listening, AHeadHasTheLengthAndNoBody) {
  const std::string answer = talk("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("Content-Length: 9"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST_F(Listening, RefusesWhatIsTooLargeOrNoRequest) {
  const std::pair<std::string, const char*> cases[] = {
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\n", "HTTP/1.1 413 "},
      {"GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n", "HTTP/1.1 431 "},
      {"nonsense\r\n\r\n", "HTTP/1.1 400 "},
      {"GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 400 "},
      {"GET /throw HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 500 "},
  };
  for (const auto& [request, expected] : cases) EXPECT_THAT(talk(request), HasSubstr(expected)) << request.substr(0, 40);
}

TEST_F(Listening, ABodyThatIsCutOffIsNoRequest) {
  EXPECT_THAT(talk("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc"), Not(HasSubstr("200 OK")));
}

TEST_F(Listening, AClientThatWaitsToBeToldIsTold) {
  EXPECT_THAT(talk("POST /c HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc"),
              testing::AllOf(HasSubstr("100 Continue"), HasSubstr("POST /c 3")));
}

TEST_F(Listening, TwoThousandIdleConnectionsLeaveRoomForMore) {
  std::vector<tcp::socket> idle;
  for (int i = 0; i < 2000; ++i) idle.push_back(connect());
  EXPECT_THAT(talk("GET /a HTTP/1.1\r\nHost: h\r\n\r\n"), HasSubstr("GET /a 0"));
  // Each of them is served when it wakes.
  asio::write(idle.back(), asio::buffer(std::string("GET /late HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")));
  std::string answer;
  boost::system::error_code ended;
  asio::read(idle.back(), asio::dynamic_buffer(answer), ended);
  EXPECT_THAT(answer, HasSubstr("GET /late 0"));
}

/// Out of descriptors it neither spins nor gives up: whoever waits is served when there is room again.
TEST_F(Listening, OutOfDescriptorsItWaits) {
  (void)talk("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  tcp::socket waiting(client_);
  waiting.open(tcp::v4());
  rlimit limits{};
  getrlimit(RLIMIT_NOFILE, &limits);
  const rlimit few{std::min<rlim_t>(limits.rlim_cur, 1000), limits.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  std::vector<int> taken;
  for (int fd = dup(0); fd >= 0; fd = dup(0)) taken.push_back(fd);
  boost::system::error_code error;
  waiting.connect({asio::ip::make_address("127.0.0.1"), server_->port()}, error);
  asio::write(waiting, asio::buffer(std::string("GET /late HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")), error);
  std::clock_t spent = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // what is awaited is that nothing happens
  spent = std::clock() - spent;
  for (const int fd : taken) close(fd);
  setrlimit(RLIMIT_NOFILE, &limits);
  std::string answer;
  asio::read(waiting, asio::dynamic_buffer(answer), error);
  EXPECT_THAT(answer, HasSubstr("GET /late 0"));
  EXPECT_LT(spent, CLOCKS_PER_SEC / 10);
}

TEST_F(Listening, StopsWithConnectionsOpen) {
  const tcp::socket idle = connect();
  tcp::socket half = connect();
  asio::write(half, asio::buffer(std::string("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc")));
}

TEST(Listen, SaysWhyItCannot) {
  asio::io_context io;
  const auto first = Server::listen(io, "127.0.0.1", 0, {});
  ASSERT_TRUE(first);
  EXPECT_THAT(Server::listen(io, "127.0.0.1", (*first)->port(), {}).error().message, HasSubstr("Address already in use"));
  EXPECT_THAT(Server::listen(io, "localhost", 0, {}).error().message, HasSubstr("localhost is no IP address"));
}

}  // namespace
}  // namespace modelwatch::http
