#include "tests/hub/signing.h"

#include <algorithm>
#include <charconv>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "tests/hub/git/digest.h"
#include "tests/hub/wire/url.h"

namespace modelwatch::testhub {
namespace {

constexpr std::string_view mark = "&Signature=";
constexpr std::string_view key_pair = "&Key-Pair-Id=K2TESTHUB";

/// The alphabet that signed CDN URLs use: '+', '=' and '/' would need escaping in a query.
std::string url_safe(std::string text) {
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '=', '_');
  std::replace(text.begin(), text.end(), '/', '~');
  return text;
}

std::string url_unsafe(std::string text) {
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '=');
  std::replace(text.begin(), text.end(), '~', '/');
  return text;
}

std::string policy(std::string_view origin, const Grant& grant) {
  json::Object condition{
      {"DateLessThan", json::Object{{"AWS:EpochTime", grant.expires.time_since_epoch().count()}}}};
  if (grant.range) condition.append("ByteRange", json::Object{{"ExpectedHeader", *grant.range}});
  const json::Object statement{{"Resource", std::string(origin) + grant.path},
                               {"Condition", std::move(condition)}};
  return json::write(json::Object{{"Statement", json::Array{statement}}});
}

std::string disposition(const std::string& name) {
  return "inline%3B+filename*%3DUTF-8%27%27" + percent_encode(name) + "%3B+filename%3D%22" +
         percent_encode(name) + "%22%3B";
}

}  // namespace

std::string sign_url(std::string_view key, std::string_view origin, const Grant& grant) {
  std::string target = grant.path +
                       "?X-Xet-Cas-Uid=" + (grant.user.empty() ? "public" : percent_encode(grant.user)) +
                       "&response-content-disposition=" + disposition(grant.file_name);
  if (!grant.user.empty()) target += "&user_id=" + percent_encode(grant.user);
  target += "&Expires=" + std::to_string(grant.expires.time_since_epoch().count()) +
            "&Policy=" + url_safe(base64(policy(origin, grant)));
  const std::string signature = hmac_sha256_hex(key, target);
  return std::string(origin) + target + std::string(mark) + signature + std::string(key_pair);
}

Verdict verify_url(std::string_view key, std::string_view target, const std::string* range,
                   std::chrono::sys_seconds now) {
  const std::size_t at = target.find(mark);
  if (at == std::string_view::npos) return Verdict::forged;
  const std::string expected = hmac_sha256_hex(key, target.substr(0, at)) + std::string(key_pair);
  if (target.substr(at + mark.size()) != expected) return Verdict::forged;

  const Target parts(target);
  const std::string* encoded = parts.query.find("Policy");
  const auto read = json::read(base64_decode(url_unsafe(encoded ? *encoded : "")));
  if (!read) return Verdict::forged;
  const json::Value* expires =
      json::at_pointer(read->value, "/Statement/0/Condition/DateLessThan/AWS:EpochTime");
  if (!expires || now.time_since_epoch().count() >= expires->integer().value_or(0)) return Verdict::expired;
  const json::Value* pinned =
      json::at_pointer(read->value, "/Statement/0/Condition/ByteRange/ExpectedHeader");
  if (pinned && pinned->string() && (!range || *range != *pinned->string())) return Verdict::wrong_range;
  return Verdict::valid;
}

}  // namespace modelwatch::testhub
