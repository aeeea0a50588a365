#include "advisories/pins/node.h"

#include <algorithm>

namespace modelwatch::advisories {

const Node* Node::find(std::string_view key) const {
  // Where a key occurs twice, the last one counts.
  const auto found = std::find_if(members.rbegin(), members.rend(), [&](const auto& member) { return member.first == key; });
  return found == members.rend() ? nullptr : &found->second;
}

std::string_view Node::get(std::string_view key) const {
  const Node* value = find(key);
  return value && value->kind == Kind::scalar ? std::string_view(value->text) : std::string_view();
}

}  // namespace modelwatch::advisories
