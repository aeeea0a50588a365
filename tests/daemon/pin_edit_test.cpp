#include "daemon/cli/pin_edit.h"

#include <gtest/gtest.h>

namespace modelwatch::cli {
namespace {

TEST(PinEdit, ReplacesOrAddsARevision) {
  const struct {
    const char *line, *form, *revision;
    std::size_t column;
    const char* after;  ///< null: no edit
  } rows[] = {
      {"pkg:huggingface/org/name@old # x", "purl", "old", 1, "pkg:huggingface/org/name@NEW # x"},
      {"  \"purl\": \"pkg:huggingface/org/name\"", "CycloneDX purl", "", 11, "  \"purl\": \"pkg:huggingface/org/name@NEW\""},
      {"pkg:huggingface/org/name?repository_url=x", "purl", "", 1, "pkg:huggingface/org/name@NEW?repository_url=x"},
      {"f('org/name')", "from_pretrained", "", 3, "f('org/name', revision=\"NEW\")"},
      {"f('org/name', revision='old')", "from_pretrained", "old", 24, "f('org/name', revision='NEW')"},
      {"f(NAME)", "from_pretrained", "", 3, nullptr},
      {"vllm serve org/name --port 1", "vllm serve", "", 12, "vllm serve org/name --revision NEW --port 1"},
      {"vllm serve \"org/name\"", "vllm serve", "", 12, "vllm serve \"org/name\" --revision NEW"},
      {"args: [\"--model\", \"org/name\"]", "vllm api_server", "", 20, "args: [\"--model\", \"org/name\", \"--revision\", \"NEW\"]"},
      {"llama-server -hf org/name:Q4", "llama.cpp", "", 18, nullptr},
      {"url = https://huggingface.co/org/name", "submodule", "", 7, nullptr},
      {"revision = \"old\"", "config", "old", 12, "revision = \"NEW\""},
      {"short", "purl", "", 99, nullptr},
  };
  for (const auto& row : rows) {
    advisories::Pin pin;
    pin.repository = "org/name";
    pin.form = row.form;
    pin.revision = row.revision;
    pin.at = {1, row.column};
    const auto after = with_revision(row.line, pin, "NEW");
    EXPECT_EQ(after.value_or("none"), row.after ? row.after : "none") << row.line;
  }
}

}  // namespace
}  // namespace modelwatch::cli
