#include "estimator/blocks/decoder.h"
#include "estimator/blocks/layer_types.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// What a type changes of a llama. Keys are those of its config; "" = no bias whatever the config says.
struct Kin {
  std::string_view type;
  std::string_view qkv_bias = "attention_bias";
  std::string_view o_bias = "attention_bias";
  std::string_view mlp_bias = "mlp_bias";
  bool tied = false;
};

constexpr Kin kKin[] = {
    {"mistral", "", "", ""},
    {"ministral", "", "", ""},
    {"ministral3", "", "", ""},
    {"cwm", "", "", "mlp_bias"},
    {"smollm3", "attention_bias", "attention_bias", "mlp_bias", true},
    {"seed_oss", "attention_bias", "attention_out_bias", "mlp_bias"},
    {"helium", "attention_bias", "", "mlp_bias"},
    {"minicpm", "attention_bias", "attention_bias", "", true},
};

Kin kin_of(std::string_view type) {
  for (const Kin& kin : kKin)
    if (kin.type == type) return kin;
  return {type};
}

/// Two vectors per half of a head that weigh the difference of two attentions.
void add_lambdas(Node& attention, Count head_dim) {
  for (const char* name : {"lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"})
    add_tensor(attention.tensors, std::string("self_attn.") + name, {head_dim});
}

/// llama and the types that are it under another name: biases by their own keys, windows on some layers.
Model build(const Config& root) {
  const Config text = root.text();
  const Kin kin = kin_of(text.type());
  const auto biased = [&](std::string_view key) { return !key.empty() && text.flag(key); };
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.qkv_bias(biased(kin.qkv_bias));
  a.o_bias = biased(kin.o_bias);
  a.sinks = text.type() == "granite_swa";
  p.mlp.bias(biased(kin.mlp_bias));
  p.shell.tied = kin.tied;
  if (text.type() == "hyperclovax" && text.flag("use_post_norm")) p.norms.after_mixer = "post_norm1", p.norms.after_ffn = "post_norm2";

  const Count window = text.count("sliding_window", 0);
  const bool whole = text.type() == "mistral" || text.type() == "ministral";
  const LayerTypes types(text, p.shell.depth, [&](std::int64_t) { return whole ? "sliding_attention" : "full_attention"; });
  p.shell.kind_of = [&](std::int64_t i) { return types.is(i, "sliding_attention"); };
  p.shell.build = [&](std::int64_t i) {
    a.window = p.shell.kind_of(i) ? window : Count(0);
    Branch mixer = branch(a);
    if (text.type() == "diffllama") add_lambdas(mixer.node, a.head_dim);
    return decoder_layer(p.norms, p.shell.hidden, std::move(mixer), branch(p.mlp));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {
    "llama", "mistral", "ministral", "ministral3", "cwm", "granite", "smollm3", "seed_oss", "hyperclovax",
    "iquestcoder", "aquila", "yi", "Yi", "minicpm", "diffllama", "helium", "granite_swa",
};

}  // namespace

extern const Family llama_family{"llama", kTypes, build};

}  // namespace modelwatch::estimator
