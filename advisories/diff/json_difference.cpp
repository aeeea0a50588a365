#include "advisories/diff/json_difference.h"

#include <algorithm>

namespace modelwatch::advisories {
namespace {

std::vector<const json::Member*> by_key(const json::Object& object) {
  std::vector<const json::Member*> members;
  members.reserve(object.size());
  for (const json::Member& member : object) members.push_back(&member);
  std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  return members;
}

// Recursion is bounded by the reader's limit on depth.
void collect(const json::Value& before, const json::Value& after, const std::string& pointer, std::vector<Edit>& edits) {
  if (!before.object() || !after.object()) {
    if (!(before == after)) edits.push_back({pointer, &before, &after});
    return;
  }
  const auto olds = by_key(*before.object()), news = by_key(*after.object());
  auto o = olds.begin(), n = news.begin();
  while (o != olds.end() || n != news.end()) {
    const bool only_old = n == news.end() || (o != olds.end() && (*o)->first < (*n)->first);
    const bool only_new = !only_old && (o == olds.end() || (*n)->first < (*o)->first);
    if (only_old) {
      edits.push_back({json::child_pointer(pointer, (*o)->first), &(*o)->second, nullptr});
      ++o;
    } else if (only_new) {
      edits.push_back({json::child_pointer(pointer, (*n)->first), nullptr, &(*n)->second});
      ++n;
    } else {
      collect((*o)->second, (*n)->second, json::child_pointer(pointer, (*o)->first), edits);
      ++o, ++n;
    }
  }
}

}  // namespace

std::vector<Edit> difference(const json::Value& before, const json::Value& after) {
  std::vector<Edit> edits;
  collect(before, after, "", edits);
  return edits;
}

std::vector<std::string> pointer_tokens(std::string_view pointer) {
  std::vector<std::string> tokens;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);  // the '/'
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string token;
    for (std::size_t i = 0; i < end; ++i) {
      if (pointer[i] == '~' && i + 1 < end) token += pointer[++i] == '1' ? '/' : '~';
      else token += pointer[i];
    }
    tokens.push_back(std::move(token));
    pointer.remove_prefix(end);
  }
  return tokens;
}

}  // namespace modelwatch::advisories
