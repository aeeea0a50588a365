#include "advisories/osv/purl.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

TEST(Purl, OfAModelIsReadInEveryFormSeen) {
  const std::string lower(40, 'a'), upper(40, 'A'), hub(kPublicHub);
  const struct {
    std::string text;
    ModelPurl purl;
  } rows[] = {
      {"pkg:huggingface/Org/Name@" + upper, {"Org/Name", lower, hub}},
      {"pkg:huggingface/org/name", {"org/name", "", hub}},
      {"pkg:huggingface/gpt2@main", {"gpt2", "main", hub}},
      {"PKG:HuggingFace/org/name@V1.0", {"org/name", "V1.0", hub}},
      {"pkg://huggingface/org/name/", {"org/name", "", hub}},
      {"pkg:huggingface/org/name@" + lower + "?repository_url=https://hub.example.org/", {"org/name", lower, "https://hub.example.org"}},
      {"pkg:huggingface/org/name?a=b&Repository_URL=https%3A%2F%2Fhub.example.org#sub/path", {"org/name", "", "https://hub.example.org"}},
      {"pkg:huggingface/org/name?repository_url", {"org/name", "", hub}},
      {"pkg:huggingface/or%67/name@refs%2Fpr%2F1", {"org/name", "refs/pr/1", hub}},
  };
  for (const auto& row : rows) {
    const auto purl = parse_model_purl(row.text);
    ASSERT_TRUE(purl) << row.text << ": " << purl.error().message;
    EXPECT_EQ(purl->repository, row.purl.repository) << row.text;
    EXPECT_EQ(purl->version, row.purl.version) << row.text;
    EXPECT_EQ(purl->hub, row.purl.hub) << row.text;
  }
}

TEST(Purl, ThatIsNoneOrOfAnotherTypeIsRefused) {
  for (const char* text : {"", "pkg:", "pkg:huggingface", "pkg:huggingface/", "pkg:pypi/torch@2", "huggingface/org/name",
                           "pkg:huggingface/a/b/c", "pkg:huggingface/a/b%", "pkg:huggingface/a/b%zz@1", "pkg:huggingface/a/b@%4"})
    EXPECT_FALSE(parse_model_purl(text)) << text;
  EXPECT_EQ(purl_type("pkg:PyPI/torch@2"), "pypi");
  EXPECT_EQ(purl_type("https://huggingface.co/org/name"), "");
}

TEST(Purl, IsWrittenWithoutAVersion) {
  EXPECT_EQ(model_purl(kPublicHub, "Org/Na.me_1"), "pkg:huggingface/Org/Na.me_1");
  EXPECT_EQ(model_purl("http://127.0.0.1:8080", "gpt2"), "pkg:huggingface/gpt2?repository_url=http://127.0.0.1:8080");
  const auto read = parse_model_purl(model_purl("http://127.0.0.1:8080/a b", "gpt2"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->hub, "http://127.0.0.1:8080/a b");
}

}  // namespace
}  // namespace modelwatch::advisories
