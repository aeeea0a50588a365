#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// LayerNorms, partial rotary, an optional LayerNorm without bias for each head of q and k.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  Attention& a = p.attention;
  a.qkv_bias(text.flag("use_qkv_bias"));
  a.concatenated = true;
  const bool parallel = text.flag("use_parallel_residual");
  p.shell.style = p.norms.style = NormStyle::layer;
  p.shell.rotary_width = rotary_width(text, a.head_dim, 0.25);
  if (parallel) p.norms.parallel = true, p.norms.before_ffn = "";
  const bool normed = text.flag("qk_layernorm");
  p.shell.build = [&](std::int64_t) {
    Branch mixer = branch(a);
    for (const auto& [name, heads] : {std::pair("q_layernorm", a.heads), std::pair("k_layernorm", a.kv_heads)})
      if (normed) {
        add_tensor(mixer.node.tensors, std::string("self_attn.") + name + ".norms.{}.weight", {a.head_dim}, Role::norm);
        mixer.node.tensors.back().copies = heads;
        mixer.node.saved += norm_saved(NormStyle::layer, Stream::branch, heads * a.head_dim, 0);
      }
    return decoder_layer(p.norms, p.shell.hidden, std::move(mixer), branch(p.mlp));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"stablelm", "stablelm_epoch"};

}  // namespace

extern const Family stablelm_family{"stablelm", kTypes, build};

}  // namespace modelwatch::estimator
