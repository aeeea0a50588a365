#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// The decoders between gpt2 and llama: LayerNorms, ungated MLPs, each with its own names, biases and order of branches.
LlamaLike plain(const Config& c) {
  LlamaLike p;
  p.shell.hidden = c.size("hidden_size");
  p.shell.vocabulary = c.size("vocab_size");
  p.shell.depth = c.count("num_hidden_layers", 0);
  p.shell.style = p.norms.style = NormStyle::layer;
  Attention& a = p.attention;
  a.hidden = p.shell.hidden;
  a.heads = a.kv_heads = c.size("num_attention_heads");
  a.head_dim = a.hidden / a.heads;
  p.shell.rotary_width = a.head_dim;
  p.mlp = Mlp{.hidden = a.hidden, .inner = 4 * a.hidden, .gated = false, .up_bias = true, .down_bias = true,
              .activation = c.word("activation_function", c.word("hidden_act", "gelu"))};
  return p;
}

void without_rotary(LlamaLike& p) { p.shell.rotary = p.attention.rotary = false; }

void gpt_neox(const Config& c, LlamaLike& p) {
  p.shell.prefix = "gpt_neox.", p.shell.embedding = "embed_in", p.shell.norm = "final_layer_norm", p.shell.head = "embed_out";
  Attention& a = p.attention;
  a.name = "attention", a.fused = "query_key_value", a.o = "dense";
  a.bias(c.flag("attention_bias", true));
  a.concatenated = true;
  p.shell.rotary_width = rotary_width(c, a.head_dim, 0.25);
  p.mlp.up = "dense_h_to_4h", p.mlp.down = "dense_4h_to_h", p.mlp.inner = c.size("intermediate_size");
  p.norms.parallel = c.flag("use_parallel_residual", true);
}

void falcon(const Config& c, LlamaLike& p) {
  p.shell.prefix = "transformer.", p.shell.embedding = "word_embeddings", p.shell.layers = "h", p.shell.norm = "ln_f";
  p.shell.tied = true;
  Attention& a = p.attention;
  a.name = "self_attention", a.fused = "query_key_value", a.o = "dense";
  const bool biased = c.flag("bias"), renewed = c.flag("new_decoder_architecture");
  a.bias(biased);
  a.kv_heads = renewed ? c.size("num_kv_heads", a.heads) : (c.flag("multi_query", true) ? Count(1) : a.heads);
  if (c.flag("alibi")) without_rotary(p);
  p.mlp.up = "dense_h_to_4h", p.mlp.down = "dense_4h_to_h", p.mlp.inner = c.size("ffn_hidden_size", 4 * a.hidden);
  p.mlp.bias(biased);
  p.norms.parallel = renewed || c.flag("parallel_attn", true);
  const Count norms = c.count("num_ln_in_parallel_attn", renewed ? 2 : 1);
  if (!c.flag("parallel_attn", true)) return;
  p.norms.before_ffn = "";
  if (renewed && norms == Count(2)) p.norms.before_mixer = "ln_attn", p.norms.before_ffn = "ln_mlp";
}

void bloom(const Config& c, LlamaLike& p) {
  p.shell.prefix = "transformer.", p.shell.embedding = "word_embeddings", p.shell.layers = "h", p.shell.norm = "ln_f";
  p.shell.tied = true;
  p.shell.extras = {norm_node("Embedding_Norm", "word_embeddings_layernorm", c.size("hidden_size"), NormStyle::layer, Stream::residual, 0)};
  p.attention.name = "self_attention", p.attention.fused = "query_key_value", p.attention.o = "dense";
  p.attention.bias(true);
  without_rotary(p);
  p.mlp.up = "dense_h_to_4h", p.mlp.down = "dense_4h_to_h";
}

