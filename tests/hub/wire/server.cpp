#include "tests/hub/wire/server.h"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdio>
#include <exception>
#include <thread>
#include <utility>

namespace modelwatch::testhub {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr std::uint64_t largest_body = 256ULL << 20;
constexpr std::uint32_t largest_header = 64U << 10;
constexpr std::uint64_t piece_size = 1 << 20;

Request to_request(const http::request<http::string_body>& message, const std::string& remote) {
  Request request;
  request.method = std::string(message.method_string());
  request.target = std::string(message.target());
  for (const auto& field : message)
    request.headers.add(std::string(field.name_string()), std::string(field.value()));
  request.body = message.body();
  request.remote = remote;
  return request;
}

Reply guarded(const Server::Handler& handler, const Request& request) {
  try {
    return handler(request);
  } catch (const std::exception& error) {
    Reply reply;
    reply.status = 500;
    reply.headers = {{"content-type", "text/plain; charset=utf-8"}};
    reply.text = error.what();
    return reply;
  }
}

std::string head_of(const Reply& reply, bool keep_alive) {
  std::string text = "HTTP/1.1 " + std::to_string(reply.status) + " ";
  text += std::string(http::obsolete_reason(static_cast<http::status>(reply.status))) + "\r\n";
  for (const auto& [name, value] : reply.headers) text += name + ": " + value + "\r\n";
  if (reply.chunked)
    text += "transfer-encoding: chunked\r\n";
  else if (reply.status != 304)
    text += "content-length: " + std::to_string(reply.length()) + "\r\n";
  if (!keep_alive) text += "connection: close\r\n";
  return text + "\r\n";
}

std::string_view piece_of(const Reply& reply, std::uint64_t at, std::uint64_t most) {
  if (reply.slice) return reply.slice->content.read(reply.slice->offset + at, most);
  return std::string_view(reply.text).substr(at, most);
}

std::string chunk_size(std::size_t size) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%zx\r\n", size);
  return text.data();
}

/// Sends the answer, or as much of it as it is meant to have. False where the connection is to be closed.
asio::awaitable<bool> send(tcp::socket& socket, const Reply& reply, bool head, bool keep_alive) {
  const std::string header = head_of(reply, keep_alive);
  const bool bodiless = head || reply.status == 304 || reply.status == 204;
  const std::uint64_t end = bodiless ? 0 : std::min(reply.length(), reply.cut_after.value_or(reply.length()));
  std::string before = header;
  std::uint64_t at = 0;
  do {
    const std::string_view piece = piece_of(reply, at, std::min(piece_size, end - at));
    const bool chunk = reply.chunked && !piece.empty();
    if (chunk) before += chunk_size(piece.size());
    const std::string_view after = chunk ? "\r\n" : "";
    const std::array<asio::const_buffer, 3> buffers = {asio::buffer(before), asio::buffer(piece),
                                                       asio::buffer(after)};
    const auto [error, sent] = co_await asio::async_write(socket, buffers, as_result);
    if (error) co_return false;
    at += piece.size();
    before.clear();
  } while (at < end);
  if (reply.cut_after) co_return false;
  if (reply.chunked && !bodiless) {
    const auto [error, sent] =
        co_await asio::async_write(socket, asio::buffer(std::string_view("0\r\n\r\n")), as_result);
    if (error) co_return false;
  }
  co_return keep_alive;
}

/// Reads until the client gives up: the answer never comes.
asio::awaitable<void> wait_for_goodbye(tcp::socket& socket) {
  std::array<char, 512> ignored{};
  for (;;) {
    const auto [error, got] = co_await socket.async_read_some(asio::buffer(ignored), as_result);
    if (error) co_return;
  }
}

asio::awaitable<void> converse(tcp::socket socket, std::shared_ptr<const Server::Handler> handler) {
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  const auto peer = socket.remote_endpoint(ignored);
  const std::string remote = peer.address().to_string();
  boost::beast::flat_buffer buffer;
  for (;;) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(largest_body);
    parser.header_limit(largest_header);
    const auto [error, got] = co_await http::async_read(socket, buffer, parser, as_result);
    if (error) break;
    const Reply reply = guarded(*handler, to_request(parser.get(), remote));
    if (reply.delay.count() > 0) {
      asio::steady_timer timer(socket.get_executor(), reply.delay);
      co_await timer.async_wait(as_result);
    }
    if (reply.hang) {
      co_await wait_for_goodbye(socket);
      break;
    }
    const bool head = parser.get().method() == http::verb::head;
    if (!co_await send(socket, reply, head, parser.get().keep_alive())) break;
  }
  socket.shutdown(tcp::socket::shutdown_both, ignored);
}

asio::awaitable<void> accept(tcp::acceptor acceptor, std::shared_ptr<const Server::Handler> handler) {
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(as_result);
    if (!error) {
      asio::co_spawn(acceptor.get_executor(), converse(std::move(socket), handler), asio::detached);
      continue;
    }
    if (error == asio::error::operation_aborted) co_return;
    asio::steady_timer pause(acceptor.get_executor(), std::chrono::milliseconds(20));  // no descriptors left
    co_await pause.async_wait(as_result);
  }
}

}  // namespace

struct Server::Impl {
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work = asio::make_work_guard(io);
  std::thread thread{[this] { io.run(); }};
};

Server::Server() : impl_(std::make_unique<Impl>()) {}
Server::~Server() {
  stop();
}

std::string Server::listen(const std::string& address, std::uint16_t port, Handler handler) {
  const tcp::endpoint wanted(asio::ip::make_address(address), port);
  tcp::acceptor acceptor(impl_->io);
  acceptor.open(wanted.protocol());
  acceptor.set_option(tcp::acceptor::reuse_address(true));
  acceptor.bind(wanted);
  acceptor.listen(asio::socket_base::max_listen_connections);
  const std::uint16_t bound = acceptor.local_endpoint().port();
  asio::co_spawn(impl_->io, accept(std::move(acceptor), std::make_shared<const Handler>(std::move(handler))),
                 asio::detached);
  return "http://" + address + ":" + std::to_string(bound);
}

void Server::after(std::chrono::milliseconds delay, std::function<void()> action) {
  auto timer = std::make_shared<asio::steady_timer>(impl_->io, delay);
  timer->async_wait([timer, action = std::move(action)](const boost::system::error_code& error) {
    if (!error) action();
  });
}

void Server::stop() {
  if (!impl_) return;
  impl_->io.stop();
  impl_->thread.join();
  impl_.reset();
}

}  // namespace modelwatch::testhub
