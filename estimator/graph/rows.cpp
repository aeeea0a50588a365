#include "estimator/graph/rows.h"

#include <algorithm>

namespace modelwatch::estimator {
namespace {

constexpr std::int64_t kDefaultTokens = 2048;

std::string shape_text(std::initializer_list<Count> sizes) {
  std::string text;
  for (const Count size : sizes) {
    if (!text.empty()) text += " × ";
    text += std::to_string(size.value());
  }
  return text;
}

bool is_tower(Part part) { return part == Part::vision || part == Part::projector || part == Part::audio || part == Part::encoder; }

class Table {
 public:
  Table(const Model& model, Count tokens) : model_(model), tokens_(tokens) {}

  std::vector<Row> build() {
    add("Input", "Input", shape_text({1, tokens_}));
    std::vector<const Section*> text;
    for (const Section& section : model_.sections)
      if (section.part == Part::text) text.push_back(&section);
    // Everything up to the first run of layers stands before the towers, whatever their order in the checkpoint.
    const auto layers = std::find_if(text.begin(), text.end(), [](const Section* section) { return section->indexed; });
    for (auto it = text.begin(); it != layers; ++it) add_section(**it);
    add_towers();
    auto after = layers;
    for (; after != text.end() && (*after)->indexed; ++after) add_section(**after);
    const std::int64_t modules = add_mtp();
    for (; after != text.end(); ++after) add_section(**after);
    add_outputs(modules);
    return std::move(rows_);
  }

 private:
  void add(std::string name, std::string label, std::string shape) { rows_.push_back({std::move(name), std::move(label), std::move(shape), nullptr, Part::text}); }

  std::string node_shape(const Node& node, Part part) const {
    switch (part) {
      case Part::vision: return shape_text({node.merged ? model_.vision.tokens : model_.vision.patches, node.width});
      case Part::projector: return model_.vision.tokens ? shape_text({model_.vision.tokens, node.width}) : shape_text({1, node.width});
      default: return shape_text({1, tokens_, node.width});
    }
  }

  void add_node(const Node& node, Part part, const std::string& index) {
    std::string name = node.row;
    if (const std::size_t at = name.find("{}"); at != std::string::npos) name.replace(at, 2, index);
    rows_.push_back({std::move(name), node.label, node_shape(node, part), &node, part});
  }

  void add_section(const Section& section) {
    for (std::size_t i = 0; i < section.layers.size(); ++i)
      for (const Node& node : section.kinds[section.layers[i]]) add_node(node, section.part, std::to_string(i + 1));
  }

  void add_towers() {
    const auto has = [&](Part part) {
      return std::any_of(model_.sections.begin(), model_.sections.end(), [&](const Section& s) { return s.part == part; });
    };
    const bool sees = has(Part::vision) && model_.vision.patches;
    if (sees) add("Vision input", "Input", shape_text({3, model_.vision.image, model_.vision.image}));
    for (const Section& section : model_.sections)
      if (is_tower(section.part)) add_section(section);
    if (!sees || model_.sections.front().part == Part::text) return;
    add("Vision tokens", "Reshape", shape_text({1, model_.vision.tokens, model_.hidden}));
    tokens_ += model_.vision.tokens;
    add("Multimodal fusion (concat tokens)", "Concatenate", shape_text({1, tokens_, model_.hidden}));
  }

  /// Rows of a module's block carry its number after MTP_, its own rows have it in their name.
  std::int64_t add_mtp() {
    std::int64_t modules = 0;
    for (const Section& section : model_.sections) {
      if (section.part != Part::mtp) continue;
      for (std::size_t i = 0; i < section.layers.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        for (const Node& node : section.kinds[section.layers[i]])
          add_node(node, section.part, node.row.starts_with("MTP_") ? number : "MTP_" + number);
        modules = std::max(modules, static_cast<std::int64_t>(i) + 1);
      }
    }
    return modules;
  }

  void add_outputs(std::int64_t modules) {
    const Count width = model_.vocabulary ? model_.vocabulary : model_.hidden;
    add("Output", "Output", shape_text({1, tokens_, width}));
    Count last = model_.hidden;
    for (const Section& section : model_.sections)
      if (section.part == Part::mtp && !section.kinds.front().empty()) last = section.kinds.front().back().width;
    for (std::int64_t i = 1; i <= modules; ++i) add("MTP_" + std::to_string(i) + "_Output", "Output", shape_text({1, tokens_, last}));
  }

  const Model& model_;
  Count tokens_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> structure_rows(const Model& model, Count tokens) {
  if (!tokens) tokens = model.context ? model.context : Count(kDefaultTokens);
  return Table(model, tokens).build();
}

std::int64_t layer_count(const std::vector<Row>& rows) {
  return std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.label != "Input" && row.label != "Output"; });
}

}  // namespace modelwatch::estimator