void mpt(const Config& c, LlamaLike& p) {
  p.shell.prefix = "transformer.", p.shell.embedding = "wte", p.shell.layers = "blocks", p.shell.norm = "norm_f";
  p.shell.style = p.norms.style = NormStyle::layer_weight;
  p.shell.tied = true;
  p.norms.before_mixer = "norm_1", p.norms.before_ffn = "norm_2";
  p.attention.name = "attn", p.attention.fused = "Wqkv", p.attention.o = "out_proj";
  without_rotary(p);
  p.mlp.name = "ffn", p.mlp.bias(false);
  p.mlp.inner = c.size("expansion_ratio", 4) * p.shell.hidden;
  if (!c.flag("no_bias", true)) c.refuse("no_bias", "an mpt with biases has no class to count");
}

void gpt_bigcode(const Config& c, LlamaLike& p) {
  p.shell.prefix = "transformer.", p.shell.embedding = "wte", p.shell.layers = "h", p.shell.norm = "ln_f";
  p.shell.tied = true;
  p.shell.extras = {embedding_node("Positions", "wpe", c.size("max_position_embeddings"), p.shell.hidden)};
  p.norms.before_mixer = "ln_1", p.norms.before_ffn = "ln_2";
  Attention& a = p.attention;
  a.name = "attn", a.fused = "c_attn", a.o = "c_proj";
  a.bias(true);
  if (c.flag("multi_query", true)) a.kv_heads = 1;
  without_rotary(p);
  p.mlp.up = "c_fc", p.mlp.down = "c_proj", p.mlp.inner = c.size("n_inner", 4 * a.hidden);
}

void starcoder2(const Config& c, LlamaLike& p) {
  p.shell.tied = true;
  p.attention.kv_heads = c.size("num_key_value_heads", p.attention.heads);
  p.attention.bias(c.flag("use_bias", true));
  p.attention.window = c.count("sliding_window", 0);
  p.mlp.up = "c_fc", p.mlp.down = "c_proj", p.mlp.inner = c.size("intermediate_size");
  p.mlp.bias(c.flag("use_bias", true));
}

void phi(const Config& c, LlamaLike& p) {
  p.shell.norm = "final_layernorm", p.shell.head_bias = true;
  Attention& a = p.attention;
  a.o = "dense";
  a.bias(true);
  a.concatenated = true;
  a.kv_heads = c.size("num_key_value_heads", a.heads);
  if (c.flag("qk_layernorm")) a.qk_norm = QkNorm::head, a.qk_style = NormStyle::layer, a.q_norm = "q_layernorm", a.k_norm = "k_layernorm";
  p.shell.rotary_width = rotary_width(c, a.head_dim, 0.5);
  p.mlp.up = "fc1", p.mlp.down = "fc2", p.mlp.inner = c.size("intermediate_size");
  p.norms.parallel = true, p.norms.before_ffn = "";
}

/// gptj, and codegen with q, k and v in one matrix: one norm for both branches, biases on the MLP and the head alone.
void gptj(const Config& c, LlamaLike& p) {
  p.shell.prefix = "transformer.", p.shell.embedding = "wte", p.shell.layers = "h", p.shell.norm = "ln_f", p.shell.head_bias = true;
  p.norms.before_mixer = "ln_1", p.norms.before_ffn = "", p.norms.parallel = true;
  p.attention.name = "attn", p.attention.o = "out_proj", p.attention.concatenated = true;
  if (c.type() == "codegen") p.attention.fused = "qkv_proj";
  p.mlp.up = "fc_in", p.mlp.down = "fc_out", p.mlp.inner = c.size("n_inner", 4 * p.shell.hidden);
  p.shell.rotary_width = c.size("rotary_dim", p.attention.head_dim);
}

void gpt_neo(const Config& c, LlamaLike& p) {
  p.shell.prefix = "transformer.", p.shell.embedding = "wte", p.shell.layers = "h", p.shell.norm = "ln_f";
  p.shell.tied = true;
  p.shell.extras = {embedding_node("Positions", "wpe", c.size("max_position_embeddings"), p.shell.hidden)};
  p.norms.before_mixer = "ln_1", p.norms.before_ffn = "ln_2";
  p.attention.name = "attn.attention", p.attention.o = "out_proj", p.attention.o_bias = true;
  without_rotary(p);
  p.mlp.up = "c_fc", p.mlp.down = "c_proj", p.mlp.inner = c.size("intermediate_size", 4 * p.shell.hidden);
}

