#include "estimator/config/defaults.h"

#include <gtest/gtest.h>

#include "estimator/json/writer.h"

namespace modelwatch::estimator {
namespace {

std::string declared(std::string_view type, std::string_view key) {
  const auto value = default_of(type, key);
  return value ? json::write(*value) : "nothing";
}

TEST(Defaults, AreWhatTheClassDeclares) {
  EXPECT_EQ(declared("qwen3", "head_dim"), "128");
  EXPECT_EQ(declared("gemma2", "tie_word_embeddings"), "true");
  EXPECT_EQ(declared("gpt2", "n_embd"), "768");
  EXPECT_EQ(declared("llama", "rms_norm_eps"), "1e-06");
  EXPECT_EQ(declared("llama", "hidden_act"), "\"silu\"");
}

TEST(Defaults, AreFoundUnderASynonym) {
  EXPECT_EQ(declared("gpt2", "hidden_size"), "768");
  EXPECT_EQ(canonical_key("gpt2", "hidden_size"), "n_embd");
  EXPECT_EQ(canonical_key("llama", "hidden_size"), "hidden_size");
  EXPECT_EQ(canonical_key("no such type", "torch_dtype"), "dtype");
}

TEST(Defaults, NullAndUnknownHaveNoValue) {
  EXPECT_EQ(declared("llama", "head_dim"), "nothing");
  EXPECT_EQ(declared("llama", "no_such_key"), "nothing");
  EXPECT_EQ(declared("no such type", "hidden_size"), "nothing");
  EXPECT_FALSE(knows_type("no such type"));
  EXPECT_TRUE(knows_type("qwen3"));
}

TEST(Defaults, EveryClassDeclaresItselfNoEncoderDecoder) {
  EXPECT_EQ(declared("llama", "is_encoder_decoder"), "false");
  EXPECT_EQ(declared("t5", "is_encoder_decoder"), "true");
}

TEST(Defaults, PartsAreReadAsTheirOwnType) {
  EXPECT_EQ(part_type("qwen3_5_moe", "text_config"), "qwen3_5_moe_text");
  EXPECT_EQ(part_type("llava", "text_config"), "");
  EXPECT_EQ(part_type("llama", "text_config"), "");
}

}  // namespace
}  // namespace modelwatch::estimator
