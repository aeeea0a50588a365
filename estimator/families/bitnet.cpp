#include "estimator/blocks/decoder.h"
#include "estimator/blocks/linear.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

/// llama with a norm before each output matrix, relu² for silu. Weights are kept as ternary in the published files.
Model build(const Config& root) {
  const Config text = root.text();
  LlamaLike p = llama_like(text);
  p.attention.bias(text.flag("attention_bias"));
  p.shell.build = [&](std::int64_t) {
    Branch mixer = branch(p.attention), mlp = branch(p.mlp);
    add_norm(mixer.node.tensors, "self_attn.attn_sub_norm", p.shell.hidden, NormStyle::rms);
    mixer.node.saved += norm_saved(NormStyle::rms, Stream::branch, p.shell.hidden, 1);
    add_norm(mlp.node.tensors, "mlp.ffn_sub_norm", p.mlp.inner, NormStyle::rms);
    mlp.node.saved += norm_saved(NormStyle::rms, Stream::branch, p.mlp.inner, 1);
    return decoder_layer(p.norms, p.shell.hidden, std::move(mixer), std::move(mlp));
  };
  return causal_lm(root, text, p);
}

constexpr std::string_view kTypes[] = {"bitnet"};

}  // namespace

extern const Family bitnet_family{"bitnet", kTypes, build};

}  // namespace modelwatch::estimator
