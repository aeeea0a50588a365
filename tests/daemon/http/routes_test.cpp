#include <gmock/gmock.h>

#include <set>

#include "estimator/json/writer.h"
#include "tests/daemon/http/site.h"

namespace modelwatch::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Routes : public SiteTest {
 protected:
  static std::vector<std::string> texts(const json::Value& list, std::string_view key) {
    std::vector<std::string> found;
    for (const json::Value& item : *list.array()) found.push_back(item.find(key)->string() ? *item.find(key)->string() : json::write(*item.find(key)));
    return found;
  }
};

TEST_F(Routes, HealthIsTheDatabases) {
  const Reply reply = get("/healthz");
  EXPECT_EQ(*document(reply).find("status")->string(), "ok");
  EXPECT_EQ(header(reply, "Cache-Control"), "no-store");
}

TEST_F(Routes, RepositoriesInPages) {
  const json::Value all = document(get("/api/v1/repos"));
  EXPECT_EQ(*all.find("schema")->string(), "modelwatch/repositories/1");
  EXPECT_THAT(texts(*all.find("repositories"), "id"), ElementsAre("org/a", "org/b"));
  EXPECT_TRUE(all.find("cursor")->is_null());
  const json::Value first = document(get("/api/v1/repos?limit=1"));
  EXPECT_THAT(texts(*first.find("repositories"), "id"), ElementsAre("org/a"));
  const std::string cursor = *first.find("cursor")->string();
  const json::Value second = document(get("/api/v1/repos?limit=1&cursor=" + cursor));
  EXPECT_THAT(texts(*second.find("repositories"), "id"), ElementsAre("org/b"));
  EXPECT_TRUE(second.find("cursor")->is_null());
}

TEST_F(Routes, OneRepository) {
  const json::Value one = document(get("/api/v1/repos/org/a"));
  EXPECT_EQ(*one.find("id")->string(), "org/a");
  EXPECT_EQ(*one.find("hub_id")->string(), "a1");
  EXPECT_EQ(*one.find("head")->string(), sha(14));
  EXPECT_TRUE(one.find("facts")->is_object());
  EXPECT_EQ(error(get("/api/v1/repos/org/c")), "404 org/c is not tracked");
  EXPECT_EQ(error(get("/api/v1/repos/org/a?ref=dev")), "404 org/a is tracked at main, not at dev");
}

TEST_F(Routes, RevisionsInPages) {
  const json::Value page = document(get("/api/v1/repos/org/a/revisions?limit=3"));
  EXPECT_EQ(*page.find("schema")->string(), "modelwatch/revisions/1");
  EXPECT_EQ(*page.find("repository")->find("head")->string(), sha(14));
  EXPECT_THAT(texts(*page.find("revisions"), "sha"), ElementsAre(sha(14), sha(13), sha(12)));
  EXPECT_EQ(*page.find("cursor")->string(), sha(12));
  const json::Value rest = document(get("/api/v1/repos/org/a/revisions?limit=3&cursor=" + sha(12)));
  EXPECT_THAT(texts(*rest.find("revisions"), "sha"), ElementsAre(sha(11)));
  EXPECT_TRUE(rest.find("cursor")->is_null());
  EXPECT_EQ(error(get("/api/v1/repos/gpt2/revisions")), "404 gpt2 is not tracked") << "an old name of one segment";
}

TEST_F(Routes, RevisionsByPartAndImpact) {
  const auto found = [&](const std::string& query) { return texts(*document(get("/api/v1/repos/org/a/revisions?" + query)).find("revisions"), "sha"); };
  EXPECT_THAT(found("part=config"), ElementsAre(sha(14), sha(12)));
  EXPECT_THAT(found("impact=breaking"), ElementsAre(sha(14), sha(12)));
  EXPECT_THAT(found("part=config&limit=1"), ElementsAre(sha(14)));
  EXPECT_THAT(found("part=config&limit=1&cursor=" + sha(14)), ElementsAre(sha(12)));
  EXPECT_THAT(found("part=tokenizer"), ElementsAre());
}

TEST_F(Routes, AnyTwoRevisionsCompared) {
  storage::Writer c(store, "org/c", "c1");
  c.commit(sha(31), {}, {storage::file("generation_config.json", R"({"eos_token_id":1})")});
  c.commit(sha(32), {}, {storage::file("generation_config.json", R"({"eos_token_id":2})")});
  const json::Value diff = document(get("/api/v1/repos/org/c/compare?from=" + sha(31) + "&to=main"));
  EXPECT_EQ(*diff.find("schema")->string(), "modelwatch/diff/1");
  EXPECT_EQ(*diff.find("from")->string(), sha(31));
  EXPECT_EQ(*diff.find("to")->string(), sha(32));
  EXPECT_THAT(texts(*diff.find("parts"), "part"), ElementsAre("generation"));
  EXPECT_THAT(texts(*document(get("/api/v1/repos/org/c/compare?from=" + sha(32) + "&to=" + sha(31))).find("parts"), "part"), ElementsAre("generation"));
  EXPECT_THAT(texts(*document(get("/api/v1/repos/org/c/compare?from=main")).find("parts"), "part"), ElementsAre());
  EXPECT_EQ(error(get("/api/v1/repos/org/c/compare")), "400 from is missing");
  EXPECT_EQ(get("/api/v1/repos/org/c/compare?from=ffffffff").status, 404);
  EXPECT_EQ(*document(get("/api/v1/repos/org/c/revisions/main/lint")).find("schema")->string(), "modelwatch/lint/1");
}

