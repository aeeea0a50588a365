#include "advisories/pins/node.h"
#include "estimator/json/reader.h"

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

/// Reads a text that json::read has found sound, so that nothing needs to be checked again, with the places of things.
class JsonNodes {
 public:
  explicit JsonNodes(std::string_view text) : text_(text) {}

  Node value() {
    skip_space();
    Node node;
    node.at = {line_, at_ - line_start_ + 1};
    switch (text_[at_]) {
      case '{':
        node.kind = Node::Kind::map;
        for (step(), skip_space(); text_[at_] != '}'; skip_comma()) {
          std::string key = string();
          skip_space();
          step();  // ':'
          node.members.emplace_back(std::move(key), value());
        }
        step();
        break;
      case '[':
        node.kind = Node::Kind::list;
        for (step(), skip_space(); text_[at_] != ']'; skip_comma()) node.items.push_back(value());
        step();
        break;
      case '"':
        node.kind = Node::Kind::scalar;
        node.quoted = true;
        node.text = string();
        break;
      default:
        while (at_ < text_.size() && kSpace.find(text_[at_]) == kSpace.npos && std::string_view(",]}").find(text_[at_]) == kSpace.npos)
          node.text += text_[at_++];
        if (node.text != "null") node.kind = Node::Kind::scalar;
    }
    return node;
  }

 private:
  std::string string() {
    const std::size_t begin = at_;
    for (++at_; text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    const std::string_view literal = text_.substr(begin, ++at_ - begin);
    if (literal.find('\\') == literal.npos) return std::string(literal.substr(1, literal.size() - 2));
    return *json::read(literal)->value.string();
  }

  void skip_comma() {
    skip_space();
    if (text_[at_] == ',') step();
    skip_space();
  }

  void skip_space() {
    while (at_ < text_.size() && kSpace.find(text_[at_]) != kSpace.npos) step();
  }

  void step() {
    if (text_[at_++] != '\n') return;
    ++line_;
    line_start_ = at_;
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1, line_start_ = 0;
};

}  // namespace

Result<Node> read_json_node(std::string_view text) {
  const auto document = json::read(text);
  if (!document) return fail(ErrorKind::bad_input, document.error().to_string());
  return JsonNodes(text).value();
}

}  // namespace modelwatch::advisories
