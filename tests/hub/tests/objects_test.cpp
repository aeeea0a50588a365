#include "tests/hub/git/objects.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/hub/git/digest.h"
#include "tests/hub/git/repository.h"
#include "tests/hub/git/safetensors.h"

namespace modelwatch::testhub {
namespace {

TEST(Digest, KnownVectors) {
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  for (const auto& [plain, coded] :
       {std::pair{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}}) {
    EXPECT_EQ(base64(plain), coded);
    EXPECT_EQ(base64_decode(coded), plain);
  }
}

/// Recorded from the Hub.
TEST(Digest, WeakEtags) {
  EXPECT_EQ(weak_etag("Entry not found"), "W/\"f-mY2VvLxuxB7KhsoOdQTlMTccuAQ\"");
  EXPECT_EQ(weak_etag(R"({"error":"Repository not found"})"), "W/\"20-bITJowpdmeRi6flSV9yCp5Fkq5k\"");
  EXPECT_EQ(weak_etag("Invalid username or password."), "W/\"1d-DMkJvg8tpLoaQbsiq9Mz7l2CJyI\"");
  EXPECT_EQ(weak_etag(R"({"error":"Invalid rev id: does-not-exist"})"),
            "W/\"2a-TQAfhukuCBO4wOfjXb5rePuXRN0\"");
}

TEST(Objects, BlobsHaveGitNames) {
  EXPECT_EQ(make_blob(Content(""))->oid, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(make_blob(Content("hello\n"))->oid, "ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_EQ(default_gitattributes()->oid, "a6344aac8c09253b3b630fb776ae94478aa0275b");  // recorded
  EXPECT_EQ(default_gitattributes()->content.size(), 1519U);
}

/// sha256, size and oid of one file as the Hub lists them.
TEST(Objects, LfsFilesAreNamedByTheirPointer) {
  const std::string pointer =
      lfs_pointer("263cfc7e1d9b1c10f6bfb65a7530bf537095241d2cb26b6b2344dff332ed8766", 49742567544);
  EXPECT_EQ(pointer.size(), 136U);
  EXPECT_EQ(git_object_id("blob", pointer), "b22650934dabeb36b18acc1108afa1642cbbbcd4");
  const BlobPtr blob = make_lfs_blob(Content("weights"));
  EXPECT_EQ(blob->lfs->sha256, sha256_hex("weights"));
  EXPECT_EQ(blob->oid, git_object_id("blob", blob->lfs->pointer));
  EXPECT_NE(blob->xet_hash, blob->lfs->sha256);
  EXPECT_EQ(blob->xet_hash.size(), 64U);
}

std::string run(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  std::array<char, 256> buffer{};
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe)) out += buffer.data();
  if (pipe) ::pclose(pipe);
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

/// The same files and commit made by git itself.
TEST(Objects, TreesAndCommitsHaveGitNames) {
  if (run("git --version").empty()) GTEST_SKIP() << "git is not installed";
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("testhub-git-" + std::to_string(::getpid()));
  const std::map<std::string, std::string> contents = {
      {"a-b", "1"}, {"a/b", "2"}, {"a/c/d.txt", "3\n"},      {"a.c", "4"},
      {"a0", "5"},  {"z", ""},    {"onnx/config.json", "{}"}};
  std::map<std::string, BlobPtr> files;
  for (const auto& [path, text] : contents) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
    files[path] = make_blob(Content(text));
  }
  const TreePtr tree = make_tree(files);
  const CommitPtr commit = make_commit({.id = {},
                                        .tree = tree,
                                        .parent = {},
                                        .author = {"Ann Example", "ann@users.example"},
                                        .date = std::chrono::sys_seconds(std::chrono::seconds(1767225600)),
                                        .title = "Add files",
                                        .message = "\n\nwith a body\n"});
  const std::string git =
      "cd " + root.string() + " && HOME=" + root.string() +
      " GIT_CONFIG_NOSYSTEM=1 "
      "GIT_AUTHOR_NAME='Ann Example' GIT_AUTHOR_EMAIL=ann@users.example GIT_AUTHOR_DATE='1767225600 +0000' "
      "GIT_COMMITTER_NAME='Ann Example' GIT_COMMITTER_EMAIL=ann@users.example GIT_COMMITTER_DATE='1767225600 "
      "+0000' ";
  run("cd " + root.string() + " && git init -q . && git add -A");
  EXPECT_EQ(run("cd " + root.string() + " && git write-tree"), tree->oid);
  EXPECT_EQ(run("cd " + root.string() + " && git rev-parse $(git write-tree):a/c"),
            tree->directories.at("a/c"));
  EXPECT_EQ(run(git + "git commit-tree -m 'Add files' -m 'with a body' $(git write-tree)"), commit->id);
  EXPECT_EQ(run("cd " + root.string() + " && git hash-object a/c/d.txt"), files.at("a/c/d.txt")->oid);
  std::filesystem::remove_all(root);
}

TEST(Objects, LfsIsDecidedByGitattributes) {
  const std::vector<std::string> patterns = lfs_patterns(default_gitattributes()->content.bytes());
  for (const auto& [path, lfs] : std::map<std::string, bool>{{"model.safetensors", true},
                                                             {"deep/down/model.safetensors", true},
                                                             {"saved_model/1/weights", true},
                                                             {"runs/events.out.tfevents.1", true},
                                                             {"tokenizer.model", true},
                                                             {"tokenizer.json", false},
                                                             {"model.gguf", false},
                                                             {"safetensors", false}})
    EXPECT_EQ(matches_lfs(patterns, path), lfs) << path;
}

TEST(Objects, SizeMakesLfsToo) {
  Repository repository;
  repository.name = "a/b";
  repository.push({.files = {{"big.json", std::string((10 << 20) + 1, ' ')},
                             {"small.json", "{}"},
                             {"forced.json", NewFile(Content("{}"), true)}}},
                  std::chrono::sys_seconds());
  const Tree& tree = *repository.head()->tree;
  EXPECT_TRUE((*tree.find("big.json"))->lfs);
  EXPECT_FALSE((*tree.find("small.json"))->lfs);
  EXPECT_TRUE((*tree.find("forced.json"))->lfs);
}

TEST(Content, FilesAreMappedAndHollowOnesAreCheap) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("testhub-content-" + std::to_string(::getpid()));
  std::ofstream(path) << "from disk";
  const Content file = Content::file(path);
  EXPECT_EQ(file.bytes(), "from disk");
  EXPECT_EQ(file.read(5, 2), "di");
  std::filesystem::remove(path);
  EXPECT_THROW(Content::file(path), std::runtime_error);

