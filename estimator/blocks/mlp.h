#pragma once
#include <optional>
#include <string>

#include "estimator/graph/node.h"

namespace modelwatch::estimator {

/// Feed-forward block: 3·D·I with a gate, 2·D·I without.
struct Mlp {
  std::string name = "mlp";
  std::string gate = "gate_proj", up = "up_proj", down = "down_proj";
  std::string fused = {};  ///< name of one matrix [2·I, D] that holds gate and up; empty where they are apart
  Count hidden = {}, inner = {};
  bool gated = true;
  bool up_bias = false, down_bias = false;
  bool conv1d = false;
  std::string activation = "silu";  ///< as in the config: hidden_act

  void bias(bool on) { up_bias = down_bias = on; }
};
Node mlp_node(const Mlp& m);
Count input_readers(const Mlp& m);

/// How a checkpoint holds the experts.
enum class Experts {
  apart,             ///< one matrix each: "experts.{}.gate_proj.weight"
  fused,             ///< "experts.gate_up_proj" [E, 2·I, D] and "experts.down_proj" [E, D, I]
  fused_transposed,  ///< [E, D, 2·I] and [E, I, D]
};

/// Mixture of experts: router D·E + E·3·D·I, shared experts as an Mlp beside them.
struct Moe {
  std::string name = "mlp";
  std::string router = "gate";  ///< "name.router.weight" [E, D]
  bool router_bias = false;
  std::string correction = {};  ///< a persistent buffer [E] under this name; empty where there is none
  Experts layout = Experts::apart;
  std::string experts = "experts";
  std::string gate = "gate_proj", up = "up_proj", down = "down_proj";
  bool gated = true;
  bool expert_bias = false;  ///< fused layouts only
  Count hidden = {}, inner = {}, count = {}, active = {};
  Count expert_width = {};         ///< width the experts read and write where it is not `hidden`
  std::optional<Mlp> shared = {};  ///< its name is within the block
  std::string shared_gate = {};    ///< "name.shared_gate.weight" [1, D]
};
Node moe_node(const Moe& m);

}  // namespace modelwatch::estimator
