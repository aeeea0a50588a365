#include "daemon/hub/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/daemon/hub/fake_transport.h"
#include "tests/daemon/hub/outcome.h"

namespace modelwatch::hub {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

const std::string kSha(40, 'a');
const std::stop_token kNoStop;
const Time kNow{std::chrono::sys_days(std::chrono::year(2026) / 9 / 1)};

struct SessionTest : testing::Test {
  std::shared_ptr<Wire> wire = std::make_shared<Wire>();
  Time now = kNow;

  Client client(const std::string& token = {}, const std::string& endpoint = "https://hub.example") {
    ClientOptions options;
    options.endpoint = endpoint;
    options.token = token;
    options.retry_pause = 1ms;
    options.clock = [this] { return now; };
    return Client(options, std::make_unique<FakeTransport>(wire));
  }
};

const std::string kInfo = R"({"_id": "1", "id": "a/b", "sha": ")" + kSha + R"("})";

struct Case {
  int status;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string kind;
  std::string message_part;
};

TEST_F(SessionTest, ErrorsByStatusAndCode) {
  const Case rows[] = {
      {401, {}, R"({"error":"Invalid username or password."})", "missing", "missing, or private to others (401 \"Invalid username or password.\")"},
      {401, {{"x-error-code", "GatedRepo"}}, "", "gated", "needs access"},
      {403, {{"x-error-code", "GatedRepo"}, {"x-error-message", "awaiting review"}}, "", "gated", "awaiting review"},
      {403, {{"x-error-message", "Access to this resource is disabled."}}, "", "disabled", ""},
      {403, {{"content-type", "text/html"}}, "<html>proxy</html>", "refused", "denies access (403)"},
      {404, {{"x-error-code", "RepoNotFound"}}, "", "missing", ""},
      {404, {{"x-error-code", "RevisionNotFound"}}, "", "no_revision", ""},
      {404, {{"x-error-code", "EntryNotFound"}}, "", "no_entry", ""},
      {404, {{"content-type", "text/plain; charset=utf-8"}}, "Entry not found", "no_entry", ""},
      {404, {}, R"({"error":"Repository not found"})", "missing", ""},
      {404, {{"content-type", "text/html"}}, "<h1>404</h1>", "refused", "does not say what (404)"},
      {429, {}, "Too many", "rate_limited", ""},
      {500, {}, R"({"error":"Internal Error"})", "refused", "the server is ill (500 \"Internal Error\")"},
      {503, {{"content-type", "text/html"}}, "<html>", "refused", "(503)"},
      {418, {}, R"({"error": [ "x" ]})", "refused", "418 \"x\""},
      {418, {}, R"({"errors": [ {"message": "m"} ]})", "refused", "418 \"m\""},
      {418, {}, R"({"error_description": "d"})", "refused", "418 \"d\""},
      {418, {}, "{" + std::string(200'000, '['), "refused", "(418)"},
      {304, {}, "", "refused", "(304)"},
      {200, {}, "not json", "malformed", "not JSON"},
  };
  for (const Case& row : rows) {
    wire->answer = [&](const Request&) { return reply(row.status, row.body, row.headers); };
    Client hub = client();
    const auto info = hub.info("a/b", "main", kNoStop);
    EXPECT_EQ(kind_of(info), row.kind) << row.status << ' ' << row.body.substr(0, 40);
    EXPECT_THAT(message_of(info), HasSubstr(row.message_part));
    EXPECT_THAT(message_of(info), testing::StartsWith("a/b: "));
  }
}

TEST_F(SessionTest, TransientAnswersAreRetriedAFewTimes) {
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    wire->asked.clear();
    wire->answer = in_turn({reply(status), reply(status), reply(200, kInfo)});
    EXPECT_EQ(kind_of(client().info("a/b", "main", kNoStop)), "ok") << status;
    EXPECT_EQ(wire->asked.size(), 3U);
  }
  wire->asked.clear();
  wire->answer = in_turn({no_answer("Connection refused"), reply(200, kInfo)});
  EXPECT_EQ(kind_of(client().info("a/b", "main", kNoStop)), "ok");

  wire->asked.clear();
  wire->answer = in_turn({no_answer("Connection refused")});
  const auto info = client().info("a/b", "main", kNoStop);
  EXPECT_EQ(message_of(info), "a/b: Connection refused");
  EXPECT_EQ(kind_of(info), "refused");
  EXPECT_EQ(wire->asked.size(), 3U);

  wire->asked.clear();
  wire->answer = in_turn({reply(501)});
  EXPECT_EQ(kind_of(client().info("a/b", "main", kNoStop)), "refused");
  EXPECT_EQ(wire->asked.size(), 1U);

  wire->asked.clear();
  wire->answer = in_turn({reply(503)});
  EXPECT_EQ(kind_of(client().head("a/b", "main", kNoStop)), "refused");
  EXPECT_EQ(wire->asked.size(), 1U) << "the next poll is the retry";
}

TEST_F(SessionTest, ALongWaitIsLeftToTheSchedule) {
  wire->answer = in_turn({reply(429, "", {{"retry-after", "30"}})});
  Client hub = client();
  const auto info = hub.info("a/b", "main", kNoStop);
  ASSERT_EQ(kind_of(info), "rate_limited");
  EXPECT_EQ(wire->asked.size(), 1U);
  EXPECT_GE(*info.error().retry_at, kNow + 30s);
  EXPECT_LE(*info.error().retry_at, kNow + 34s);
  wire->answer = in_turn({reply(429, "<html>", {{"content-type", "text/html"}})});
  const auto untold = hub.info("a/b", "main", kNoStop);
  ASSERT_EQ(kind_of(untold), "rate_limited");
  EXPECT_GE(*untold.error().retry_at, kNow + 60s);
}

TEST_F(SessionTest, AnExhaustedWindowIsNotAsked) {
  wire->answer = in_turn({reply(200, kInfo, {{"ratelimit", "\"api\";r=0;t=50"}, {"ratelimit-policy", "\"api\";q=500;w=300"}})});
  Client hub = client();
  EXPECT_EQ(kind_of(hub.info("a/b", "main", kNoStop)), "ok");
  ASSERT_TRUE(hub.quota("api"));
  EXPECT_EQ(hub.quota("api")->limit, 500);
  EXPECT_FALSE(hub.quota("resolvers"));
  const auto early = hub.info("a/b", "main", kNoStop);
  ASSERT_EQ(kind_of(early), "rate_limited");
  EXPECT_GE(*early.error().retry_at, kNow + 51s);
  EXPECT_EQ(wire->asked.size(), 1U);
  (void)hub.head("a/b", "main", kNoStop);
  EXPECT_EQ(wire->asked.size(), 2U) << "the other bucket has its own window";
  now = kNow + 50s;
  EXPECT_EQ(kind_of(hub.info("a/b", "main", kNoStop)), "ok");
}

TEST_F(SessionTest, RedirectsAreCounted) {
  wire->answer = [](const Request&) { return reply(307, "", {{"location", "/api/models/a/b"}}); };
  const auto info = client().info("a/b", "main", kNoStop);
  EXPECT_EQ(kind_of(info), "refused");
  EXPECT_THAT(message_of(info), HasSubstr("more than 5 redirects"));
  EXPECT_EQ(wire->asked.size(), 6U);

  wire->asked.clear();
  wire->answer = [](const Request& request) {
    if (request.url.starts_with("https://hub.example")) return reply(302, "", {{"location", "https://cdn.example/x"}});
    return reply(302, "", {{"location", request.url + "y"}});
  };
  const std::string oid(40, '0');
  EXPECT_EQ(kind_of(client().file("a/b", kSha, {"f", oid, 3, {}}, 10, kNoStop)), "refused");
  EXPECT_LE(wire->asked.size(), 8U);
}

TEST_F(SessionTest, AnApiThatSendsUsElsewhereIsNotFollowed) {
  wire->answer = [](const Request& request) { return reply(308, "", {{"location", "https://huggingface.co" + request.url.substr(request.url.find('/', 8))}}); };
  const auto info = client("hf_secret").info("a/b", "main", kNoStop);
  EXPECT_EQ(kind_of(info), "refused");
  EXPECT_THAT(message_of(info), HasSubstr("sends its clients to https://huggingface.co"));
  EXPECT_EQ(wire->asked.size(), 1U);
}

TEST_F(SessionTest, TheTokenIsSentToTheEndpointOnlyAndNeverRepeated) {
  const std::string token = "hf_secret";
  wire->answer = [&](const Request& request) {
    if (request.url.starts_with("https://hub.example/")) {
      const std::string* sent = request.header("authorization");
      EXPECT_TRUE(sent && *sent == "Bearer hf_secret") << request.url;
    } else {
      EXPECT_FALSE(request.header("authorization")) << request.url;
    }
    if (request.url == "https://hub.example/a/b/resolve/" + kSha + "/f") return reply(307, "", {{"location", "/second"}});
    if (request.url == "https://hub.example/second") return reply(302, "", {{"location", "https://hub.example:8443/third"}});
    if (request.url == "https://hub.example:8443/third") return reply(302, "", {{"location", "https://hub.example/back"}});
    if (request.url == "https://hub.example/back") return reply(200, "abc");
    return reply(403, "you sent hf_secret", {{"x-error-message", "token hf_secret\r\n is bad"}, {"x-request-id", "Root=1"}});
  };
  // Once another host was in between, the endpoint is a stranger too.
  wire->answer = [inner = wire->answer](const Request& request) {
    if (request.url == "https://hub.example/back") {
      EXPECT_FALSE(request.header("authorization"));
      return reply(200, "abc");
    }
    return inner(request);
  };
  EXPECT_EQ(kind_of(client(token).file("a/b", kSha, {"f", "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f", 3, {}}, 10, kNoStop)), "ok");
  const auto refused = client(token).info("a/b", "main", kNoStop);
  EXPECT_THAT(message_of(refused), Not(HasSubstr("secret")));
  EXPECT_THAT(message_of(refused), HasSubstr("token ***"));
  EXPECT_EQ(refused.error().request_id, "Root=1");
}

TEST_F(SessionTest, AStaleTokenIsLeftOutOnce) {
  wire->answer = [](const Request& request) {
    return request.header("authorization") ? reply(401, "", {{"x-error-message", "Invalid username or password."}}) : reply(200, kInfo);
  };
  Client hub = client("hf_old");
  EXPECT_EQ(kind_of(hub.info("a/b", "main", kNoStop)), "ok");
  EXPECT_EQ(wire->asked.size(), 2U);
  EXPECT_TRUE(hub.token_refused());
  wire->answer = [](const Request&) { return reply(200, kInfo); };
  EXPECT_EQ(kind_of(hub.info("a/b", "main", kNoStop)), "ok");
  EXPECT_FALSE(hub.token_refused());
  wire->answer = [](const Request&) { return reply(401, "", {{"x-error-code", "GatedRepo"}}); };
  wire->asked.clear();
  EXPECT_EQ(kind_of(hub.info("a/b", "main", kNoStop)), "gated");
  EXPECT_EQ(wire->asked.size(), 1U) << "a gate says so; the token is fine";
}

TEST_F(SessionTest, ATokenWithALineBreakStartsNoHeaderOfItsOwn) {
  wire->answer = in_turn({reply(200, kInfo)});
  (void)client("hf_a\r\nx-evil: 1\n").info("a/b", "main", kNoStop);
  EXPECT_EQ(*wire->asked.at(0).header("authorization"), "Bearer hf_ax-evil:1");
}

TEST_F(SessionTest, OfflineMeansNoRequest) {
  ClientOptions options;
  options.offline = true;
  Client hub(options, std::make_unique<FakeTransport>(wire));
  EXPECT_EQ(kind_of(hub.info("a/b", "main", kNoStop)), "offline");
  EXPECT_EQ(kind_of(hub.head("a/b", "main", kNoStop)), "offline");
  EXPECT_EQ(kind_of(hub.list("", "", 1, kNoStop)), "offline");
  EXPECT_TRUE(wire->asked.empty());
}

TEST_F(SessionTest, AStopEndsABackOffWithin50Milliseconds) {
  std::stop_source source;
  wire->answer = [](const Request&) { return reply(500); };
  ClientOptions options;
  options.endpoint = "https://hub.example";
  options.retry_pause = 60s;
  Client hub(options, std::make_unique<FakeTransport>(wire));
  std::chrono::steady_clock::time_point stopped;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);  // the call must be in its pause, which nothing shows from outside
    stopped = std::chrono::steady_clock::now();
    source.request_stop();
  });
  const auto info = hub.info("a/b", "main", source.get_token());
  const auto ended = std::chrono::steady_clock::now();
  stopper.join();
  EXPECT_EQ(kind_of(info), "interrupted");
  EXPECT_LT(ended - stopped, 50ms);
}

TEST_F(SessionTest, AnUnusableEndpointIsNoCrash) {
  EXPECT_EQ(kind_of(client("", "huggingface.co").info("a/b", "main", kNoStop)), "refused");
  EXPECT_TRUE(wire->asked.empty());
}

TEST(OneLine, IsShortPrintableAndWithoutTheToken) {
  EXPECT_EQ(one_line("a\r\nb\tc\x01\n", ""), "a  b c");
  EXPECT_EQ(one_line("hf_x hf_xhf_x", "hf_x"), "*** ******");
  EXPECT_EQ(one_line(std::string(500, 'a'), "").size(), 203U);
  EXPECT_EQ(one_line(std::string(199, 'a') + "\xC3\xA4" + "b", ""), std::string(199, 'a') + "...") << "no half of a letter";
}

}  // namespace
}  // namespace modelwatch::hub
