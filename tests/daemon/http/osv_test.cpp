#include <gmock/gmock.h>

#include "daemon/http/ecosystems.h"
#include "estimator/json/writer.h"
#include "tests/daemon/http/site.h"

namespace modelwatch::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Osv : public SiteTest {
 protected:
  /// Summaries' ends of what a query finds: the short sha of the commit that introduced each.
  std::vector<std::string> found(const std::string& query) {
    std::vector<std::string> shas;
    const json::Value answer = document(post("/v1/query", query));
    if (const json::Value* vulns = answer.find("vulns"))
      for (const json::Value& vuln : *vulns->array())
        shas.push_back(vuln.find("affected")->array()->at(0).find("ranges")->array()->at(0).find("events")->array()->at(0).find("introduced")->string()->substr(0, 2));
    return shas;
  }
  static std::string by_commit(const std::string& sha) { return R"({"commit":")" + sha + "\"}"; }
  static std::string by_purl(const std::string& purl) { return R"({"package":{"purl":")" + purl + "\"}}"; }
};

TEST_F(Osv, ByCommitBeforeAtAndAfterAChange) {
  EXPECT_THAT(found(by_commit(sha(11))), IsEmpty());
  EXPECT_THAT(found(by_commit(sha(12))), ElementsAre("12"));
  EXPECT_THAT(found(by_commit(sha(13))), ElementsAre("12")) << "the state is still there";
  EXPECT_THAT(found(by_commit(sha(14))), ElementsAre("14")) << "closed: another change explains it";
  EXPECT_THAT(found(by_commit(sha(22))), SizeIs(2));
  std::string upper = sha(12);
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  EXPECT_THAT(found(by_commit(upper)), ElementsAre("12"));
}

TEST_F(Osv, NothingFoundIsAnEmptyObjectAndAHeaderSaysWhetherTheRevisionIsKnown) {
  const Reply before = post("/v1/query", by_commit(sha(11))), never = post("/v1/query", by_commit(sha(99)));
  EXPECT_EQ(before.body, "{}");
  EXPECT_EQ(never.body, "{}");
  EXPECT_EQ(header(before, "X-Revision-Known"), "true");
  EXPECT_EQ(header(never, "X-Revision-Known"), "false");
}

