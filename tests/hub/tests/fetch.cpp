#include "tests/hub/tests/fetch.h"

#include <curl/curl.h>

#include <memory>

namespace modelwatch::testhub {
namespace {

std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* to) {
  static_cast<Fetched*>(to)->body.append(bytes, size * count);
  return size * count;
}

std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* to) {
  std::string_view line(bytes, size * count);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t colon = line.find(": ");
  if (colon != std::string_view::npos)
    static_cast<Fetched*>(to)->headers.add(line.substr(0, colon), std::string(line.substr(colon + 2)));
  return size * count;
}

}  // namespace

Fetched fetch(const std::string& url, const FetchOptions& options) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  curl_slist* list = nullptr;
  for (const std::string& header : options.headers) list = curl_slist_append(list, header.c_str());
  Fetched fetched;
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, options.timeout_ms);
  if (options.method == "HEAD")
    curl_easy_setopt(curl.get(), CURLOPT_NOBODY, 1L);
  else
    curl_easy_setopt(curl.get(), CURLOPT_CUSTOMREQUEST, options.method.c_str());
  if (options.method == "POST") {
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE, static_cast<long>(options.body.size()));
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, options.body.c_str());
  }
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &fetched);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl.get(), CURLOPT_HEADERDATA, &fetched);
  const CURLcode code = curl_easy_perform(curl.get());
  curl_slist_free_all(list);
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  if (code == CURLE_OK)
    fetched.status = static_cast<int>(status);
  else
    fetched.failure = curl_easy_strerror(code);
  return fetched;
}

}  // namespace modelwatch::testhub
