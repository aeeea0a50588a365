#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace modelwatch::testhub {

/// What a signed CDN URL allows.
struct Grant {
  std::string path;  ///< "/xet-bridge-us/<_id>/<xet hash>"
  std::string file_name;
  std::string user = {};  ///< empty: anonymous
  std::chrono::sys_seconds expires{};
  std::optional<std::string> range = {};  ///< the only Range header it will serve
};

/// The absolute URL. The signature covers path and query byte for byte: a client that re-orders or re-encodes
/// the query breaks it.
std::string sign_url(std::string_view key, std::string_view origin, const Grant& grant);

enum class Verdict { valid, forged, expired, wrong_range };
/// `target` is path and query as received, `range` the Range header, null where none came.
Verdict verify_url(std::string_view key, std::string_view target, const std::string* range,
                   std::chrono::sys_seconds now);

}  // namespace modelwatch::testhub
