#include "estimator/memory/training.h"

namespace modelwatch::estimator {
namespace {

bool cast_by_autocast(Role role) { return role == Role::linear || role == Role::router || role == Role::head; }

/// Part of the step on text: towers without input are held, not run.
bool runs_on_text(const Section& section) { return section.part == Part::text || section.part == Part::encoder; }

Count in_of(const Tensor& t) { return t.shape.rank() == 2 ? t.shape[t.transposed ? 0 : 1] : Count(0); }
Count out_of(const Tensor& t) { return t.shape.rank() == 2 ? t.shape[t.transposed ? 1 : 0] : Count(0); }

bool adapted(const Tensor& t, const PlanOptions& o) {
  return t.shape.rank() == 2 && (t.role == Role::linear || (t.role == Role::expert && o.adapt_experts));
}

/// nf4: half a byte a scalar, an 8-bit scale for 64 of them and an fp32 one for 256 of those (double quantisation).
Count nf4_bytes(Count scalars) { return scalars / 2 + ceil_div(scalars, 64) + ceil_div(scalars, 64 * 256) * 4; }

}  // namespace

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::forward: return "forward";
    case Phase::backward: return "backward";
    case Phase::optimizer: return "optimizer";
  }
  return "";
}

TrainingModel::TrainingModel(const Model& model, const Parameters& parameters, const PlanOptions& options, Method method)
    : options_(options),
      method_(method),
      hidden_(model.hidden),
      vocabulary_(model.vocabulary),
      rotary_(model.rotary),
      buffers_(model.buffer_bytes + parameters.buffers * 4),
      tied_(model.tied_head),
      soft_capped_(model.soft_capped) {
  add_layers(model);
  trained_ = method == Method::full ? parameters.derived : adapters_;
  weights_bytes_ = base_bytes(model) + buffers_;
  if (tied_) head_ = model.vocabulary * model.hidden;
}

void TrainingModel::add_layers(const Model& model) {
  bool first_norm = true;
  for (const Section& section : model.sections) {
    if (section.part == Part::mtp) continue;
    for_each_node(section, [&](const Node& node, Count layers) {
      if (method_ == Method::full) largest_ = max(largest_, node.largest_parameter);
      for (const Tensor& t : node.tensors) {
        if (method_ == Method::full) {
          largest_ = max(largest_, t.shape.scalars());
          factored_ += (t.shape.rank() >= 2 ? in_of(t) + out_of(t) : t.shape.scalars()) * t.copies * layers;
        } else if (adapted(t, options_)) {
          const Count in = in_of(t), out = out_of(t), rank = options_.rank;
          adapters_ += rank * (in + out) * t.copies * layers;
          largest_ = max(largest_, rank * max(in, out));
          factored_ += (2 * rank + in + out) * t.copies * layers;
        }
      }
    });
    if (runs_on_text(section)) add_section(section, first_norm);
  }
}

void TrainingModel::add_section(const Section& section, bool& first_norm) {
  for (std::size_t kind = 0; kind < section.kinds.size(); ++kind) {
    std::int64_t layers = 0;
    for (const std::uint32_t of : section.layers) layers += of == kind;
    Count saved, matrices;
    for (const Node& node : section.kinds[kind]) {
      Count bytes = saved_bytes(node);
      // Adapters alone are trained: the first norm's input needs no gradient, so nothing of it is kept.
      if (method_ == Method::lora && first_norm && node.kind == NodeKind::norm && section.indexed) {
        if (!options_.checkpointing) sums_.saved = sums_.saved - 4 * node.width - 4;
        first_norm = false;
      }
      for (const Tensor& t : node.tensors) {
        if (t.role == Role::head && t.shape.rank() == 2) {
          head_ = t.shape.scalars();
        } else if (cast_by_autocast(t.role)) {
          matrices += t.scalars();
        }
        if (method_ == Method::lora && adapted(t, options_)) bytes += 2 * options_.rank * t.copies;
      }
      saved += bytes;
    }
    if (section.indexed) {
      sums_.saved += saved * layers;
      sums_.largest_layer = max(sums_.largest_layer, saved);
      sums_.layer_matrices = max(sums_.layer_matrices, matrices);
      sums_.checkpoints += layers;
    } else {
      final_norm_ += saved;
    }
    sums_.matrices += matrices * layers;
  }
}

