#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "daemon/hub/transport.h"

namespace modelwatch::hub {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kLargestHead = 256 << 10;    // bytes of all header lines of one answer
constexpr std::uint64_t kSlowest = 8'000;          // bytes per second over a whole transfer
constexpr milliseconds kLongestPoll{1'000};

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

void initialise_curl_once() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw std::runtime_error("libcurl cannot be initialised");
}

/// What the callbacks fill.
struct Transfer {
  const Request& request;
  Response response;
  std::size_t head_bytes = 0;
  bool cut = false;                    ///< by us, at `max_body`
  Clock::time_point started = Clock::now(), heard = started;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::size_t on_header(char* data, std::size_t, std::size_t size, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  transfer.heard = Clock::now();
  if ((transfer.head_bytes += size) > kLargestHead) return 0;
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) {  // of a later answer, where an interim one came before
    transfer.response.headers.clear();
    return size;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return size;
  std::string name(trimmed(line.substr(0, colon)));
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  transfer.response.headers.emplace_back(std::move(name), trimmed(line.substr(colon + 1)));
  return size;
}

// Counts what is kept, not what is announced: CURLOPT_MAXFILESIZE does nothing for chunked or compressed bodies.
std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  transfer.heard = Clock::now();
  std::string& body = transfer.response.body;
  const std::uint64_t room = transfer.request.max_body - body.size();
  body.append(data, static_cast<std::size_t>(std::min<std::uint64_t>(size, room)));
  if (size <= room) return size;
  transfer.cut = true;
  return CURL_WRITEFUNC_ERROR;
}

class CurlTransport : public Transport {
 public:
  CurlTransport(milliseconds connect_timeout, milliseconds idle_timeout)
      : connect_timeout_(connect_timeout), idle_timeout_(idle_timeout) {
    initialise_curl_once();
    easy_.reset(curl_easy_init());
    multi_.reset(curl_multi_init());
    if (!easy_ || !multi_) throw std::bad_alloc();
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, 4L);  // the Hub, its CDN, and one to spare each
  }

  Response exchange(const Request& request, std::stop_token stop) override {
    if (stop.stop_requested()) return interrupted();
    Transfer transfer{.request = request, .response = {}};
    prepare(request, transfer);
    curl_multi_add_handle(multi_.get(), easy_.get());
    {
      const std::stop_callback wake(stop, [this] { curl_multi_wakeup(multi_.get()); });
      run(transfer, stop);
    }
    curl_multi_remove_handle(multi_.get(), easy_.get());  // closes the connection of an unfinished transfer
    headers_.reset();
    return std::move(transfer.response);
  }

 private:
  static Response interrupted() {
    Response response;
    response.failure = "interrupted";
    response.interrupted = true;
    return response;
  }

  void prepare(const Request& request, Transfer& transfer) {
    CURL* easy = easy_.get();
    curl_easy_reset(easy);  // keeps the connections
    curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);  // a signature covers the path as it was given
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));  // curl issue 10936
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // a stop does not wait for the resolver's thread
    curl_easy_setopt(easy, CURLOPT_NOBODY, request.method == "HEAD" ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect_timeout_.count()));
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_.data());
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
    // With any value here libcurl also decompresses what a server compresses unasked.
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "identity");
    error_[0] = '\0';
    curl_slist* list = nullptr;
    for (const auto& [name, value] : request.headers) {
      if (name == "accept-encoding") curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, value.c_str());
      else list = curl_slist_append(list, (name + ": " + value).c_str());
    }
    headers_.reset(list);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
  }

  /// Drives the transfer to its end, or to a stop or a deadline.
  void run(Transfer& transfer, const std::stop_token& stop) {
    for (;;) {
      int running = 0;
      curl_multi_perform(multi_.get(), &running);
      if (running == 0) return finish(transfer);
      if (stop.stop_requested()) {
        transfer.response = interrupted();
        return;
      }
      const milliseconds left = until_given_up(transfer);
      if (left <= milliseconds::zero()) {
        transfer.response.status = 0;
        transfer.response.failure = give_up_reason(transfer);
        return;
      }
      curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(std::min(left, kLongestPoll).count()), nullptr);
    }
  }

  Clock::time_point idle_deadline(const Transfer& transfer) const {
    if (transfer.heard != transfer.started) return transfer.heard + idle_timeout_;
    // Until the request is out the connection is in the making, for which libcurl has its own deadline.
    curl_off_t sent = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_PRETRANSFER_TIME_T, &sent);
    return transfer.started + idle_timeout_ + (sent > 0 ? std::chrono::microseconds(sent) : connect_timeout_);
  }
  Clock::time_point slow_deadline(const Transfer& transfer) const {
    return transfer.started + connect_timeout_ + idle_timeout_ + milliseconds(transfer.response.body.size() * 1000 / kSlowest);
  }

  milliseconds until_given_up(const Transfer& transfer) const {
    const auto left = std::min(idle_deadline(transfer), slow_deadline(transfer)) - Clock::now();
    return std::chrono::ceil<milliseconds>(left);
  }

  std::string give_up_reason(const Transfer& transfer) const {
    if (slow_deadline(transfer) < idle_deadline(transfer)) return "slower than 8 KB/s";
    return "no byte for " + std::to_string(idle_timeout_.count()) + " ms";
  }

  void finish(Transfer& transfer) {
    CURLcode code = CURLE_FAILED_INIT;
    int queued = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &queued)) {
      if (message->msg == CURLMSG_DONE) code = message->data.result;
    }
    Response& response = transfer.response;
    long status = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    response.status = static_cast<int>(status);
    if (transfer.cut) {
      response.too_large = !transfer.request.stop_at_max;
      if (response.too_large) response.failure = "longer than " + std::to_string(transfer.request.max_body) + " bytes";
      return;
    }
    if (code == CURLE_OK) return;
    response.status = 0;
    response.failure = error_[0] ? error_.data() : curl_easy_strerror(code);
  }

  milliseconds connect_timeout_, idle_timeout_;
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::unique_ptr<CURL, FreeEasy> easy_;  // after multi_: cleaned up before it
  std::unique_ptr<curl_slist, FreeList> headers_;
  std::array<char, CURL_ERROR_SIZE> error_{};
};

}  // namespace

std::unique_ptr<Transport> curl_transport(std::chrono::milliseconds connect_timeout, std::chrono::milliseconds idle_timeout) {
  return std::make_unique<CurlTransport>(connect_timeout, idle_timeout);
}

}  // namespace modelwatch::hub