void opt(const Config& c, LlamaLike& p) {
  const bool biased = c.flag("enable_bias", true), affine = c.flag("layer_norm_elementwise_affine", true);
  const bool before = c.flag("do_layer_norm_before", true), last = before && !c.flag("_remove_final_layer_norm");
  p.shell.prefix = "model.decoder.", p.shell.norm = last ? "final_layer_norm" : "", p.shell.tied = true;
  p.shell.style = p.norms.style = affine ? NormStyle::layer : NormStyle::layer_free;
  const Count outer = c.size("word_embed_proj_dim", p.shell.hidden);
  p.shell.extras = {embedding_node("Positions", "embed_positions", c.size("max_position_embeddings") + 2, p.shell.hidden)};
  if (outer != p.shell.hidden) {
    p.shell.table_width = outer;
    p.shell.extras.push_back(linear_node("Project_In", "project_in", outer, p.shell.hidden, false));
    p.shell.before_head = {linear_node("Project_Out", "project_out", p.shell.hidden, outer, false)};
  }
  p.norms.before_mixer = "self_attn_layer_norm", p.norms.before_ffn = "final_layer_norm";
  if (!before)
    p.norms = LayerNorms{.before_mixer = "", .after_mixer = "self_attn_layer_norm", .before_ffn = "", .after_ffn = "final_layer_norm",
                         .style = p.norms.style, .after_add = true};
  p.attention.o = "out_proj";
  p.attention.bias(biased);
  without_rotary(p);
  p.mlp.name = "", p.mlp.up = "fc1", p.mlp.down = "fc2", p.mlp.inner = c.size("ffn_dim");
  p.mlp.bias(biased);
}

void xglm(const Config& c, LlamaLike& p) {
  p.shell.norm = "layer_norm", p.shell.tied = true;
  p.norms.before_mixer = "self_attn_layer_norm", p.norms.before_ffn = "final_layer_norm";
  p.attention.o = "out_proj";
  p.attention.bias(true);
  without_rotary(p);
  p.mlp.name = "", p.mlp.up = "fc1", p.mlp.down = "fc2", p.mlp.inner = c.size("ffn_dim");
}

void ctrl(const Config& c, LlamaLike& p) {
  p.shell.prefix = "transformer.", p.shell.embedding = "w", p.shell.layers = "h", p.shell.norm = "layernorm";
  p.shell.tied = true, p.shell.head_bias = true;
  p.norms.before_mixer = "layernorm1", p.norms.before_ffn = "layernorm2";
  Attention& a = p.attention;
  a.name = "multi_head_attention", a.q = "Wq", a.k = "Wk", a.v = "Wv", a.o = "dense";
  a.bias(true);
  without_rotary(p);
  p.mlp.name = "ffn", p.mlp.up = "0", p.mlp.down = "2", p.mlp.inner = c.size("dff");
}

struct Kin {
  std::string_view type;
  void (*shape)(const Config&, LlamaLike&);
};
constexpr Kin kKin[] = {{"gpt_neox", gpt_neox}, {"falcon", falcon}, {"bloom", bloom}, {"mpt", mpt}, {"gpt_bigcode", gpt_bigcode},
                        {"starcoder2", starcoder2}, {"phi", phi}, {"gptj", gptj}, {"codegen", gptj}, {"gpt_neo", gpt_neo},
                        {"opt", opt}, {"xglm", xglm}, {"ctrl", ctrl}};

Model build(const Config& root) {
  LlamaLike p = plain(root);
  for (const Kin& kin : kKin)
    if (kin.type == root.type()) kin.shape(root, p);
  return causal_lm(root, root, std::move(p));
}

constexpr std::string_view kTypes[] = {
    "gpt_neox", "falcon", "bloom", "mpt", "gpt_bigcode", "starcoder2", "phi", "gptj", "codegen", "gpt_neo",
    "opt", "xglm", "ctrl",
};

}  // namespace

extern const Family gpt_neox_family{"gpt_neox", kTypes, build};

}  // namespace modelwatch::estimator