TEST_F(Routes, AdvisoriesInPages) {
  std::vector<std::string> ids;
  std::string cursor;
  do {
    const json::Value page = document(get("/api/v1/advisories?limit=3" + (cursor.empty() ? "" : "&cursor=" + cursor)));
    for (const std::string& id : texts(*page.find("advisories"), "id")) ids.push_back(id);
    cursor = page.find("cursor")->string() ? *page.find("cursor")->string() : "";
  } while (!cursor.empty());
  EXPECT_EQ(ids.size(), 4U);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 4U);
  EXPECT_EQ(document(get("/api/v1/advisories?repository=org/b")).find("advisories")->array()->size(), 2U);
  EXPECT_EQ(get("/api/v1/advisories?repository=org/unknown").status, 404);
  EXPECT_EQ(error(get("/api/v1/advisories?cursor=x")), "400 cursor is none of ours");
}

TEST_F(Routes, WhereAFileIsAndWhatDerivesFromAModel) {
  const std::string oid(storage::file("", "{}").file.oid);
  const json::Value blob = document(get("/api/v1/blobs/" + oid));
  EXPECT_THAT(texts(*blob.find("files"), "repository"), ElementsAre("org/a"));
  EXPECT_EQ(get("/api/v1/blobs/unknown").status, 404);
  auto row = storage::must(store.find("org/b"));
  row.facts.set("base_model", "org/a");
  storage::must(store.update(row));
  EXPECT_THAT(texts(*document(get("/api/v1/derived?base_model=org/a")).find("repositories"), "id"), ElementsAre("org/b"));
  EXPECT_EQ(error(get("/api/v1/derived")), "400 base_model is missing");
}