Count TrainingModel::saved_bytes(const Node& node) const {
  if (method_ == Method::lora) return node.saved.lora;
  switch (options_.precision) {
    case Precision::bf16_autocast: return node.saved.autocast;
    case Precision::bf16: return node.saved.bf16;
    case Precision::fp32: return node.saved.fp32;
  }
  return node.saved.autocast;
}

Count TrainingModel::base_bytes(const Model& model) const {
  const Count wide = method_ == Method::full && options_.precision != Precision::bf16 ? 4 : 2;
  Count bytes;
  for (const Section& section : model.sections) {
    if (section.part == Part::mtp) continue;
    for_each_tensor(section, [&](const Node&, const Tensor& t, Count layers) {
      const Count scalars = t.scalars() * layers;
      const bool packed = method_ == Method::lora && options_.qlora && (t.role == Role::linear || t.role == Role::expert);
      bytes += packed ? nf4_bytes(scalars) : wide * scalars;
    });
  }
  return method_ == Method::lora ? bytes + 4 * adapters_ : bytes;
}

Count TrainingModel::optimizer_bytes(Count trained) const {
  const Count wide = method_ == Method::full && options_.precision == Precision::bf16 ? 2 : 4;
  switch (options_.optimizer) {
    case Optimizer::adamw_8bit: return 2 * trained + ceil_div(trained, 256) * 8;
    case Optimizer::adafactor: return wide * factored_;
    default: return 2 * wide * trained;
  }
}

/// What lives from the end of forward into backward.
Components TrainingModel::held(Count n, Count positions) const {
  const bool lora = method_ == Method::lora;
  const bool autocast = lora || options_.precision == Precision::bf16_autocast;
  Components c;
  c.weights = weights_bytes_;
  c.optimizer = optimizer_bytes(trained_);
  if (autocast) {
    if (lora) {
      c.cast_weights = options_.checkpointing ? Count(0) : 2 * adapters_;
    } else {
      c.cast_weights = 2 * (head_ + (options_.checkpointing ? Count(0) : sums_.matrices));
    }
  }
  Count per_token = final_norm_;
  if (options_.checkpointing) {
    const Count residual = lora || options_.precision == Precision::bf16 ? 2 : 4;
    per_token += sums_.checkpoints * residual * hidden_ + (lora ? 4 * hidden_ : Count(0));
  } else {
    per_token += sums_.saved;
  }
  const Count rotary = lora || options_.precision == Precision::bf16 ? 4 : 8;
  c.activations = n * (per_token + 8) + rotary * rotary_ * positions;
  if (!options_.fused_loss) {
    const Count logits = options_.precision == Precision::fp32 && !lora ? 4 : 2;
    c.loss = n * vocabulary_ * (logits + 4 + (soft_capped_ ? Count(2) : Count(0)));
  }
  return c;
}

/// The fp32 gradients of the log-softmax and of its input live beside everything that forward left.
Components TrainingModel::loss_moment(const Components& forward, Count n) const {
  Components c = forward;
  if (!options_.fused_loss) c.loss += 8 * vocabulary_ * n;
  return c;
}

/// The output matrix has its bf16 gradient and the fp32 copy of it, the layers still have all they kept.
Components TrainingModel::head_backward(const Components& forward, Count n) const {
  Components c = forward;
  c.gradients = 4 * head_;
  c.temporary = 2 * head_;
  if (!options_.fused_loss) c.loss = 4 * vocabulary_ * n;
  return c;
}

