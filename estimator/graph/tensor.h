#pragma once
#include <array>
#include <initializer_list>
#include <string>

#include "estimator/graph/count.h"

namespace modelwatch::estimator {

/// Up to five sizes (a three-dimensional convolution has five).
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Count> sizes) {
    for (const Count size : sizes) sizes_[rank_++] = size;
  }
  const Count* begin() const { return sizes_.data(); }
  const Count* end() const { return sizes_.data() + rank_; }
  std::size_t rank() const { return rank_; }
  Count operator[](std::size_t i) const { return sizes_[i]; }
  Count scalars() const {
    Count product = 1;
    for (const Count size : *this) product *= size;
    return product;
  }
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::array<Count, 5> sizes_{};
  std::size_t rank_ = 0;
};

/// What a tensor is to the training step and to quantisation.
enum class Role {
  linear,     ///< matrix of an nn.Linear: cast by autocast, adapted by LoRA, two or three FLOPs' partner
  head,       ///< the output matrix: as linear, but never adapted
  router,     ///< matrix that autocast casts and LoRA leaves alone
  expert,     ///< routed experts: kept out of autocast's cast cache and, by default, out of LoRA
  embedding,  ///< a table that is looked up
  norm,
  bias,
  other,      ///< convolutions, decay rates, class tokens …
};

/// Tensors of one shape whose names differ in indices only.
struct Tensor {
  std::string name = {};  ///< within its layer; "{}" stands for the index of a copy
  Shape shape = {};
  Role role = Role::other;
  Count copies = 1;          ///< how many a layer has: experts kept apart
  Count experts = 1;         ///< of so many …
  Count experts_active = 1;  ///< … a token uses so many; 1 of 1 for what every token uses
  bool transposed = false;   ///< stored as [in, out] (gpt2's Conv1D)

  Count scalars() const { return shape.scalars() * copies; }
  /// Scalars a token meets. Exact: the quotient divides, since all experts are of one shape.
  Count active() const { return experts > Count(1) ? scalars() / experts * experts_active : scalars(); }
};

}  // namespace modelwatch::estimator
