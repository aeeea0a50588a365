#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimator/graph/node.h"

namespace modelwatch::estimator {

/// Which tower a section belongs to.
enum class Part { text, encoder, vision, audio, projector, mtp };

/// A run of equal or similar layers, or (not indexed) modules that occur once.
struct Section {
  Part part = Part::text;
  std::string prefix;  ///< "model.layers." before the index, or "model." where there is none
  std::string infix = ".";  ///< between the index and a tensor's name
  bool indexed = false;
  Count first = 0;                       ///< index of the first layer: MTP layers follow the others
  std::vector<std::vector<Node>> kinds;  ///< distinct layers; 5,000 equal ones are one
  std::vector<std::uint32_t> layers;     ///< the kind of each layer
};

/// One sentence about a model that a reader of its plan must know.
struct Note {
  std::string id;
  std::string text;
};

/// One image as the tower sees it.
struct VisionTokens {
  Count image;    ///< pixels a side
  Count patches;  ///< tokens inside the tower
  Count tokens;   ///< that reach the language model
};

/// What a family makes of a config. Pure data: everything a plan says is computed from it.
struct Model {
  std::vector<Section> sections;
  std::vector<std::pair<std::string, std::string>> tied;  ///< tensor, and the one it shares its memory with
  std::vector<Note> notes;
  Count hidden;
  Count vocabulary;
  Count context;        ///< 0 where the config declares none
  Count rotary;         ///< width of the rotary tables, 0 where there are none
  VisionTokens vision;
  std::optional<double> aux_loss;  ///< coefficient of the router's balance loss
  Count buffer_bytes;   ///< non-persistent buffers: they occupy memory, no checkpoint has them
  std::optional<std::string> unknown;  ///< why this config is beyond the family: no number is given
  bool mtp_cached = false;  ///< llama.cpp holds a cache for the MTP layers too
  bool causal = true;
  bool tied_head = false;
  bool soft_capped = false;  ///< final logits go through tanh, which keeps another copy

  Section& add(Part part, std::string prefix, std::vector<Node> nodes);
  /// `kind_of(i)` names the kind of layer i by any number; `build(i)` is called for the first layer of each kind.
  Section& stack(Part part, std::string prefix, Count layers, const std::function<std::int64_t(std::int64_t)>& kind_of,
                 const std::function<std::vector<Node>(std::int64_t)>& build);
};

/// Every distinct tensor with how many layers have it.
void for_each_tensor(const Section& section, const std::function<void(const Node&, const Tensor&, Count layers)>& visit);
/// Every distinct node with how many layers have it.
void for_each_node(const Section& section, const std::function<void(const Node&, Count layers)>& visit);

}  // namespace modelwatch::estimator
