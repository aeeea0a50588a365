#include "daemon/hub/bodies.h"

#include <gtest/gtest.h>

namespace modelwatch::hub {
namespace {

const std::string kSha(40, 'a'), kOther(40, 'b'), kSha256(64, 'c');

template <class T>
std::string trouble_of(const Outcome<T>& outcome) {
  return outcome ? "ok" : outcome.error().kind == Trouble::Kind::malformed ? outcome.error().message : "another kind of trouble";
}

TEST(Bodies, InfoOfAnExpandedAnswer) {
  const auto info = read_info(R"({"_id": "621ffdc036468d709f17434d", "id": "org/m", "sha": ")" + kSha + R"(", "private": true,
      "gated": "manual", "disabled": false, "downloads": 12, "tags": ["license:mit", "base_model:org/base",
      "base_model:quantized:org/base", 7, "region:us"], "safetensors": {"parameters": {"F32": 5}, "total": 5}})", "org/m");
  ASSERT_EQ(trouble_of(info), "ok");
  EXPECT_EQ(info->hub_id, "621ffdc036468d709f17434d");
  EXPECT_EQ(info->sha, kSha);
  EXPECT_TRUE(info->is_private);
  EXPECT_EQ(info->gated, "manual");
  EXPECT_EQ(info->license, "mit");
  EXPECT_EQ(info->base_model, "org/base");
  EXPECT_EQ(info->tags.size(), 4U);
  EXPECT_EQ(info->safetensors_total, 5);
}

TEST(Bodies, InfoToleratesWhatIsMissingOrOdd) {
  const auto bare = read_info(R"({"modelId": "org/m", "gated": false, "tags": null, "downloads": -1, "safetensors": {"total": 1.5}})", "org/m");
  ASSERT_EQ(trouble_of(bare), "ok");
  EXPECT_EQ(bare->hub_id, "org/m") << "no ids: the name is the identity";
  EXPECT_EQ(bare->sha, "");
  EXPECT_EQ(bare->gated, "");
  EXPECT_EQ(bare->downloads, 0);
  EXPECT_FALSE(bare->safetensors_total);
  EXPECT_EQ(read_info(R"({"id": "org/m", "gated": true})", "x")->gated, "auto");
  EXPECT_EQ(trouble_of(read_info(R"({"_id": "x"})", "org/m")), "org/m: the answer does not name the repository");
  EXPECT_EQ(trouble_of(read_info(R"({"id": "org/m", "sha": "main"})", "org/m")), "org/m: the answer's sha is not 40 hex digits");
  EXPECT_EQ(trouble_of(read_info("[]", "org/m")), "org/m: the answer is no object");
  EXPECT_EQ(trouble_of(read_info("<html>", "org/m")), "org/m: the answer is not JSON");
  EXPECT_EQ(trouble_of(read_info(R"({"id": "org/m", "x": )" + std::string(100, '[') + std::string(100, ']') + "}", "org/m")),
            "org/m: the answer nests more than 64 levels");
}

TEST(Bodies, Commits) {
  const auto commits = read_commits(R"([{"id": ")" + kSha + R"(", "title": "T", "message": "\n\n", "date": "2024-02-19T10:57:45.000Z",
      "authors": [{"user": "ann", "avatar": "x"}, {"avatar": "y"}, {"user": "Ben B"}]}, {"id": ")" + kOther + R"("}])", "m");
  ASSERT_EQ(trouble_of(commits), "ok");
  ASSERT_EQ(commits->size(), 2U);
  EXPECT_EQ((*commits)[0].title, "T");
  EXPECT_EQ((*commits)[0].authors, (std::vector<std::string>{"ann", "Ben B"}));
  EXPECT_EQ((*commits)[0].date.time_since_epoch().count(), 1708340265);
  EXPECT_EQ((*commits)[1].date.time_since_epoch().count(), 0);
  EXPECT_EQ(trouble_of(read_commits(R"([{"id": "xyz"}])", "m")), "m: a commit's id is not 40 hex digits");
  EXPECT_EQ(trouble_of(read_commits(R"([7])", "m")), "m: a commit's id is not 40 hex digits");
}

