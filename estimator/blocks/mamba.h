#pragma once
#include <string>

#include "estimator/graph/node.h"

namespace modelwatch::estimator {

/// Mamba: in 2·D·I, convolution I·K, x I·(R + 2·N), dt R·I + I, A_log I·N, D I, out I·D.
struct Mamba {
  std::string name = "mixer";
  Count hidden = {}, inner = {}, state = {}, kernel = {}, rank = {};
  bool bias = false, conv_bias = true;
};
Node mamba_node(const Mamba& m);

/// Mamba2: in D·(2·I + 2·G·N + H), convolution (I + 2·G·N)·K, dt_bias, A_log and D of H each, a gated norm I, out I·D.
struct Mamba2 {
  std::string name = "mixer";
  Count hidden = {}, inner = {}, heads = {}, groups = {}, state = {}, kernel = {};
  bool bias = false, conv_bias = true;
  bool norm = true;
};
Node mamba2_node(const Mamba2& m);

/// The short convolution of lfm2: in 3·D², convolution D·K, out D².
struct ShortConv {
  std::string name = "conv";
  Count hidden = {}, kernel = {};
  bool bias = false;
};
Node short_conv_node(const ShortConv& c);

}  // namespace modelwatch::estimator
