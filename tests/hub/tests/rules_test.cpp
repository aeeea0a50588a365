// The rules that stand alone: URLs, signatures, quotas, faults, the log's filter.
#include <gtest/gtest.h>

#include "tests/hub/fault.h"
#include "tests/hub/log.h"
#include "tests/hub/quota.h"
#include "tests/hub/signing.h"
#include "tests/hub/wire/url.h"

namespace modelwatch::testhub {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

TEST(Url, SegmentsAreSplitBeforeTheyAreDecoded) {
  const Target target("/a%2Fb/c%20d?x=1&expand%5B%5D=sha&expand[]=y+z&flag=True");
  EXPECT_EQ(target.segments, (std::vector<std::string>{"a/b", "c d"}));
  EXPECT_EQ(target.path, "/a/b/c d");
  EXPECT_EQ(target.query.all("expand"), (std::vector<std::string>{"sha", "y z"}));
  EXPECT_TRUE(target.query.flag("flag"));
  EXPECT_EQ(target.query.to_string(), "x=1&expand%5B%5D=sha&expand%5B%5D=y%20z&flag=True");
  EXPECT_EQ(target.rest(1), "/c%20d?x=1&expand%5B%5D=sha&expand[]=y+z&flag=True");
  EXPECT_EQ(percent_decode("100%, %zz %4"), "100%, %zz %4");
}

class SignedUrl : public ::testing::Test {
 protected:
  std::string target(std::optional<std::string> range = {}) const {
    const std::string url =
        sign_url("key", "http://cdn",
                 {"/x/id/hash", "model.safetensors", "ann", sys_seconds(seconds(1000)), std::move(range)});
    EXPECT_TRUE(url.starts_with("http://cdn/x/id/hash?"));
    return url.substr(10);
  }
  Verdict verify(const std::string& signed_target, const char* range = nullptr, int now = 999) const {
    const std::string header = range ? range : "";
    return verify_url("key", signed_target, range ? &header : nullptr, sys_seconds(seconds(now)));
  }
};

TEST_F(SignedUrl, LivesUntilItExpires) {
  EXPECT_EQ(verify(target()), Verdict::valid);
  EXPECT_EQ(verify(target(), "bytes=5-9"), Verdict::valid);
  EXPECT_EQ(verify(target(), nullptr, 1000), Verdict::expired);
}

TEST_F(SignedUrl, PinsTheRangeItWasAskedWith) {
  const std::string pinned = target("bytes=0-7");
  EXPECT_EQ(verify(pinned, "bytes=0-7"), Verdict::valid);
  EXPECT_EQ(verify(pinned, "bytes=8-9"), Verdict::wrong_range);
  EXPECT_EQ(verify(pinned), Verdict::wrong_range);
}

TEST_F(SignedUrl, EveryByteCounts) {
  const std::string good = target();
  std::string reordered = good;
  const std::size_t user = reordered.find("&user_id=ann");
  reordered.erase(user, 12).append("&user_id=ann");
  EXPECT_EQ(verify(reordered), Verdict::forged);
  std::string recoded = good;
  recoded.replace(recoded.find("%3B+"), 4, "%3B%20");
  EXPECT_EQ(verify(recoded), Verdict::forged);
  std::string later = good;
  later.replace(later.find("Expires=1000"), 12, "Expires=9999");
  EXPECT_EQ(verify(later), Verdict::forged);
  EXPECT_EQ(verify("/x/id/hash"), Verdict::forged);
}

TEST(Quotas, WindowsAreFixedAndPerBucket) {
  Quotas quotas;
  quotas.set_limit(Plan::anonymous, Bucket::api, 2);
  const Clock::Time start{};
  Allowance got = quotas.charge("ip", Plan::anonymous, Bucket::api, start);
  EXPECT_EQ(got.remaining, 1);
  EXPECT_EQ(got.seconds_left, 300);
  got = quotas.charge("ip", Plan::anonymous, Bucket::api, start + seconds(100));
  EXPECT_TRUE(got.allowed);
  EXPECT_EQ(got.remaining, 0);
  EXPECT_EQ(got.seconds_left, 200);
  EXPECT_FALSE(quotas.charge("ip", Plan::anonymous, Bucket::api, start + seconds(299)).allowed);
  EXPECT_TRUE(quotas.charge("ip", Plan::anonymous, Bucket::resolvers, start + seconds(299)).allowed);
  EXPECT_TRUE(quotas.charge("other", Plan::anonymous, Bucket::api, start + seconds(299)).allowed);
  got = quotas.charge("ip", Plan::anonymous, Bucket::api, start + seconds(300));
  EXPECT_TRUE(got.allowed);
  EXPECT_EQ(got.seconds_left, 300);
}

TEST(Faults, HitTheRequestsTheyAreMeantFor) {
  Faults faults;
  faults.arm({.path = "/api/*", .method = "GET", .skip = 1, .times = 2, .status = 503});
  faults.arm({.path = "*config.json", .times = -1, .drop_headers = {"etag"}});
  EXPECT_FALSE(faults.take(Listener::hub, "GET", "/api/models/a/b").status);
  EXPECT_FALSE(faults.take(Listener::hub, "HEAD", "/api/models/a/b").status);
  const Fault both = faults.take(Listener::hub, "GET", "/api/x/config.json");
  EXPECT_EQ(both.status, 503);
  EXPECT_EQ(both.drop_headers, (std::vector<std::string>{"etag"}));
  EXPECT_EQ(faults.take(Listener::hub, "GET", "/api/models").status, 503);
  EXPECT_FALSE(faults.take(Listener::hub, "GET", "/api/models").status);
  EXPECT_EQ(faults.pending(), 1U);
  faults.clear();
  EXPECT_EQ(faults.pending(), 0U);
}

TEST(RequestLog, KeepsTheNewestAndFilters) {
  RequestLog log(3);
  for (int i = 0; i < 5; ++i) {
    LogEntry entry;
    entry.method = i % 2 ? "HEAD" : "GET";
    entry.path = "/r/" + std::to_string(i);
    log.add(entry);
  }
  EXPECT_EQ(log.last(), 5U);
  EXPECT_EQ(log.count(), 3U);
  EXPECT_EQ(log.count({.method = "HEAD"}), 1U);
  EXPECT_EQ(log.count({.path = "/r/[24]"}), 2U);
  EXPECT_EQ(log.entries({.after = 4}).front().path, "/r/4");
  EXPECT_FALSE(log.wait_for({}, 4, std::chrono::milliseconds(1)));
  EXPECT_TRUE(log.wait_for({}, 3, std::chrono::milliseconds(1)));
}

}  // namespace
}  // namespace modelwatch::testhub
