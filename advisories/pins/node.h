#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "advisories/pins/pin.h"

namespace modelwatch::advisories {

struct NodeMember;

/// A document of JSON, YAML or TOML as far as pins need it: scalars as text, and where each thing stands.
struct Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  bool quoted = false;                                ///< a scalar that is a text, not a number or boolean
  std::string text;                                   ///< of a scalar
  Position at;                                        ///< of the value
  std::vector<Node> items;                            ///< of a list
  std::vector<NodeMember> members;                    ///< of a map, in order

  /// The member of a map, or null.
  const Node* find(std::string_view key) const;
  /// The text of a member that is a scalar, else empty.
  std::string_view get(std::string_view key) const;
};

/// A key and its value. Not std::pair, which clang's library cannot put into a vector while Node is incomplete.
struct NodeMember {
  NodeMember(std::string key, Node value) : first(std::move(key)), second(std::move(value)) {}

  std::string first;
  Node second;
};

/// Each refuses what its format refuses, naming line and column; depth and number of nodes are bounded.
Result<Node> read_json_node(std::string_view text);
Result<std::vector<Node>> read_yaml_nodes(std::string_view text);  ///< a stream may hold several documents
Result<Node> read_toml_node(std::string_view text);

}  // namespace modelwatch::advisories
