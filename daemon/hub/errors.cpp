#include "daemon/hub/errors.h"

#include <nlohmann/json.hpp>

namespace modelwatch::hub {

namespace {

using Kind = Trouble::Kind;

constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kLongestErrorBody = 64 << 10;  // a longer one is a page, not a message
constexpr std::chrono::seconds kUntoldWait{60};      // after a 429 that says nothing

std::string header_or_empty(const Response& response, std::string_view name) {
  const std::string* value = response.header(name);
  return value ? *value : std::string();
}

/// `{"error": "…"}`, `{"error": […]}`, `{"error_description": "…"}` or `{"errors": [{"message": "…"}]}`.
std::string message_of_json(const std::string& body) {
  const auto depth_guard = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) { return depth < 8; };
  const nlohmann::json document = nlohmann::json::parse(body, depth_guard, false);
  if (!document.is_object()) return {};
  for (const char* key : {"error", "error_description", "errors", "message"}) {
    const auto at = document.find(key);
    if (at == document.end()) continue;
    const nlohmann::json& value = at->is_array() && !at->empty() ? at->front() : *at;
    if (value.is_string()) return value.get<std::string>();
    if (value.is_object() && value.contains("message") && value["message"].is_string()) return value["message"].get<std::string>();
  }
  return {};
}

/// The server's explanation: header, JSON or text; a page of HTML is none.
std::string upstream_words(const Response& response) {
  if (const std::string* message = response.header("x-error-message")) return *message;
  if (response.body.size() > kLongestErrorBody) return {};
  if (response.body.starts_with('{')) return message_of_json(response.body);
  if (header_or_empty(response, "content-type").starts_with("text/plain")) return response.body;
  return {};
}

std::string request_id(const Response& response) {
  for (const char* name : {"x-request-id", "x-amzn-trace-id", "x-amz-cf-id"}) {
    if (const std::string* id = response.header(name)) return one_line(*id, {});
  }
  return {};
}

struct Verdict {
  Kind kind;
  std::string_view why;
};

constexpr std::string_view kMissing = "missing, or private to others";
constexpr std::string_view kGated = "needs access that is not granted";
constexpr std::string_view kDisabled = "disabled by the Hub";
constexpr std::string_view kNoRevision = "there is no such revision";
constexpr std::string_view kNoEntry = "there is no such file at this revision";

Verdict of_403(std::string_view code, std::string_view words) {
  if (code == "GatedRepo") return {Kind::gated, kGated};
  if (words.find("disabled") != words.npos) return {Kind::disabled, kDisabled};
  return {Kind::refused, "the server denies access"};
}

Verdict of_404(std::string_view code, std::string_view words) {
  // The sentences are the Hub's; servers that copy its API without the codes copy those.
  if (code == "RepoNotFound" || (code.empty() && words.starts_with("Repository not found"))) return {Kind::missing, kMissing};
  if (code == "RevisionNotFound" || (code.empty() && words.starts_with("Invalid rev id"))) return {Kind::no_revision, kNoRevision};
  if (code == "EntryNotFound" || (code.empty() && words.starts_with("Entry not found"))) return {Kind::no_entry, kNoEntry};
  return {Kind::refused, "not found, and the server does not say what"};
}

Verdict verdict(int status, std::string_view code, std::string_view words) {
  switch (status) {
    case 0: return {Kind::refused, "no answer"};
    case 401: return code == "GatedRepo" ? Verdict{Kind::gated, kGated} : Verdict{Kind::missing, kMissing};
    case 403: return of_403(code, words);
    case 404: return of_404(code, words);
    case 429: return {Kind::rate_limited, "too many requests"};
    default: return {Kind::refused, status >= 500 ? "the server is ill" : "an answer that does not fit the question"};
  }
}

Trouble describe(const Verdict& verdict, const Response& response, const Asked& asked, std::string_view words, Time now) {
  Trouble trouble;
  trouble.kind = verdict.kind;
  trouble.request_id = request_id(response);
  trouble.message = std::string(asked.what) + ": ";
  if (response.status == 0) {
    trouble.message += one_line(response.failure, asked.token);
  } else {
    trouble.message += std::string(verdict.why) + " (" + std::to_string(response.status);
    if (!words.empty()) trouble.message += " \"" + one_line(words, asked.token) + "\"";
    trouble.message += ")";
  }
  if (asked.token_refused) trouble.message += "; the token was refused";
  if (response.status == 429 || response.status == 503) trouble.retry_at = retry_at(response, now);
  if (response.status == 429 && !trouble.retry_at) trouble.retry_at = now + kUntoldWait;
  return trouble;
}

}  // namespace

bool is_gated(const Response& response) { return header_or_empty(response, "x-error-code") == "GatedRepo"; }

Trouble classify(const Response& response, const Asked& asked, Time now) {
  if (response.too_large && response.status / 100 == 2) return trouble(Kind::malformed, asked.what, response.failure);
  const std::string words = upstream_words(response);
  return describe(verdict(response.status, header_or_empty(response, "x-error-code"), words), response, asked, words, now);
}

Trouble classify_elsewhere(const Response& response, const Asked& asked, Time now) {
  if (response.too_large && response.status / 100 == 2) return trouble(Kind::malformed, asked.what, response.failure);
  const Verdict elsewhere{response.status == 429 ? Kind::rate_limited : Kind::refused, "the storage host refuses"};
  return describe(elsewhere, response, asked, upstream_words(response), now);
}

Trouble trouble(Trouble::Kind kind, std::string_view what, std::string_view why) {
  return {kind, std::string(what) + ": " + std::string(why), {}, {}};
}

std::string one_line(std::string_view text, std::string_view token) {
  std::string line(text);
  if (!token.empty()) {
    for (auto at = line.find(token); at != line.npos; at = line.find(token, at)) line.replace(at, token.size(), "***");
  }
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  line.erase(line.find_last_not_of(' ') + 1);
  if (line.size() <= kLongestLine) return line;
  std::size_t end = kLongestLine;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;  // whole UTF-8 sequences
  return line.substr(0, end) + "...";
}

}  // namespace modelwatch::hub
