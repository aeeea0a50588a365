#pragma once
#include <string_view>
#include <vector>

#include "estimator/graph/model.h"
#include "estimator/graph/parameters.h"
#include "estimator/options.h"

namespace modelwatch::estimator {

enum class Method { full, lora };
enum class Phase { forward, backward, optimizer };

std::string_view phase_name(Phase phase);

/// Bytes held in one phase. `overhead` is apart from the tensors and equal in all phases.
struct Components {
  Count weights;       ///< as trained, adapters included
  Count gradients;
  Count optimizer;     ///< states of the optimizer
  Count cast_weights;  ///< bf16 copies of matrices under autocast
  Count activations;   ///< saved for backward, without the loss
  Count loss;          ///< logits, log-softmax and their gradients
  Count temporary;
  Count overhead;      ///< runtime context and fragmentation: estimator/memory/overhead.h

  Count tensors() const {
    return weights + gradients + optimizer + cast_weights + activations + loss + temporary;
  }
  Count total() const { return tensors() + overhead; }
};

/// The largest moment of a training step, found as a maximum over phases (docs/estimator.md, "Training").
struct Training {
  Method method = Method::full;
  std::int64_t batch = 1;
  std::int64_t tokens = 0;
  std::int64_t rank = 0;
  Count adapter_parameters;
  Components forward;    ///< end of forward
  Components backward;   ///< largest moment of backward
  Components optimizer;  ///< inside the optimizer's step
  Phase phase = Phase::forward;

  const Components& at_peak() const {
    return phase == Phase::forward ? forward : phase == Phase::backward ? backward : optimizer;
  }
  Count peak() const { return at_peak().total(); }
};

/// What the estimate of a step needs from a model: sums over its layers, made once and used for any batch and length.
class TrainingModel {
 public:
  TrainingModel(const Model& model, const Parameters& parameters, const PlanOptions& options, Method method);

  Training at(std::int64_t batch, std::int64_t tokens) const;
  /// Tensor bytes of every moment that may be the peak, in one order: each grows by a constant with the batch.
  std::vector<Count> moments(std::int64_t batch, std::int64_t tokens) const;
  Count adapter_parameters() const { return adapters_; }

 private:
  struct Sums {
    Count saved;         ///< bytes a token of all layers, without the head
    Count largest_layer; ///< bytes a token of the hungriest layer
    Count matrices;      ///< scalars that autocast casts, without the head
    Count layer_matrices;  ///< of the largest layer
    Count checkpoints;   ///< layers, each keeps its input under checkpointing
  };

  void add_layers(const Model& model);
  void add_section(const Section& section, bool& first_norm);
  Count saved_bytes(const Node& node) const;
  Count base_bytes(const Model& model) const;
  Count optimizer_bytes(Count trained) const;
  struct Moment {
    Phase phase;
    Components held;
  };
  std::vector<Moment> all_moments(std::int64_t batch, std::int64_t tokens) const;
  Components held(Count tokens_in_batch, Count positions) const;
  Components end_of_backward(const Components& forward, Count n) const;
  Components head_backward(const Components& forward, Count n) const;
  Components recomputed(const Components& forward, Count n) const;
  Components step(const Components& forward) const;
  Components loss_moment(const Components& forward, Count n) const;
  void shard(Components& c) const;

  PlanOptions options_;
  Method method_;
  Sums sums_;
  Count trained_;          ///< scalars with gradients
  Count adapters_;
  Count weights_bytes_;
  Count largest_;          ///< scalars of the largest trained parameter as the class holds it
  Count factored_;         ///< scalars of Adafactor's row and column statistics
  Count hidden_, vocabulary_, rotary_, buffers_;
  Count head_;             ///< scalars of the output matrix
  bool tied_ = false, soft_capped_ = false;
  Count final_norm_;       ///< bytes a token
};

}  // namespace modelwatch::estimator