TEST_F(Osv, ByPackageAndVersion) {
  const auto package = [&](const std::string& name, const std::string& rest) {
    return found(R"({"package":{"name":")" + name + R"(","ecosystem":"GIT"})" + rest + "}");
  };
  const std::string version = R"(,"version":")" + sha(13) + "\"";
  EXPECT_THAT(package("https://huggingface.co/org/a", version), ElementsAre("12"));
  EXPECT_THAT(package("https://huggingface.co/org/a.git", version), ElementsAre("12"));
  EXPECT_THAT(package("huggingface.co/org/a/", version), ElementsAre("12"));
  EXPECT_THAT(package("https://huggingface.co/org/b", version), IsEmpty());
  EXPECT_THAT(package("https://example.com/org/a", version), IsEmpty());
  EXPECT_THAT(package("https://huggingface.co/datasets/org/a", version), IsEmpty());
  EXPECT_THAT(package("https://huggingface.co/org/a", ""), testing::UnorderedElementsAre("12", "14"));
  EXPECT_THAT(found(R"({"package":{"name":"https://huggingface.co/org/a"})" + version + "}"), ElementsAre("12"));
  EXPECT_THAT(found(R"({"package":{"name":"left-pad","ecosystem":"npm"},"version":"1.0"})"), IsEmpty());
}

TEST_F(Osv, ByPurl) {
  EXPECT_THAT(found(by_purl("pkg:huggingface/org/a@" + sha(13))), ElementsAre("12"));
  EXPECT_THAT(found(by_purl("pkg:huggingface/org/a")), SizeIs(2));
  EXPECT_THAT(found(R"({"version":")" + sha(13) + R"(","package":{"purl":"pkg:huggingface/org/a"}})"), ElementsAre("12"));
  EXPECT_THAT(found(by_purl("pkg:huggingface/org/a@" + sha(13) + "?repository_url=https://huggingface.co")), ElementsAre("12"));
  EXPECT_THAT(found(by_purl("pkg:huggingface/org/a@" + sha(13) + "?repository_url=https://hub.example.org")), IsEmpty());
  EXPECT_THAT(found(by_purl("pkg:npm/left-pad@1.0")), IsEmpty());
}

TEST_F(Osv, ARefStandsForTheRevisionLastSeen) {
  const Reply reply = post("/v1/query", by_purl("pkg:huggingface/org/a@main"));
  EXPECT_EQ(header(reply, "X-Resolved-Revision"), sha(14));
  EXPECT_THAT(found(by_purl("pkg:huggingface/org/a@main")), ElementsAre("14"));
  auto row = storage::must(store.find("org/a"));
  row.facts.set("refs", json::Object{{"refs/tags/v1.0", sha(12)}});
  storage::must(store.update(row));
  EXPECT_THAT(found(by_purl("pkg:huggingface/org/a@v1.0")), ElementsAre("12"));
  const Reply unknown = post("/v1/query", by_purl("pkg:huggingface/org/a@v2.0"));
  EXPECT_EQ(unknown.body, "{}");
  EXPECT_EQ(header(unknown, "X-Revision-Known"), "false");
}

TEST_F(Osv, ARecordIsServedAsItIsStored) {
  const std::string id = storage::must(store.documents("org/a", {}, 1)).rows.at(0).id;
  const Reply reply = get("/v1/vulns/" + id);
  EXPECT_EQ(reply.body, storage::must(store.advisory(id)).document);
  EXPECT_THAT(header(reply, "Last-Modified"), HasSubstr("2026 "));
  EXPECT_EQ(get("/v1/vulns/" + id, {{"if-none-match", header(reply, "ETag")}}).status, 304);
  EXPECT_EQ(get("/v1/vulns/" + id, {{"if-modified-since", header(reply, "Last-Modified")}}).status, 304);
  EXPECT_THAT(post("/v1/query", by_commit(sha(14))).body, HasSubstr(reply.body));
}

TEST_F(Osv, ErrorsInItsOwnWords) {
  const auto package = [](const std::string& inside) { return R"({"package":{)" + inside + "}}"; };
  const std::pair<std::string, const char*> cases[] = {
      {"{}", "400 invalid query"},
      {"[]", "400 invalid query"},
      {"null", "400 invalid query"},
      {R"({"commit":""})", "400 invalid hash"},
      {R"({"commit":"not hex"})", "400 invalid hash"},
      {R"({"commit":"abcdef0"})", "400 invalid hash"},
      {R"({"commit":17})", "400 invalid value for commit: a string is expected"},
      {R"({"commit":")" + sha(12) + R"(","version":"1"})", "400 commit and version are exclusive"},
      {package(""), "400 invalid query"},
      {package(R"("name":"https://huggingface.co/org/a")"), "400 invalid query"},
      {package(R"("name":"","ecosystem":"GIT")"), "400 invalid query"},
      {package(R"("name":"x","ecosystem":"Hugging Face")"), "400 invalid ecosystem"},
      {package(R"("name":"x","ecosystem":"Debian:")"), "400 invalid ecosystem"},
      {package(R"("name":["x"],"ecosystem":"GIT")"), "400 invalid value for name: a string is expected"},
      {R"({"package":"x"})", "400 invalid value for package: an object is expected"},
      {package(R"("purl":"pkg:huggingface/org/a","name":"a")"), "400 name specified in a PURL query"},
      {package(R"("purl":"pkg:huggingface/org/a","ecosystem":"GIT")"), "400 ecosystem specified in a PURL query"},
      {package(R"("purl":"nonsense")"), "400 invalid PURL"},
      {package(R"("purl":"pkg:huggingface/")"), "400 invalid PURL"},
      {R"({"version":"1","package":{"purl":"pkg:huggingface/org/a@1"}})", "400 version specified in params and PURL query"},
      {R"({"commit":")" + sha(12) + R"(","page_token":"nonsense"})", "400 invalid cursor"},
  };
  for (const auto& [body, expected] : cases) {
    const Reply reply = post("/v1/query", body);
    EXPECT_EQ(error(reply), expected) << body;
    EXPECT_THAT(reply.body, HasSubstr("\"code\":3")) << body;
  }
  EXPECT_EQ(error(get("/v1/vulns/x_MODELWATCH-2026-000000000000")), "404 Vulnerability not found");
  EXPECT_EQ(error(get("/v1/vulns/" + std::string(101, 'x'))), "400 ID is too long");
}

TEST_F(Osv, HostileBodiesAreRefused) {
  for (const std::string& body : {std::string(), std::string("{"), std::string("commit=abc"), std::string(200'000, '['), std::string("{\"commit\":\"\xff\xfe\"}"),
                                  "{\"queries\":" + std::string(100'000, '{')}) {
    EXPECT_THAT(error(post("/v1/query", body)), HasSubstr("400 the body is not JSON: ")) << body.substr(0, 40);
    EXPECT_EQ(post("/v1/querybatch", body).status, 400);
  }
}

TEST_F(Osv, ABatchAnswersInOrder) {
  const json::Value answer = document(post("/v1/querybatch", R"({"queries":[)" + by_commit(sha(12)) + "," + by_commit(sha(99)) + "," + by_purl("pkg:huggingface/org/b") + "]}"));
  const json::Array& results = *answer.find("results")->array();
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].find("vulns")->array()->size(), 1U);
  EXPECT_EQ(json::write(results[1]), "{}");
  EXPECT_EQ(results[2].find("vulns")->array()->size(), 2U);
  const json::Value& vuln = results[0].find("vulns")->array()->at(0);
  EXPECT_EQ(vuln.object()->size(), 2U) << "id and modified alone";
  EXPECT_TRUE(vuln.find("modified")->string()->ends_with("Z"));
  EXPECT_EQ(post("/v1/querybatch", R"({"queries":[]})").body, R"({"results":[]})");
  EXPECT_EQ(error(post("/v1/querybatch", "{}")), "400 invalid query");
}

TEST_F(Osv, ABadQueryFailsTheBatch) {
  EXPECT_EQ(error(post("/v1/querybatch", R"({"queries":[)" + by_commit(sha(12)) + R"(,{"commit":"x"}]})")),
            "400 error in query at index 1: invalid hash");
  EXPECT_EQ(error(post("/v1/querybatch", R"({"queries":{}})")), "400 invalid query");
  std::string many = R"({"queries":[)" + by_commit(sha(12));
  for (int i = 0; i < 1000; ++i) many += "," + by_commit(sha(12));
  EXPECT_EQ(error(post("/v1/querybatch", many + "]}")), "400 too many queries");
}

/// More advisories of one package than a page holds.
TEST_F(Osv, PagesTogetherAreTheWholeAndATokenHoldsForItsQueryAlone) {
  storage::Writer c(store, "org/c", "c1");
  c.commit(sha(3000), {});
  for (int i = 1; i <= 1020; ++i)
    c.commit(sha(3000 + i), {storage::change(advisories::Part::config, advisories::Impact::breaking, "c" + std::to_string(i))});
  const std::string package = R"("package":{"name":"https://huggingface.co/org/c","ecosystem":"GIT"})";
  std::set<std::string> ids;
  std::string token;
  int pages = 0;
  do {
    const json::Value answer = document(post("/v1/query", "{" + package + (token.empty() ? "" : R"(,"page_token":")" + token + "\"") + "}"));
    for (const json::Value& vuln : *answer.find("vulns")->array()) EXPECT_TRUE(ids.insert(*vuln.find("id")->string()).second);
    const json::Value* next = answer.find("next_page_token");
    if (next && pages == 0) {
      EXPECT_EQ(error(post("/v1/query", R"({"package":{"name":"https://huggingface.co/org/a","ecosystem":"GIT"},"page_token":")" + *next->string() + "\"}")),
                "400 invalid cursor");
    }
    token = next ? *next->string() : "";
    ++pages;
  } while (!token.empty());
  EXPECT_EQ(ids.size(), 1020U);
  EXPECT_EQ(pages, 2);

  const std::string batch = R"({"queries":[{)" + package + "},{" + package + "},{" + package + "},{" + package + "},{" + package + "},{" + package + "},{" + package + "}]}";
  const json::Value answer = document(post("/v1/querybatch", batch));
  std::size_t total = 0;
  for (const json::Value& result : *answer.find("results")->array()) {
    total += result.find("vulns")->array()->size();
    EXPECT_NE(result.find("next_page_token"), nullptr) << "each says that there is more";
  }
  EXPECT_LE(total, 3007U) << "one record a query once the batch has its 3000";
}

TEST(Ecosystems, AreFoundWithOrWithoutASuffix) {
  for (const char* name : {"GIT", "npm", "Debian:12", "crates.io", "GIT:x", "vcpkg", "AlmaLinux"}) EXPECT_TRUE(is_ecosystem(name)) << name;
  for (const char* name : {"", "git", "Debian:", "Hugging Face", ":12", "x"}) EXPECT_FALSE(is_ecosystem(name)) << name;
}

}  // namespace
}  // namespace modelwatch::http
