#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tests/hub/wire/message.h"

namespace modelwatch::testhub {

struct Fetched {
  int status = 0;    ///< 0: no complete answer, `failure` says why
  Headers headers;   ///< of the last answer
  std::string body;  ///< as it came, still compressed where it was
  std::string failure;
};

struct FetchOptions {
  std::string method = "GET";
  std::vector<std::string> headers = {};  ///< "name: value"
  std::string body = {};
  long timeout_ms = 10'000;
};

/// One exchange over libcurl, no redirects followed.
Fetched fetch(const std::string& url, const FetchOptions& options = {});

}  // namespace modelwatch::testhub
