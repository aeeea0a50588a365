#include "daemon/http/conditional.h"

#include <gmock/gmock.h>

#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

TEST(HttpDate, BothWays) {
  const auto time = parse_http_date("Mon, 24 Aug 2026 16:40:31 GMT");
  ASSERT_TRUE(time);
  EXPECT_EQ(storage::to_text(*time), "2026-08-24T16:40:31Z");
  EXPECT_EQ(http_date(*time), "Mon, 24 Aug 2026 16:40:31 GMT");
  for (const char* text : {"", "2026-08-24T16:40:31Z", "Mon, 31 Feb 2026 16:40:31 GMT", "Mon, 24 Foo 2026 16:40:31 GMT",
                           "Mon, 24 Aug 2026 25:40:31 GMT", "Mon, 24 Aug 2026 16:40:31 CET", "Mon, 24 Aug 2026 16:40:31 GMT "})
    EXPECT_FALSE(parse_http_date(text)) << text;
}

struct Case {
  const char *name, *value;
  int status;
};

TEST(Conditional, ATagOrADateThatStillHoldsIs304) {
  Request request;
  Reply reply;
  reply.body = "body";
  reply.headers = {{"Last-Modified", "Mon, 24 Aug 2026 16:40:31 GMT"}};
  const std::string tag = conditional(request, reply).headers.at(1).second;
  ASSERT_EQ(tag.size(), 34U);
  const Case cases[] = {
      {"if-none-match", tag.c_str(), 304},
      {"if-none-match", "*", 304},
      {"if-none-match", "\"other\"", 200},
      {"if-none-match", "\"other\" ,\t", 200},
      {"if-modified-since", "Mon, 24 Aug 2026 16:40:31 GMT", 304},
      {"if-modified-since", "Mon, 24 Aug 2026 16:40:30 GMT", 200},
      {"if-modified-since", "yesterday", 200},
  };
  for (const Case& c : cases) {
    request.headers = {{c.name, c.value}};
    const Reply answered = conditional(request, reply);
    EXPECT_EQ(answered.status, c.status) << c.name << ": " << c.value;
    EXPECT_EQ(answered.body.empty(), c.status == 304);
  }
  request.headers = {{"if-none-match", "\"a\", W/" + tag}};
  EXPECT_EQ(conditional(request, reply).status, 304) << "weakly equal is equal enough";
  request.headers = {{"if-none-match", "\"other\""}, {"if-modified-since", "Mon, 24 Aug 2026 16:40:31 GMT"}};
  EXPECT_EQ(conditional(request, reply).status, 200) << "a tag that does not match goes before the date";
}

TEST(Conditional, OnlyReadingThatWorkedIs) {
  Request request;
  request.headers = {{"if-none-match", "*"}};
  Reply reply;
  reply.status = 404;
  EXPECT_EQ(conditional(request, reply).status, 404);
  reply.status = 200;
  request.method = "POST";
  EXPECT_EQ(conditional(request, reply).status, 200);
  request.method = "HEAD";
  EXPECT_EQ(conditional(request, reply).status, 304);
}

}  // namespace
}  // namespace modelwatch::http
