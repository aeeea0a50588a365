#pragma once
#include <vector>

#include "estimator/config/config.h"
#include "estimator/graph/model.h"

namespace modelwatch::estimator {

/// What the config itself says beside its sizes: quantised, code of its own, an adapter. One sentence each.
std::vector<Note> notes_of(const Config& root);

/// The method of quantization_config ("fp8", "gptq", …), "" where the weights are not quantised.
std::string quantization_method(const Config& root);

}  // namespace modelwatch::estimator