TEST(Bodies, Refs) {
  const auto refs = read_refs(R"({"tags": [{"name": "v1", "ref": "refs/tags/v1", "targetCommit": ")" + kSha + R"("}],
      "branches": [{"name": "main", "ref": "refs/heads/main", "targetCommit": ")" + kOther + R"("}], "converts": [], "pullRequests": [1]})", "m");
  ASSERT_EQ(trouble_of(refs), "ok");
  ASSERT_EQ(refs->size(), 2U);
  EXPECT_EQ((*refs)[0].ref, "refs/heads/main");
  EXPECT_EQ((*refs)[1].sha, kSha);
  EXPECT_EQ(trouble_of(read_refs(R"({"tags": [{"name": "v1"}]})", "m")), "m: a ref without name or commit");
}

TEST(Bodies, Tree) {
  const auto tree = read_tree(R"([{"type": "directory", "oid": "x", "size": 0, "path": "d"},
      {"type": "file", "oid": ")" + kSha + R"(", "size": 18446744073709551615, "path": "d/huge"},
      {"type": "file", "oid": ")" + kSha + R"(", "size": 9, "lfs": {"oid": ")" + kSha256 + R"(", "size": 9, "pointerSize": 130}, "path": "w"},
      {"type": "file", "oid": ")" + kSha + R"(", "size": 9, "lfs": {"sha256": ")" + kSha256 + R"(", "size": 9}, "path": "w2"},
      {"type": "file", "oid": ")" + kSha + R"(", "size": 9, "lfs": {"oid": ")" + std::string(64, '*') + R"(", "size": 9}, "path": "masked"}])", "m");
  ASSERT_EQ(trouble_of(tree), "ok");
  ASSERT_EQ(tree->size(), 4U);
  EXPECT_EQ((*tree)[0].size, ~0ULL);
  EXPECT_EQ((*tree)[1].lfs->sha256, kSha256);
  EXPECT_EQ((*tree)[1].lfs->pointer_size, 130U);
  EXPECT_EQ((*tree)[2].lfs->sha256, kSha256);
  EXPECT_EQ((*tree)[3].lfs->sha256, "");
  EXPECT_EQ(trouble_of(read_tree(R"([{"type": "file", "oid": ")" + kSha + R"(", "size": 1}])", "m")), "m: a listed file without path");
  EXPECT_EQ(trouble_of(read_tree(R"([{"type": "file", "oid": "", "size": 1, "path": "x"}])", "m")), "m: a listed file's oid is not 40 hex digits");
  EXPECT_EQ(trouble_of(read_tree(R"([{"type": "file", "oid": ")" + kSha + R"(", "size": -1, "path": "x"}])", "m")), "m: a listed file without size");
}

TEST(Bodies, Lists) {
  const auto list = read_list(R"([{"_id": "1", "id": "a/b", "sha": ")" + kSha + R"(", "lastModified": "2026-10-01T09:12:44.000Z"}, {"id": "a/c", "sha": null}])", "m");
  ASSERT_EQ(trouble_of(list), "ok");
  EXPECT_EQ((*list)[0].sha, kSha);
  EXPECT_EQ((*list)[1].sha, "");
  EXPECT_EQ(trouble_of(read_list(R"([{"_id": "1"}])", "m")), "m: a listed repository without name");
}

TEST(Bodies, Dates) {
  const auto seconds = [](std::string_view text) {
    const auto date = read_date(text);
    return date ? date->time_since_epoch().count() : -1;
  };
  EXPECT_EQ(seconds("1970-01-01T00:00:10.999Z"), 10);
  EXPECT_EQ(seconds("2024-02-29T00:00:00Z"), 1709164800);
  EXPECT_EQ(seconds("2024-02-29T02:00:00.5+02:00"), 1709164800);
  EXPECT_EQ(seconds("2024-02-28T22:30:00-0130"), 1709164800);
  for (const char* wrong : {"", "2024-02-30T00:00:00Z", "2024-02-29", "2024-02-29T00:00:00", "2024-02-29T24:00:00Z", "2024-13-29T00:00:00Z",
                            "abcd-02-29T00:00:00Z", "2024-02-29T00:00:00.Q", "2024-02-29T00:00:00+2", "2024-02-29T-1:00:00Z"})
    EXPECT_EQ(seconds(wrong), -1) << wrong;
}

}  // namespace
}  // namespace modelwatch::hub