TEST_F(Routes, AtomOfAllOfARepositoryAndOfAnImpact) {
  const auto entries = [&](const std::string& path) {
    const Reply reply = get(path);
    EXPECT_EQ(reply.content_type, "application/atom+xml; charset=utf-8");
    std::size_t count = 0;
    for (auto at = reply.body.find("<entry>"); at != reply.body.npos; at = reply.body.find("<entry>", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(entries("/feed.atom"), 4U);
  EXPECT_EQ(entries("/feed/repository/org/b.atom"), 2U);
  EXPECT_EQ(entries("/feed/impact/security.atom"), 1U);
  EXPECT_EQ(get("/feed/impact/bad.atom").status, 404);
  EXPECT_EQ(get("/feed/repository/org/unknown.atom").status, 404);
  EXPECT_THAT(get("/feed.atom").body, testing::Not(HasSubstr("<code>"))) << "upstream's words are escaped";
}

TEST_F(Routes, OneRevisionWhole) {
  const json::Value one = document(get("/api/v1/repos/org/a/revisions/" + sha(12)));
  EXPECT_EQ(*one.find("schema")->string(), "modelwatch/revision/1");
  EXPECT_THAT(texts(*one.find("changes"), "summary"), ElementsAre("heads"));
  EXPECT_EQ(*document(get("/api/v1/repos/org/a/revisions/main")).find("revision")->find("sha")->string(), sha(14));
  EXPECT_EQ(get("/api/v1/repos/org/a/revisions/ffffffff").status, 404);
}

TEST_F(Routes, ChangesCanBeFollowed) {
  std::vector<std::string> followed;
  std::string cursor = "0";
  for (;;) {
    const json::Value page = document(get("/api/v1/changes?limit=2&since=" + cursor));
    cursor = *page.find("cursor")->string();
    if (page.find("changes")->array()->empty()) break;
    for (const std::string& summary : texts(*page.find("changes"), "summary")) followed.push_back(summary);
  }
  EXPECT_THAT(followed, ElementsAre("heads", "words", "more heads", "remote <code>", "tokens"));
  EXPECT_EQ(cursor, "5");
}

TEST_F(Routes, ChangesByRepositoryPartAndImpact) {
  const auto summaries = [&](const std::string& query) { return texts(*document(get("/api/v1/changes?" + query)).find("changes"), "summary"); };
  EXPECT_THAT(summaries("repository=org/b"), ElementsAre("remote <code>", "tokens"));
  EXPECT_THAT(summaries("part=config&impact=security"), ElementsAre("remote <code>"));
  EXPECT_THAT(summaries("since=2027-01-01"), ElementsAre());
  EXPECT_EQ(get("/api/v1/changes?repository=org/c").status, 404);
}

TEST_F(Routes, WrongParametersAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"/api/v1/changes?part=engine", "400 part is no part"},
      {"/api/v1/changes?impact=bad", "400 impact is no impact"},
      {"/api/v1/changes?since=soon", "400 \"soon\" is no cursor, date or known advisory"},
      {"/api/v1/changes?limit=0", "400 limit must be an integer from 1 to 1000"},
      {"/api/v1/changes?limit=1&limit=2", "400 limit is given twice"},
      {"/api/v1/changes?limti=1", "400 no such parameter: limti"},
      {"/api/v1/repos?cursor=x", "400 cursor must be an integer from 0 to 2147483647"},
      {"/api/v1/repos/org/a/revisions?cursor=nosha", "404 nosha is no revision of org/a"},
      {"/api/v1/plan?batch=two", "405 the address does not take GET"},
  };
  for (const auto& [target, expected] : cases) EXPECT_EQ(error(get(target)), expected) << target;
}

TEST_F(Routes, APlanOfAPostedConfig) {
  const std::string config = R"({"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":2,
    "num_attention_heads":4,"num_key_value_heads":2,"vocab_size":100})";
  const json::Value plan = document(post("/api/v1/plan?batch=4&checkpointing", config));
  EXPECT_EQ(*plan.find("schema")->string(), "modelwatch/plan/1");
  EXPECT_EQ(*plan.find("memory")->find("full")->find("batch")->integer(), 4);
  EXPECT_GT(*plan.find("parameters")->find("derived")->integer(), 0);
  EXPECT_FALSE(*document(post("/api/v1/plan", R"({"model_type":"unheard-of"})")).find("model")->find("known")->boolean());
  EXPECT_EQ(error(post("/api/v1/plan", "{")).substr(0, 16), "400 config.json:");
  EXPECT_EQ(error(post("/api/v1/plan?btach=1", config)), "400 no such parameter: btach");
  EXPECT_THAT(error(post("/api/v1/plan?batch=two", config)), HasSubstr("400 batch: "));
  EXPECT_THAT(error(post("/api/v1/plan?checkpointing=maybe", config)), HasSubstr("400 checkpointing is true or false"));
  EXPECT_EQ(post("/api/v1/plan", R"({"model_type":"llama","hidden_size":-1})").status, 400);
  EXPECT_EQ(post("/api/v1/plan", std::string(100'000, '[')).status, 400);
}

/// The document names each route, and nothing that is none.
TEST_F(Routes, TheOpenApiDocumentIsOfThisApi) {
  std::set<std::string> told;
  const json::Value openapi = document(get("/api/v1/openapi.json"));
  for (const auto& [path, operations] : *openapi.find("paths")->object()) {
    std::string pattern = path;
    if (const auto at = pattern.find("{org}/{name}"); at != pattern.npos) pattern.replace(at, 12, "{repo}");
    for (const auto& [method, operation] : *operations.object()) told.insert((method == "get" ? "GET " : "POST ") + pattern);
  }
  const std::vector<std::string> names = route_names();
  EXPECT_EQ(told, std::set<std::string>(names.begin(), names.end()));
}

TEST_F(Routes, WhatIsNotThereAndWhatIsNotAllowed) {
  for (const char* path : {"/", "/api", "/api/v1/repos/", "/api/v1/repos/a/b/c/d", "/healthz/", "/v1", "/badge/", "/api/v1/repos/../../etc"})
    EXPECT_EQ(get(path).status, 404) << path;
  EXPECT_EQ(error(get("/v1/nothing")), "404 no such address");
  const Reply put = ask("PUT", "/api/v1/repos", "", {});
  EXPECT_EQ(put.status, 405);
  EXPECT_EQ(header(put, "Allow"), "GET, HEAD");
  EXPECT_EQ(header(get("/v1/query"), "Allow"), "POST");
  EXPECT_EQ(get("/v1/query").status, 405);
}

TEST_F(Routes, HeadIsTheGetAndTagsAreKept) {
  const Reply got = get("/api/v1/repos");
  const std::string tag = header(got, "ETag");
  EXPECT_EQ(ask("HEAD", "/api/v1/repos", "", {}).body, got.body);
  EXPECT_EQ(get("/api/v1/repos", {{"if-none-match", tag}}).status, 304);
  storage::must(store.track("org/c", "main", {}, storage::at(0)));
  EXPECT_EQ(get("/api/v1/repos", {{"if-none-match", tag}}).status, 200);
}

}  // namespace
}  // namespace modelwatch::http
