#include "advisories/manifest/template_traits.h"

#include <algorithm>
#include <vector>

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMaxControl = 48, kMaxSet = 1000, kMaxDepth = 256, kMaxPrompt = 2000;

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

void insert(std::set<std::string, std::less<>>& set, std::string_view item) {
  if (set.size() < kMaxSet && !set.contains(item)) set.emplace(item);
}

/// Whether what stands between the brackets makes a control token: "<|…|>", "<think>", "</s>", "<｜…｜>", "[INST]", "[/INST]".
bool is_control(std::string_view text) {
  const std::string_view inner = text.substr(1, text.size() - 2);
  if (inner.empty() || inner.find_first_of(" \t\n\"'<[{=(") != std::string_view::npos) return false;
  if (text.front() == '<') return inner.find_first_not_of("/|") != std::string_view::npos;
  return std::all_of(inner.begin(), inner.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || c == '/'; }) && inner.size() > 1;
}

void find_controls(std::string_view text, std::set<std::string, std::less<>>& controls) {
  for (std::size_t at = text.find_first_of("<["); at != std::string_view::npos; at = text.find_first_of("<[", at + 1)) {
    const std::size_t end = text.substr(0, at + kMaxControl).find(text[at] == '<' ? '>' : ']', at);
    if (end == std::string_view::npos) continue;
    const std::string_view candidate = text.substr(at, end - at + 1);
    if (is_control(candidate)) insert(controls, candidate);
  }
}

/// "\n" and the like as Jinja reads them in a literal.
std::string unescaped(std::string_view literal) {
  std::string out;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) out += literal[i];
    else out += literal[++i] == 'n' ? '\n' : literal[i] == 't' ? '\t' : literal[i];
  }
  return out;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  TemplateTraits run() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::size_t open = next_tag(at);
      written(text_.substr(at, open - at));
      if (open == text_.size()) break;
      at = tag(open);
    }
    return std::move(traits_);
  }

 private:
  enum class Branch { other, asked, unasked };

  std::size_t next_tag(std::size_t from) const {
    for (std::size_t at = text_.find('{', from); at != std::string_view::npos; at = text_.find('{', at + 1))
      if (at + 1 < text_.size() && (text_[at + 1] == '{' || text_[at + 1] == '%' || text_[at + 1] == '#')) return at;
    return text_.size();
  }

  /// Reads the tag at `open`, returns where the text goes on.
  std::size_t tag(std::size_t open) {
    const char kind = text_[open + 1];
    if (kind == '#') return std::min(text_.find("#}", open + 2), text_.size() - 2) + 2;
    const std::string_view close = kind == '{' ? "}}" : "%}";
    std::vector<std::string_view> words;
    std::size_t at = open + 2;
    while (at < text_.size() && text_.substr(at, 2) != close) {
      if (text_[at] == '\'' || text_[at] == '"') at = literal(at, kind == '{');
      else if (starts_name(text_[at])) at = name(at, words);
      else ++at;
    }
    if (kind == '%') statement(words);
    return std::min(at + 2, text_.size());
  }

  std::size_t literal(std::size_t at, bool output) {
    const char quote = text_[at];
    std::size_t end = at + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    end = std::min(end, text_.size());
    const std::string_view inside = text_.substr(at + 1, end - at - 1);
    if (output) written(unescaped(inside));
    else find_controls(inside, traits_.controls);
    return std::min(end + 1, text_.size());
  }

  std::size_t name(std::size_t at, std::vector<std::string_view>& words) {
    std::size_t end = at;
    while (end < text_.size() && in_name(text_[end])) ++end;
    const std::string_view word = text_.substr(at, end - at);
    insert(traits_.names, word);
    if (words.size() < 64) words.push_back(word);
    return end;
  }

  void statement(const std::vector<std::string_view>& words) {
    if (words.empty()) return;
    const bool guard = std::find(words.begin(), words.end(), "add_generation_prompt") != words.end();
    const bool inverted = guard && words.size() > 1 && words[1] == "not";
    if (words[0] == "if" && branches_.size() < kMaxDepth) {
      branches_.push_back(!guard ? Branch::other : inverted ? Branch::unasked : Branch::asked);
    } else if (words[0] == "endif" && !branches_.empty()) {
      branches_.pop_back();
    } else if ((words[0] == "else" || words[0] == "elif") && !branches_.empty()) {
      Branch& branch = branches_.back();
      if (branch == Branch::asked && words[0] == "else") branch = Branch::unasked;
      else if (branch == Branch::unasked && words[0] == "else") branch = Branch::asked;
      else branch = Branch::other;
    }
  }

  void written(std::string_view text) {
    find_controls(text, traits_.controls);
    // the innermost block that asks for the prompt decides
    for (auto branch = branches_.rbegin(); branch != branches_.rend(); ++branch) {
      if (*branch == Branch::other) continue;
      std::string& prompt = *branch == Branch::asked ? traits_.asked : traits_.unasked;
      if (prompt.size() < kMaxPrompt) prompt.append(text.substr(0, kMaxPrompt));
      return;
    }
  }

  std::string_view text_;
  TemplateTraits traits_;
  std::vector<Branch> branches_;
};

}  // namespace

TemplateTraits template_traits(std::string_view text) { return Scanner(text).run(); }

}  // namespace modelwatch::advisories