  const Content hollow = Content::hollow("head", 70'000'000'000, 1);
  EXPECT_EQ(hollow.size(), 70'000'000'000U);
  EXPECT_EQ(hollow.read(2, 100), "ad");
  EXPECT_EQ(hollow.read(69'999'999'998, 100), std::string(2, '\0'));
  EXPECT_NE(make_lfs_blob(hollow)->oid, make_lfs_blob(Content::hollow("head", 70'000'000'000, 2))->oid);
}

TEST(Safetensors, FilesAreValidAndSeedsKeepTheSize) {
  const Content first = safetensors_file({{"a", "BF16", {2, 3}}, {"b", "F4", {3}}, {"scalar", "F32", {}}}, 1);
  const Content second =
      safetensors_file({{"a", "BF16", {2, 3}}, {"b", "F4", {3}}, {"scalar", "F32", {}}}, 2);
  EXPECT_EQ(first.size(), second.size());
  EXPECT_NE(first.bytes(), second.bytes());
  const auto header = safetensors_header(first);
  ASSERT_TRUE(header);
  EXPECT_EQ(*header, *safetensors_header(second));
  const json::Value* end = json::at_pointer(*header, "/scalar/data_offsets/1");
  ASSERT_TRUE(end);
  EXPECT_EQ(*end->integer(), 12 + 2 + 4);
  EXPECT_FALSE(safetensors_header(Content("no weights at all")));
  EXPECT_THROW(safetensors_file({{"a", "Q9", {1}}}), std::invalid_argument);
}

}  // namespace
}  // namespace modelwatch::testhub
