#include "estimator/blocks/decoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// Conv1D matrices stored [in, out], learned positions, biases and LayerNorms everywhere.
Model build(const Config& root) {
  LlamaLike p;
  const Count hidden = root.size("hidden_size");
  p.shell.prefix = "transformer.";
  p.shell.embedding = "wte", p.shell.layers = "h", p.shell.norm = "ln_f";
  p.shell.style = p.norms.style = NormStyle::layer;
  p.shell.hidden = hidden;
  p.shell.vocabulary = root.size("vocab_size");
  p.shell.depth = root.count("num_hidden_layers", 0);
  p.shell.rotary = false;
  p.shell.tied = true;
  p.shell.extras = {embedding_node("Positions", "wpe", root.size("max_position_embeddings"), hidden)};
  p.norms.before_mixer = "ln_1", p.norms.before_ffn = "ln_2";
  Attention& a = p.attention;
  a.name = "attn", a.fused = "c_attn", a.o = "c_proj";
  a.conv1d = true, a.rotary = false;
  a.hidden = hidden;
  a.heads = a.kv_heads = root.size("num_attention_heads");
  a.head_dim = hidden / a.heads;
  p.mlp = Mlp{.up = "c_fc", .down = "c_proj", .hidden = hidden, .inner = root.size("n_inner", 4 * hidden), .gated = false,
              .conv1d = true, .activation = root.word("activation_function", "gelu_new")};
  return causal_lm(root, root, std::move(p));
}

constexpr std::string_view kTypes[] = {"gpt2"};

}  // namespace

extern const Family gpt2_family{"gpt2", kTypes, build};

}  // namespace modelwatch::estimator
