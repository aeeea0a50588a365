#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "estimator/json/value.h"
#include "tests/hub/wire/message.h"

namespace modelwatch::testhub {

/// 200 with a compact JSON body and its weak ETag.
Reply json_reply(const json::Value& value);
/// An error as /api answers it: {"error": message}. `code` is the X-Error-Code, empty where the Hub sends
/// none.
Reply api_error(int status, const std::string& message, const std::string& code = {});
/// An error as /resolve and /raw answer it: the bare message.
Reply text_error(int status, const std::string& message, const std::string& code = {});
Reply any_error(bool text, int status, const std::string& message, const std::string& code = {});
Reply html_reply(int status, std::string body);
/// 302 or 307 with the body the Hub writes.
Reply redirect_reply(int status, const std::string& location);

std::string iso_date(std::chrono::sys_seconds time);  ///< 2024-02-19T10:57:45.000Z

}  // namespace modelwatch::testhub
