#include <yaml-cpp/yaml.h>

#include "advisories/pins/node.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMostNodes = 200'000;
constexpr int kDeepest = 64;

/// Aliases make a graph of few nodes a tree of many: the tree is what is counted.
class YamlNodes {
 public:
  explicit YamlNodes(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at != text.npos && at <= text.size(); at = text.find('\n', at), at += at != text.npos) lines_.push_back(at);
  }

  bool convert(const YAML::Node& yaml, Node& node, int depth) {
    if (++count_ > kMostNodes || depth > kDeepest) return false;
    const YAML::Mark mark = yaml.Mark();
    node.at = {static_cast<std::size_t>(mark.line + 1), static_cast<std::size_t>(mark.column + 1)};
    if (yaml.IsSequence()) {
      node.kind = Node::Kind::list;
      for (const YAML::Node& item : yaml)
        if (!convert(item, node.items.emplace_back(), depth + 1)) return false;
    } else if (yaml.IsMap()) {
      node.kind = Node::Kind::map;
      for (const auto& member : yaml) {
        if (!member.first.IsScalar()) continue;
        node.members.emplace_back(member.first.Scalar(), Node());
        if (!convert(member.second, node.members.back().second, depth + 1)) return false;
      }
    } else if (yaml.IsScalar()) {
      node.kind = Node::Kind::scalar;
      node.text = yaml.Scalar();
      node.quoted = yaml.Tag() == "!";
      place_scalar(node);
    }
    return true;
  }

 private:
  /// A block scalar's text begins on the line after its mark, at that line's indentation; a quoted one behind its quote.
  void place_scalar(Node& node) const {
    if (node.at.line > lines_.size()) return;
    const std::size_t at = lines_[node.at.line - 1] + node.at.column - 1;
    if (at >= text_.size()) return;
    if (text_[at] == '"' || text_[at] == '\'') {
      ++node.at.column;
    } else if (text_[at] == '|' || text_[at] == '>') {
      std::size_t line = node.at.line;
      while (line < lines_.size() && text_.substr(lines_[line], text_.find('\n', lines_[line]) - lines_[line]).find_first_not_of(" \r") == text_.npos) ++line;
      if (line >= lines_.size()) return;
      node.at = {line + 1, text_.find_first_not_of(' ', lines_[line]) - lines_[line] + 1};
    }
  }

  std::string_view text_;
  std::vector<std::size_t> lines_;  ///< where each begins
  std::size_t count_ = 0;
};

}  // namespace

Result<std::vector<Node>> read_yaml_nodes(std::string_view text) {
  try {
    std::vector<Node> documents;
    YamlNodes nodes(text);
    for (const YAML::Node& yaml : YAML::LoadAll(std::string(text)))
      if (!nodes.convert(yaml, documents.emplace_back(), 0)) return fail(ErrorKind::bad_input, "more than 200000 values, or nested deeper than 64");
    return documents;
  } catch (const YAML::Exception& error) {
    return fail(ErrorKind::bad_input, "line " + std::to_string(error.mark.line + 1) + ", column " + std::to_string(error.mark.column + 1) + ": " + error.msg);
  }
}

}  // namespace modelwatch::advisories
