#include "estimator/blocks/indexer.h"

#include "estimator/blocks/linear.h"
#include "estimator/blocks/norm.h"

namespace modelwatch::estimator {

void add_indexer(Node& attention, const Indexer& i) {
  add_linear(attention.tensors, joined(i.name, "wq_b"), i.q_rank, i.heads * i.head_dim);
  add_linear(attention.tensors, joined(i.name, "wk"), i.hidden, i.head_dim);
  add_norm(attention.tensors, joined(i.name, "k_norm"), i.head_dim, NormStyle::layer);
  add_linear(attention.tensors, joined(i.name, "weights_proj"), i.hidden, i.heads);
  attention.cache.index_keys = i.head_dim;
}

}  // namespace modelwatch::estimator