/// Under checkpointing one layer at a time comes back, with its casts.
Components TrainingModel::recomputed(const Components& forward, Count n) const {
  Components c = forward;
  const bool lora = method_ == Method::lora;
  c.activations += sums_.largest_layer * n;
  if (!lora && options_.precision == Precision::bf16_autocast) c.cast_weights = 2 * sums_.layer_matrices;
  c.gradients = lora ? Count(0) : 4 * head_;
  c.loss = options_.fused_loss ? Count(0) : 2 * vocabulary_ * n;
  return c;
}

/// All gradients are there; the logits are held by the model's output. A tied table has both its gradients and their
/// temporaries at once.
Components TrainingModel::end_of_backward(const Components& forward, Count n) const {
  Components c = forward;
  const Count wide = method_ == Method::full && options_.precision == Precision::bf16 ? 2 : 4;
  c.gradients = wide * trained_;
  c.cast_weights = 0;
  c.activations = 0;
  c.loss = options_.fused_loss ? Count(0) : (options_.precision == Precision::fp32 && method_ == Method::full ? 4 : 2) * vocabulary_ * n;
  if (method_ == Method::full) c.temporary = tied_ ? 2 * wide * vocabulary_ * hidden_ : wide * hidden_ * n;
  return c;
}

Components TrainingModel::step(const Components& forward) const {
  Components c = end_of_backward(forward, 0);
  c.loss = 0;
  c.temporary = 0;
  if (options_.optimizer == Optimizer::adamw_foreach) c.temporary = c.gradients;
  if (options_.optimizer == Optimizer::adamw) c.temporary = 8 * largest_;
  if (options_.optimizer == Optimizer::adafactor) c.temporary = 4 * largest_;
  return c;
}

/// ZeRO and FSDP: stage 1 shares the optimizer's states, 2 the gradients too, 3 the weights too.
void TrainingModel::shard(Components& c) const {
  if (options_.shards < 2) return;
  const Count n = options_.shards;
  c.optimizer = ceil_div(c.optimizer, n);
  if (options_.stage >= 2) c.gradients = ceil_div(c.gradients, n);
  if (options_.stage >= 3) c.weights = ceil_div(c.weights, n) + 2 * sums_.layer_matrices;  // one gathered layer
}

std::vector<TrainingModel::Moment> TrainingModel::all_moments(std::int64_t batch, std::int64_t tokens) const {
  const Count n = Count(batch) * tokens;
  const Components forward = held(n, tokens);
  std::vector<Moment> moments{{Phase::forward, forward}, {Phase::backward, loss_moment(forward, n)}};
  if (method_ == Method::full) moments.push_back({Phase::backward, head_backward(forward, n)});
  moments.push_back({Phase::backward, end_of_backward(forward, n)});
  if (options_.checkpointing) moments.push_back({Phase::backward, recomputed(forward, n)});
  moments.push_back({Phase::optimizer, step(forward)});
  for (Moment& moment : moments) shard(moment.held);
  return moments;
}

std::vector<Count> TrainingModel::moments(std::int64_t batch, std::int64_t tokens) const {
  std::vector<Count> bytes;
  for (const Moment& moment : all_moments(batch, tokens)) bytes.push_back(moment.held.total());
  return bytes;
}

Training TrainingModel::at(std::int64_t batch, std::int64_t tokens) const {
  Training t;
  t.method = method_;
  t.batch = batch;
  t.tokens = tokens;
  t.rank = method_ == Method::lora ? options_.rank : 0;
  t.adapter_parameters = adapters_;
  for (const Moment& moment : all_moments(batch, tokens)) {
    Components& held = moment.phase == Phase::forward ? t.forward : moment.phase == Phase::backward ? t.backward : t.optimizer;
    if (held.total() <= moment.held.total() || moment.held.total().overflowed()) held = moment.held;
  }
  for (const Phase phase : {Phase::backward, Phase::optimizer}) {
    const Components& c = phase == Phase::backward ? t.backward : t.optimizer;
    if (t.peak() < c.total()) t.phase = phase;
  }
  return t;
}

}  // namespace modelwatch::estimator
