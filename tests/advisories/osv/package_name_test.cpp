#include "advisories/osv/package_name.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

TEST(PackageName, IsComparedAsClientsCompareIt) {
  const struct {
    const char *written, *normal;
  } rows[] = {
      {"https://huggingface.co/Org/Name", "huggingface.co/Org/Name"},
      {"https://huggingface.co/Org/Name.git/", "huggingface.co/Org/Name"},
      {"HTTPS://HuggingFace.co/Org/Name//", "huggingface.co/Org/Name"},
      {"git@huggingface.co/org/name", "huggingface.co/org/name"},
      {"huggingface.co/org/na@me", "huggingface.co/org/na@me"},
      {"", ""},
  };
  for (const auto& row : rows) EXPECT_EQ(normalized_git_name(row.written), row.normal);
}

TEST(PackageName, LeadsToARepositoryOfTheHub) {
  const std::string hub = "https://huggingface.co";
  EXPECT_EQ(repository_of_git_name("http://huggingface.co/org/name.git", hub), "org/name");
  EXPECT_EQ(repository_of_git_name("huggingface.co/gpt2", hub), "gpt2");
  EXPECT_EQ(repository_of_git_name("https://HUGGINGFACE.co/Org/Name/", hub), "Org/Name");
  for (const char* other : {"https://github.com/org/name", "https://huggingface.co", "https://huggingface.co/datasets/x",
                            "https://huggingface.co/spaces/a/b", "https://huggingface.co/a/b/c", "https://huggingface.com/a/b", ""})
    EXPECT_EQ(repository_of_git_name(other, hub), std::nullopt) << other;
}

TEST(PackageName, OfARepositoryHasOneOrTwoSegments) {
  for (const char* good : {"gpt2", "org/name", "a.b-c_d/E.f"}) EXPECT_TRUE(is_repository_name(good)) << good;
  for (const char* bad : {"", "/", "a/", "/a", "a/b/c", "..", "a/..", "a b", "a/b?c", "a/ü", "a/b@c"}) EXPECT_FALSE(is_repository_name(bad)) << bad;
  EXPECT_FALSE(is_repository_name(std::string(97, 'a')));
}

TEST(FullCommit, IsFortyOrSixtyFourHexDigitsLowered) {
  EXPECT_EQ(full_commit(std::string(40, 'A')), std::string(40, 'a'));
  EXPECT_EQ(full_commit(std::string(64, '0')), std::string(64, '0'));
  for (const std::string& bad : {std::string(39, 'a'), std::string(41, 'a'), std::string(40, 'g'), std::string("main"), std::string()})
    EXPECT_EQ(full_commit(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace modelwatch::advisories
