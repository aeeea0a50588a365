#include "daemon/hub/url.h"

#include <gtest/gtest.h>

#include "daemon/hub/redirects.h"

namespace modelwatch::hub {
namespace {

TEST(Url, OriginIsSchemeHostAndPort) {
  const struct {
    std::string_view url, origin;
  } rows[] = {
      {"https://huggingface.co/api/models?x=1", "https://huggingface.co"},
      {"HTTPS://HuggingFace.CO:443", "https://huggingface.co"},
      {"http://127.0.0.1:8080/x", "http://127.0.0.1:8080"},
      {"http://hub:80/", "http://hub"},
      {"http://[::1]:99/", "http://[::1]:99"},
      {"https://huggingface.co@evil.example/", ""},
      {"https://evil.example\\@huggingface.co/", ""},
      {"https://huggingface.co.evil.example/", "https://huggingface.co.evil.example"},
      {"ftp://huggingface.co/", ""},
      {"/api/models", ""},
      {"/x?next=https://huggingface.co/", ""},
      {"https://", ""},
      {"", ""},
  };
  for (const auto& row : rows) EXPECT_EQ(origin_of(row.url), row.origin) << row.url;
}

TEST(Url, ReferencesResolveByteForByte) {
  const std::string_view base = "https://hub.example/a/b/c?d=e";
  const struct {
    std::string_view reference, expected;
  } rows[] = {
      {"/api/x?%2Fa=&etag=%22e%22", "https://hub.example/api/x?%2Fa=&etag=%22e%22"},
      {"https://cdn.example/p?Policy=a~b&Signature=%2f_&a=1", "https://cdn.example/p?Policy=a~b&Signature=%2f_&a=1"},
      {"//cdn.example/p", "https://cdn.example/p"},
      {"?p=1", "https://hub.example/a/b/c?p=1"},
      {"d", "https://hub.example/a/b/d"},
      {"", ""},
      {"/a b", ""},
      {"/a\r\nhost: x", ""},
      {"file://x/etc/passwd", ""},
      {"//evil@x/", ""},
  };
  for (const auto& row : rows) EXPECT_EQ(resolve(base, row.reference), row.expected) << row.reference;
  EXPECT_EQ(resolve("http://hub", "/x"), "http://hub/x");
  EXPECT_EQ(target_of("http://hub"), "/");
  EXPECT_EQ(target_of("http://hub?x=1"), "?x=1");
}

TEST(Url, SegmentsAreEncoded) {
  EXPECT_EQ(encode("refs/pr/1"), "refs%2Fpr%2F1");
  EXPECT_EQ(encode_path("a b/c?d#e%.json"), "a%20b/c%3Fd%23e%25.json");
  EXPECT_EQ(encode_path("模型/x~_-.txt"), "%E6%A8%A1%E5%9E%8B/x~_-.txt");
}

Response redirect(int status, const std::string& location) {
  Response response;
  response.status = status;
  if (!location.empty()) response.headers = {{"location", location}};
  return response;
}

/// The decision as one word and where it leads.
std::string hop(const Endpoint& endpoint, std::string_view url, const Response& response) {
  const NextHop next = next_hop(endpoint, url, response);
  if (const auto* within = std::get_if<WithinHub>(&next)) return "within " + within->target;
  if (const auto* other = std::get_if<OtherHost>(&next)) return "other " + other->url;
  return std::holds_alternative<Final>(next) ? "final" : "broken";
}

TEST(Redirects, DecisionList) {
  const Endpoint hub("https://huggingface.co/");
  const std::string url = "https://huggingface.co/a/b/resolve/main/c";
  EXPECT_EQ(hop(hub, url, redirect(200, "")), "final");
  EXPECT_EQ(hop(hub, url, redirect(304, "/x")), "final");
  EXPECT_EQ(hop(hub, url, redirect(307, "/api/resolve-cache/models/a/b/c")), "within /api/resolve-cache/models/a/b/c");
  EXPECT_EQ(hop(hub, url, redirect(302, "https://HUGGINGFACE.co:443/x?y")), "within /x?y");
  EXPECT_EQ(hop(hub, url, redirect(302, "http://huggingface.co/x")), "other http://huggingface.co/x") << "no token in the clear";
  EXPECT_EQ(hop(hub, url, redirect(302, "https://huggingface.co:444/x")), "other https://huggingface.co:444/x");
  EXPECT_EQ(hop(hub, url, redirect(302, "https://cdn.example/x?S=%2f")), "other https://cdn.example/x?S=%2f");
  EXPECT_EQ(hop(hub, url, redirect(302, "https://huggingface.co@cdn.example/x")), "broken");
  EXPECT_EQ(hop(hub, url, redirect(302, "")), "broken");
}

TEST(Redirects, AMirrorPassesOnTheHubsOwn) {
  const Endpoint mirror("https://mirror.example");
  const std::string url = "https://mirror.example/a/b/resolve/main/c";
  EXPECT_EQ(hop(mirror, url, redirect(307, "https://huggingface.co/api/resolve-cache/models/a/b/c")),
            "within /api/resolve-cache/models/a/b/c");
  EXPECT_EQ(hop(mirror, url, redirect(308, "https://huggingface.co/a/b/resolve/main/c")),
            "other https://huggingface.co/a/b/resolve/main/c") << "the same path elsewhere: the mirror does not serve us";
}

TEST(Redirects, AnEndpointMayHaveAPath) {
  const Endpoint proxy("http://proxy:8080/hf/");
  EXPECT_EQ(proxy.at("/api/models"), "http://proxy:8080/hf/api/models");
  EXPECT_EQ(proxy.at("/hf/api/models"), "http://proxy:8080/hf/api/models");
  EXPECT_EQ(Endpoint("http://hub").at("/x"), "http://hub/x");
  EXPECT_EQ(Endpoint("no address").origin, "");
}

TEST(Redirects, RenamesAreSeenInThePath) {
  EXPECT_EQ(moved_name("/api/models/gpt2", "gpt2", "/api/models/openai-community/gpt2"), "openai-community/gpt2");
  EXPECT_EQ(moved_name("/api/models/a/b/commits/main?limit=5", "a/b", "/api/models/c/d/commits/main?limit=5"), "c/d");
  EXPECT_EQ(moved_name("/a/b/resolve/main/x.json", "a/b", "/A/B/resolve/main/x.json"), "A/B");
  EXPECT_EQ(moved_name("/a/b/resolve/main/x.json", "a/b", "/api/resolve-cache/models/a/b/0/x.json"), "");
  EXPECT_EQ(moved_name("/a/b/resolve/main/x.json", "a/b", "/a/b/resolve/main/x.json?y"), "");
  EXPECT_EQ(moved_name("/a/b/resolve/main/x.json", "a/b", "/c/<script>/resolve/main/x.json"), "");
  EXPECT_EQ(moved_name("/a/bc/resolve/main/x", "a/b", "/c/d/resolve/main/x"), "");
}

}  // namespace
}  // namespace modelwatch::hub
