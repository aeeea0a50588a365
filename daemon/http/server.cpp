#include "daemon/http/server.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cctype>
#include <chrono>
#include <list>

namespace modelwatch::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace wire = beast::http;
using asio::ip::tcp;

constexpr std::chrono::seconds kIdle{60}, kTransfer{30};
constexpr std::chrono::milliseconds kPause{200};
constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

using WireRequest = wire::request<wire::string_body>;
using WireReply = wire::response<wire::string_body>;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::optional<Request> to_request(const WireRequest& wire) {
  auto request = parse_target({wire.target().data(), wire.target().size()});
  if (!request) return std::nullopt;
  request->method = std::string(wire.method_string());
  for (const auto& field : wire) request->headers.emplace_back(lower(std::string_view(field.name_string())), std::string(field.value()));
  request->body = wire.body();
  return request;
}

/// A HEAD is answered as the GET, with its length and without its body.
WireReply to_wire(Reply reply, unsigned version, bool keep_alive, bool head) {
  WireReply wire{static_cast<wire::status>(reply.status), version};
  wire.set(wire::field::server, "modelwatch");
  wire.set(wire::field::content_type, reply.content_type);
  for (const auto& [name, value] : reply.headers) wire.set(name, value);
  wire.keep_alive(keep_alive);
  const bool bodiless = reply.status == 304 || reply.status == 204;
  if (!bodiless) wire.content_length(reply.body.size());
  if (!head && !bodiless) wire.body() = std::move(reply.body);
  return wire;
}

Reply refusal(int status, std::string why) {
  return json_reply(json::Object{{"error", std::move(why)}, {"try", nullptr}}, status);
}

/// What a request that could not be read is answered; nothing where the connection is simply over.
std::optional<Reply> refusal_of(const beast::error_code& error) {
  if (error == wire::error::body_limit) return refusal(413, "the body is larger than 8 MiB");
  if (error == wire::error::header_limit) return refusal(431, "the headers are larger than 16 KiB");
  const bool malformed = error.category() == wire::make_error_code(wire::error::bad_method).category();
  if (!malformed || error == wire::error::end_of_stream || error == wire::error::partial_message) return std::nullopt;
  return refusal(400, "not an HTTP/1.1 request");
}

}  // namespace

struct Server::Impl : std::enable_shared_from_this<Server::Impl> {
  Impl(asio::io_context& context, Handler answer) : io(context), acceptor(context), pause(context), handler(std::move(answer)) {}

  asio::io_context& io;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  Handler handler;
  std::list<beast::tcp_stream*> open;

  Reply answer(const WireRequest& wire) {
    const auto request = to_request(wire);
    if (!request) return refusal(400, "the address cannot be decoded");
    try {
      return handler(*request);
    } catch (const std::exception& error) {  // a broken invariant ends the request, not the daemon
      return refusal(500, std::string("internal error: ") + error.what());
    }
  }

  static asio::awaitable<bool> send(beast::tcp_stream& stream, WireReply reply) {
    stream.expires_after(kTransfer);
    wire::response_serializer<wire::string_body> serializer{reply};
    // The body of a HEAD reply is empty while its length is not: only the header goes out.
    const bool header_only = reply.body().empty();
    const auto [error, count] = header_only ? co_await wire::async_write_header(stream, serializer, as_result)
                                            : co_await wire::async_write(stream, serializer, as_result);
    co_return !error && reply.keep_alive();
  }

  static asio::awaitable<bool> go_on(beast::tcp_stream& stream) {
    wire::response<wire::empty_body> reply{wire::status::continue_, 11};
    const auto [error, count] = co_await wire::async_write(stream, reply, as_result);
    co_return !error;
  }

  asio::awaitable<void> converse(beast::tcp_stream& stream) {
    beast::flat_buffer buffer;
    for (bool alive = true; alive;) {
      wire::request_parser<wire::string_body> parser;
      parser.body_limit(kMaxBody);
      parser.header_limit(kMaxHeader);
      stream.expires_after(kIdle);
      auto [error, count] = co_await wire::async_read_header(stream, buffer, parser, as_result);
      stream.expires_after(kTransfer);
      if (!error && beast::iequals(parser.get()[wire::field::expect], "100-continue") && !co_await go_on(stream)) co_return;
      if (!error && !parser.is_done()) std::tie(error, count) = co_await wire::async_read(stream, buffer, parser, as_result);
      if (error) {
        if (auto why = refusal_of(error)) co_await send(stream, to_wire(std::move(*why), 11, false, false));
        co_return;
      }
      const WireRequest& request = parser.get();
      alive = co_await send(stream, to_wire(answer(request), request.version(), request.keep_alive(), request.method() == wire::verb::head));
    }
  }

  static asio::awaitable<void> serve(std::shared_ptr<Impl> self, tcp::socket socket) {
    beast::tcp_stream stream(std::move(socket));
    const auto place = self->open.insert(self->open.end(), &stream);
    co_await self->converse(stream);
    self->open.erase(place);
    beast::error_code ignored;  // the client may be gone already
    stream.socket().shutdown(tcp::socket::shutdown_both, ignored);
  }

  static asio::awaitable<void> accept(std::shared_ptr<Impl> self) {
    while (self->acceptor.is_open()) {
      auto [error, socket] = co_await self->acceptor.async_accept(as_result);
      if (error == asio::error::operation_aborted) co_return;
      if (error == asio::error::no_descriptors) {  // the next accept would fail as fast: wait until some client is gone
        self->pause.expires_after(kPause);
        co_await self->pause.async_wait(as_result);
      }
      if (error || self->open.size() >= kMaxConnections) continue;  // a client that gave up, or one too many
      asio::co_spawn(self->io, serve(self, std::move(socket)), asio::detached);
    }
  }
};

Server::Server(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { stop(); }

std::uint16_t Server::port() const { return impl_->acceptor.local_endpoint().port(); }

void Server::stop() {
  beast::error_code ignored;
  impl_->acceptor.close(ignored);
  impl_->pause.cancel();
  for (beast::tcp_stream* stream : impl_->open) stream->socket().close(ignored);
}

Result<std::unique_ptr<Server>> Server::listen(asio::io_context& io, const std::string& address, std::uint16_t port, Handler handler) {
  const std::string where = address + ":" + std::to_string(port);
  beast::error_code error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) return fail(ErrorKind::bad_input, "http.address: " + address + " is no IP address", "http.address = \"127.0.0.1\"");
  auto impl = std::make_shared<Impl>(io, std::move(handler));
  const tcp::endpoint endpoint(ip, port);
  impl->acceptor.open(endpoint.protocol(), error);
  if (!error) impl->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) impl->acceptor.bind(endpoint, error);
  if (!error) impl->acceptor.listen(tcp::acceptor::max_listen_connections, error);
  if (error) return fail(ErrorKind::bad_input, "cannot listen on " + where + ": " + error.message(), "another http.port");
  asio::co_spawn(io, Impl::accept(impl), asio::detached);
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

}  // namespace modelwatch::http
