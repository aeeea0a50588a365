#pragma once
#include <string>

#include "estimator/blocks/decoder.h"

namespace modelwatch::estimator {

/// The language model of a multimodal one, read by the family of its own type and entered under the outer names:
/// "model." becomes `prefix`, its head `head`. Tying follows the outer config where that says so, or its type does.
/// Where no family reads the nested type, the outer model is unknown.
void add_language_model(Model& outer, const Config& root, const Config& text, const std::string& prefix,
                        const std::string& head = "lm_head");

/// An image tower of any type that towers are published as; returns its width. Where none reads the type, the model is
/// unknown and the width 1.
Count add_vision_tower(Model& outer, const Config& vision, const std::string& prefix);

/// linear_1, activation, linear_2.
Node two_linear_projector(Count in, Count hidden, Count out, bool bias);

}  // namespace modelwatch::estimator
