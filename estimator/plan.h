#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "estimator/cost/cards.h"
#include "estimator/cost/price.h"
#include "estimator/error.h"
#include "estimator/graph/model.h"
#include "estimator/graph/parameters.h"
#include "estimator/json/value.h"
#include "estimator/memory/serving.h"
#include "estimator/memory/training.h"
#include "estimator/options.h"
#include "estimator/reconcile/reconcile.h"
#include "estimator/verify/verifier.h"

namespace modelwatch::estimator {

/// Who the model says it is.
struct ModelFacts {
  std::string source;
  std::string model_type;
  std::vector<std::string> architectures;
  std::string family;  ///< empty where no family reads the type
  bool known = false;
  std::vector<Note> notes;
};

struct Memory {
  Training full;
  Training lora;
  Serving serve;
};

/// Everything the estimator says about one config.json. Without a family only `facts` is filled.
struct Plan {
  ModelFacts facts;
  PlanOptions options;
  std::shared_ptr<const Model> model;  ///< null where no family reads the type
  Parameters parameters;
  std::int64_t tokens = 0;              ///< a training sequence
  std::int64_t serve_tokens = 0;        ///< a served sequence
  std::optional<Memory> memory;
  std::optional<Fits> fits;
  std::optional<Price> price;
  std::vector<Finding> findings;
  std::optional<Reconciliation> checkpoint;  ///< where headers or the Hub's total are known
};

/// Reads `config` (a config.json as read by estimator/json) and derives the plan. Pure, bounded in time and memory by
/// the size of the document. A config that cannot be read, or whose sizes do not fit into 64 bits, is an error that
/// names the key by its pointer. A model type without a family is a plan with `known` false, never a guess.
Result<Plan> plan(const json::Value& config, const PlanOptions& options = {});

/// Compares the plan's tensors with a checkpoint's tensor table and takes its true bytes over into the plan.
void add_headers(Plan& plan, const std::vector<StoredTensor>& stored);

/// The `modelwatch/plan/1` document of docs/json.md. Blocks that do not apply are null.
json::Value to_json(const Plan& plan);

/// What moves from one plan to another.
struct PlanDelta {
  json::Value before;              ///< the figures that are compared, null where that side is not known
  json::Value after;
  std::vector<std::string> moved;  ///< "parameters", "active", "kv_per_token", "context", "weights_bytes", "family", …
};
PlanDelta plan_delta(const Plan& before, const Plan& after);

}  // namespace modelwatch::estimator
