#include "advisories/manifest/files.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

TEST(Files, EachPathHasItsPart) {
  const std::pair<const char*, Part> rows[] = {
      {"config.json", Part::config},
      {"vae/config.json", Part::config},
      {"1_Pooling/config.json", Part::config},
      {"modules.json", Part::config},
      {"model_index.json", Part::config},
      {"quantize_config.json", Part::config},
      {"generation_config.json", Part::generation},
      {"tokenizer_config.json", Part::tokenizer},
      {"text_encoder/tokenizer.json", Part::tokenizer},
      {"qwen.tiktoken", Part::tokenizer},
      {"tokenizer.model", Part::tokenizer},
      {"chat_template.jinja", Part::chat_template},
      {"additional_chat_templates/tool_use.jinja", Part::chat_template},
      {"chat_template.json", Part::chat_template},
      {"model-00001-of-00002.safetensors", Part::weights},
      {"model.safetensors.index.json", Part::weights},
      {"training_args.bin", Part::weights},
      {"x.Q4_K_M.gguf", Part::weights},
      {"modeling_x.py", Part::code},
      {"requirements.txt", Part::code},
      {"preprocessor_config.json", Part::processor},
      {"adapter_config.json", Part::adapter},
      {"adapter_model.safetensors", Part::weights},
      {"README.md", Part::card},
      {"docs/README.md", Part::other},
      {"LICENSE", Part::license},
      {"LICENSE.txt", Part::license},
      {"Notice.txt", Part::license},
      {"USE_POLICY.md", Part::license},
      {".gitattributes", Part::other},
      {"trainer_state.json", Part::other},
      {"", Part::other}};
  for (const auto& [path, part] : rows) EXPECT_EQ(part_of(path), part) << path;
}

TEST(Files, OnlyWhatIsReadIsFetched) {
  EXPECT_EQ(fetch_of({"config.json", "", 1000, {}}), Fetch::whole);
  EXPECT_EQ(fetch_of({"config.json", "", 1u << 30, {}}), Fetch::nothing);
  EXPECT_EQ(fetch_of({"model.safetensors", "", 5'000'000'000, {}}), Fetch::safetensors_header);
  EXPECT_EQ(fetch_of({"x.gguf", "", 5'000'000'000, {}}), Fetch::gguf_header);
  EXPECT_EQ(fetch_of({"pytorch_model.bin", "", 100, {}}), Fetch::nothing);
  EXPECT_EQ(fetch_of({"model.safetensors.index.json", "", 100'000, {}}), Fetch::whole);
  EXPECT_EQ(fetch_of({"tokenizer.json", "", 33'000'000, {}}), Fetch::whole);
  EXPECT_EQ(fetch_of({"picture.png", "", 100, {}}), Fetch::nothing);
  EXPECT_EQ(fetch_of({"trainer_state.json", "", 100, {}}), Fetch::nothing);
}

}  // namespace
}  // namespace modelwatch::advisories
