#include "daemon/hub/quota.h"

#include <gtest/gtest.h>

#include "daemon/hub/retry.h"

namespace modelwatch::hub {
namespace {

using namespace std::chrono_literals;

const Time kNow{std::chrono::sys_days(std::chrono::year(2026) / 9 / 1)};

Response with(int status, std::vector<std::pair<std::string, std::string>> headers) {
  Response response;
  response.status = status;
  response.headers = std::move(headers);
  return response;
}

TEST(Quota, IsReadFromTheHeaderPair) {
  const auto quotas = read_quotas(with(200, {{"ratelimit", "\"api\";r=499;t=295"}, {"ratelimit-policy", "\"fixed window\";\"api\";q=500;w=300"}}), kNow);
  ASSERT_EQ(quotas.size(), 1U);
  EXPECT_EQ(quotas[0].first, "api");
  EXPECT_EQ(quotas[0].second.limit, 500);
  EXPECT_EQ(quotas[0].second.remaining, 499);
  EXPECT_EQ(quotas[0].second.resets, kNow + 295s);
}

TEST(Quota, IsReadLeniently) {
  const auto spaced = read_quotas(with(200, {{"ratelimit", "\"resolvers\" ; r = 7 ; t = 9 , \"api\";r=1;t=2"}}), kNow);
  ASSERT_EQ(spaced.size(), 2U);
  EXPECT_EQ(spaced[0].first, "resolvers");
  EXPECT_EQ(spaced[0].second.remaining, 7);
  EXPECT_EQ(spaced[0].second.limit, 0) << "no policy, no limit";
  EXPECT_EQ(spaced[1].second.resets, kNow + 2s);
  EXPECT_EQ(read_quotas(with(200, {{"ratelimit", "\"api\";r=0;t=99999999"}}), kNow)[0].second.resets, kNow + 3600s);
  for (const char* nonsense : {"", "api", "\"api\";r=;t=1", "\"api\";r=-1;t=1", "\"api\";r=1", "r=1;t=1", "\"api\";r=1x;t=1", ";;;===,,,"}) {
    EXPECT_TRUE(read_quotas(with(200, {{"ratelimit", nonsense}}), kNow).empty()) << nonsense;
  }
}

TEST(Quota, TheWaitIsWhatTheAnswerSays) {
  EXPECT_EQ(retry_at(with(429, {{"ratelimit", "\"api\";r=0;t=52"}}), kNow), kNow + 53s);
  EXPECT_EQ(retry_at(with(429, {{"retry-after", "30"}}), kNow), kNow + 30s);
  EXPECT_EQ(retry_at(with(429, {{"ratelimit", "\"api\";r=3;t=52"}, {"retry-after", "30"}}), kNow), kNow + 30s);
  EXPECT_EQ(retry_at(with(429, {{"retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"}}), kNow), std::nullopt);
  EXPECT_EQ(retry_at(with(429, {{"retry-after", "999999"}}), kNow), kNow + 3600s);
  EXPECT_EQ(retry_at(with(429, {}), kNow), std::nullopt);
}

TEST(Quota, BucketsByPath) {
  EXPECT_EQ(bucket_of("/a/b/resolve/main/c"), "resolvers");
  EXPECT_EQ(bucket_of("/api/resolve-cache/models/a/b/c/d"), "resolvers");
  EXPECT_EQ(bucket_of("/a/b/raw/main/c"), "resolvers");
  EXPECT_EQ(bucket_of("/api/models/a/b?x=/resolve/"), "api");
  EXPECT_EQ(bucket_of("/a/b"), "pages");
}

TEST(Retry, TheOfficialSetIsTransient) {
  for (const int status : {0, 408, 429, 500, 502, 503, 504}) EXPECT_TRUE(is_transient(with(status, {}))) << status;
  for (const int status : {200, 206, 302, 400, 401, 403, 404, 416, 501}) EXPECT_FALSE(is_transient(with(status, {}))) << status;
}

TEST(Retry, PausesDoubleAndStayShort) {
  EXPECT_EQ(pause_before_retry(with(500, {}), 1, 500ms, 0.5, kNow), 500ms);
  EXPECT_EQ(pause_before_retry(with(500, {}), 2, 500ms, 0.5, kNow), 1000ms);
  EXPECT_EQ(pause_before_retry(with(500, {}), 1, 500ms, 0, kNow), 250ms);
  EXPECT_EQ(pause_before_retry(with(429, {{"retry-after", "1"}}), 1, 500ms, 0.5, kNow), 1500ms);
  EXPECT_EQ(pause_before_retry(with(429, {{"retry-after", "30"}}), 1, 500ms, 0.5, kNow), std::nullopt) << "for the schedule";
  EXPECT_EQ(pause_before_retry(with(503, {{"retry-after", "30"}}), 1, 500ms, 0.5, kNow), std::nullopt);
  EXPECT_EQ(pause_before_retry(with(429, {}), 1, 500ms, 0.5, kNow), 500ms);
}

}  // namespace
}  // namespace modelwatch::hub
