#include <toml++/toml.h>

#include "advisories/pins/node.h"

namespace modelwatch::advisories {
namespace {

Node converted(const toml::node& toml) {
  Node node;
  node.at = {toml.source().begin.line, toml.source().begin.column};
  if (const toml::table* table = toml.as_table()) {
    node.kind = Node::Kind::map;
    for (const auto& [key, value] : *table) node.members.emplace_back(std::string(key.str()), converted(value));
  } else if (const toml::array* array = toml.as_array()) {
    node.kind = Node::Kind::list;
    for (const toml::node& item : *array) node.items.push_back(converted(item));
  } else if (const auto text = toml.value<std::string>()) {
    node.kind = Node::Kind::scalar;
    node.quoted = true;
    node.text = *text;
  }
  return node;
}

}  // namespace

Result<Node> read_toml_node(std::string_view text) {
  try {
    return converted(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    return fail(ErrorKind::bad_input, "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ": " + std::string(error.description()));
  }
}

}  // namespace modelwatch::advisories
