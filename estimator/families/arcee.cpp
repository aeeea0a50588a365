#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// An ungated MLP with relu² or xielu where llama has SwiGLU. nanochat's norms have no weights, nemotron's are
/// LayerNorms, apertus' activation has two learned scalars.
Model build(const Config& root) {
  const Config text = root.text();
  const std::string& type = text.type();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.mlp.gated = false;
  p.mlp.bias(text.flag("mlp_bias"));
  if (type == "nemotron") p.shell.style = p.norms.style = NormStyle::layer;
  if (type == "apertus") {
    p.attention.qk_norm = QkNorm::head;
    p.norms.before_mixer = "attention_layernorm", p.norms.before_ffn = "feedforward_layernorm";
  }
  if (type == "nanochat") {
    p.mlp.up = "fc1", p.mlp.down = "fc2", p.mlp.bias(false);
    p.shell.style = p.norms.style = p.attention.qk_style = NormStyle::rms_free;
    p.attention.qk_norm = QkNorm::head;
  }
  p.shell.build = [&](std::int64_t) {
    Branch mlp = branch(p.mlp);
    if (type == "apertus")
      for (const char* name : {"mlp.act_fn.alpha_p", "mlp.act_fn.alpha_n"}) add_tensor(mlp.node.tensors, name, {1});
    return decoder_layer(p.norms, p.shell.hidden, branch(p.attention), std::move(mlp));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"arcee", "apertus", "nanochat", "nemotron"};

}  // namespace

extern const Family arcee_family{"arcee", kTypes, build};

}  // namespace modelwatch::estimator
