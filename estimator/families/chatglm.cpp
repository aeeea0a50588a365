#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Remote code: q, k and v in one biased matrix with multi_query_group_num groups, SwiGLU with one input matrix.
Model build(const Config& root) {
  LlamaLike p = llama_like_without_mlp(root);
  p.shell.prefix = "transformer.", p.shell.embedding = "embedding.word_embeddings", p.shell.layers = "encoder.layers";
  p.shell.norm = "encoder.final_layernorm", p.shell.head = "transformer.output_layer";
  const bool biased = root.flag("add_bias_linear");
  Attention& a = p.attention;
  a.name = "self_attention", a.fused = "query_key_value", a.o = "dense";
  a.kv_heads = root.flag("multi_query_attention") ? root.size("multi_query_group_num", 1) : a.heads;
  a.head_dim = root.size("kv_channels", a.head_dim);
  a.concatenated = true;
  a.q_bias = biased || root.flag("add_qkv_bias");
  a.o_bias = biased;
  p.shell.rotary_width = a.head_dim / 2;
  p.mlp = Mlp{.down = "dense_4h_to_h", .fused = "dense_h_to_4h", .hidden = a.hidden, .inner = root.size("ffn_hidden_size"),
              .up_bias = biased, .down_bias = biased};
  Model model;
  model.context = root.count("seq_length", 0);
  p.shell.build = [&](std::int64_t) { return decoder_layer(p.norms, p.shell.hidden, branch(a), branch(p.mlp)); };
  add_decoder(model, p.shell, Head::causal, 2);
  return model;
}

constexpr std::string_view kTypes[] = {"chatglm"};

}  // namespace

extern const Family chatglm_family{"chatglm", kTypes, build};

}  // namespace modelwatch::estimator
