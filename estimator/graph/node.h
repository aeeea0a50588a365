#pragma once
#include <string>
#include <vector>

#include "estimator/graph/tensor.h"

namespace modelwatch::estimator {

/// Bytes a token that autograd keeps from forward to backward, by setting. Sources: traces of transformers' classes on
/// fake tensors (docs/estimator.md); within 0.1 % of them for llama, qwen2 and qwen3 shapes.
struct Saved {
  Count autocast = {};  ///< fp32 weights under bf16 autocast
  Count lora = {};      ///< frozen bf16 base, fp32 adapters under autocast; without the adapters' own 2·r a linear
  Count bf16 = {};      ///< everything bf16, norms computed in fp32
  Count fp32 = {};      ///< everything fp32

  Saved& operator+=(const Saved& b) {
    autocast += b.autocast, lora += b.lora, bf16 += b.bf16, fp32 += b.fp32;
    return *this;
  }
};

/// What generation keeps between tokens, in scalars.
struct Cache {
  Count kv = {};               ///< a token, keys and values together
  Count window = {};           ///< a token leaves after so many; 0 = never
  Count index_keys = {};       ///< a token, held by transformers only: keys of a sparse-attention indexer
  Count state = {};            ///< a sequence: recurrent state
  Count conv_channels = {};    ///< a sequence: channels of a causal convolution …
  Count conv_kernel = {};      ///< … and its width K
  bool rolling = false;   ///< the window is a hard chunk that llama.cpp caps too
};

/// What a node is. The label shown to people is apart (Node::label): many kinds of attention share one computation.
enum class NodeKind { embedding, rope, norm, attention, mixer, ffn, moe, linear, add, concatenate, other };

/// One row of the structure table: a module with its tensors and what it costs.
struct Node {
  NodeKind kind = NodeKind::other;
  std::string row = {};    ///< stem of the row's name: "Attention"
  std::string label = {};  ///< "Grouped Query Attn"
  Count width = {};        ///< scalars a token that leave it
  std::vector<Tensor> tensors = {};
  std::vector<Tensor> buffers = {};  ///< persistent, hence in the state dict, yet no parameters
  Saved saved = {};
  Cache cache = {};
  Count attention_width = {};    ///< scalars a token in q·k and in p·v: H·(d_qk + d_v)
  Count heads = {};              ///< query heads, and …
  Count kv_heads = {};           ///< … key-value heads; 0 where there are none
  Count largest_parameter = {};  ///< scalars of the largest parameter as the class holds it, where that is more than one tensor
  Count inner = {};         ///< of a feed-forward block: I
  bool merged = false;      ///< of an image tower: works on merged tokens, not on patches
  bool rotary = false;      ///< reads the rotary tables
  bool balanced = false;    ///< a router with a correction bias: no auxiliary loss needed
};

}  // namespace modelwatch::estimator
