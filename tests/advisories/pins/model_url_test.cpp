#include "advisories/pins/model_url.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

TEST(ModelUrl, IsReadInEveryFormSeen) {
  const struct {
    const char *url, *repository, *revision;
  } rows[] = {
      {"https://huggingface.co/org/name", "org/name", ""},
      {"https://huggingface.co/org/name/", "org/name", ""},
      {"https://huggingface.co/org/name.git", "org/name", ""},
      {"https://www.huggingface.co/org/name/tree/main", "org/name", "main"},
      {"http://hf.co/org/name/blob/abc/config.json?download=true#x", "org/name", "abc"},
      {"https://huggingface.co/org/name/resolve/v1.0/model.safetensors", "org/name", "v1.0"},
      {"https://huggingface.co/org/name/commit/0123", "org/name", "0123"},
      {"https://huggingface.co/gpt2/resolve/main/config.json", "gpt2", "main"},
      {"huggingface.co/org/name", "org/name", ""},
      {"git+https://huggingface.co/org/name@abc", "org/name", "abc"},
      {"git@hf.co:org/name.git", "org/name", ""},
      {"hf://org/name@abc/file.bin", "org/name", "abc"},
      {"hf://org/name", "org/name", ""},
  };
  for (const auto& row : rows) {
    const auto model = parse_model_url(row.url);
    ASSERT_TRUE(model) << row.url;
    EXPECT_EQ(model->repository, row.repository) << row.url;
    EXPECT_EQ(model->revision, row.revision) << row.url;
  }
}

TEST(ModelUrl, OfAnythingElseIsNone) {
  for (const char* url : {"", "org/name", "https://example.org/org/name", "https://huggingface.co", "https://huggingface.co/",
                          "https://huggingface.co/org", "https://huggingface.co/datasets/org/name", "https://huggingface.co/spaces/a/b",
                          "https://huggingface.co/docs/hub/index", "https://huggingface.community/org/name", "https://huggingface.co.evil.org/a/b",
                          "huggingface.co:org/name", "hf://datasets/org/name"})
    EXPECT_FALSE(parse_model_url(url)) << url;
}

}  // namespace
}  // namespace modelwatch::advisories
