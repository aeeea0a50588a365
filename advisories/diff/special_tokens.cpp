#include "advisories/manifest/special_tokens.h"

#include <algorithm>

#include "advisories/diff/tokenizer_findings.h"

namespace modelwatch::advisories {
namespace {

using Token = SpecialTokens::Token;

std::string text_of(const Token* token) {
  if (!token) return "none";
  return shown(token->content) + (token->id ? " (" + std::to_string(*token->id) + ")" : "");
}

json::Value value_of(const Token& token) {
  json::Object out{{"token", token.content}};
  if (token.id) out.append("id", *token.id);
  return out;
}

/// Ids are compared only where both sides know them.
bool same(const Token* a, const Token* b) {
  if (!a || !b) return a == b;
  return a->content == b->content && (!a->id || !b->id || *a->id == *b->id);
}

SpecialTokens read(const Snapshot& snapshot, Documents& documents, const std::string& folder, const std::optional<TokenizerFile>& tokenizer) {
  const auto at = [&](const char* name) -> const json::Value* {
    return snapshot.listing.find(folder + name) ? documents.at(folder + name).value() : nullptr;
  };
  return special_tokens(at("tokenizer_config.json"), at("special_tokens_map.json"), at("added_tokens.json"), tokenizer ? &*tokenizer : nullptr);
}

/// A file that is listed and not at hand leaves its side open: nothing is said then.
bool known(const Snapshot& snapshot, Documents& documents, const std::string& folder) {
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"})
    if (snapshot.listing.find(folder + name) && documents.at(folder + name).state == JsonFile::State::not_read) return false;
  return true;
}

class Comparison {
 public:
  Comparison(const SpecialTokens& was, const SpecialTokens& is) {
    for (const SpecialTokens* side : {&was, &is})
      for (const auto& [role, token] : side->named)
        if (seen_.insert(role).second) compare(role, find(was, role), find(is, role));
    std::vector<std::string> lost, gained;
    std::set_difference(was.further.begin(), was.further.end(), is.further.begin(), is.further.end(), std::back_inserter(lost));
    std::set_difference(is.further.begin(), is.further.end(), was.further.begin(), was.further.end(), std::back_inserter(gained));
    list("no longer special", lost, "lost", Impact::behaviour);
    list("special from now on", gained, "gained", Impact::behaviour);
  }

  std::string text;
  std::string cause;  ///< where one token alone changed: it may be named in other files, too
  Impact impact = Impact::cosmetic;
  json::Object before, after, evidence;

 private:
  static const Token* find(const SpecialTokens& tokens, const std::string& role) {
    const auto found = tokens.named.find(role);
    return found == tokens.named.end() ? nullptr : &found->second;
  }

  void compare(const std::string& role, const Token* was, const Token* is) {
    if (same(was, is)) return;
    if (was) before.append(role, value_of(*was));
    if (is) after.append(role, value_of(*is));
    impact = std::max(impact, was ? Impact::breaking : Impact::behaviour);
    ++roles_;
    cause = roles_ == 1 ? "token " + (is ? is : was)->content : std::string();
    text += (text.empty() ? "" : "; ") + role + " " + text_of(was) + " → " + text_of(is);
  }

  void list(std::string_view words, const std::vector<std::string>& tokens, const char* key, Impact grade) {
    if (tokens.empty()) return;
    impact = std::max(impact, grade);
    Counted counted;
    for (const std::string& token : tokens) counted.add(shown(token));
    text += (text.empty() ? "" : "; ") + std::to_string(tokens.size()) + " further " + (tokens.size() == 1 ? "token " : "tokens ") + std::string(words) + " (" +
            counted.examples.front() + (tokens.size() > 1 ? ", …)" : ")");
    evidence.append(key, counted.to_json());
  }

  std::set<std::string> seen_;
  int roles_ = 0;
};

}  // namespace

void diff_special_tokens(const DiffInput& input, const std::string& folder, const TokenizerPair& tokenizers, PartChange& change) {
  if (!known(input.before, input.documents_before, folder) || !known(input.after, input.documents_after, folder)) return;
  // ids from a vocabulary that is at hand on one side only would look like new ones
  const bool both = tokenizers.before && tokenizers.after;
  static const std::optional<TokenizerFile> none;
  Comparison comparison(read(input.before, input.documents_before, folder, both ? tokenizers.before : none),
                        read(input.after, input.documents_after, folder, both ? tokenizers.after : none));
  if (comparison.text.empty()) return;
  Finding finding;
  finding.rule = "tokenizer.special_tokens.effective";
  finding.impact = comparison.impact;
  finding.path = folder + "tokenizer_config.json";
  finding.meaning = "special tokens as loaders have them from all files together: " + comparison.text;
  finding.before = json::Value(std::move(comparison.before));
  finding.after = json::Value(std::move(comparison.after));
  finding.evidence = std::move(comparison.evidence);
  finding.cause = std::move(comparison.cause);
  change.findings.push_back(std::move(finding));
}

}  // namespace modelwatch::advisories
