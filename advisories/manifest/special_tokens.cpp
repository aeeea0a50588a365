#include "advisories/manifest/special_tokens.h"

#include <charconv>
#include <unordered_map>

namespace modelwatch::advisories {
namespace {

const std::string* content_of(const json::Value& value) {
  if (const std::string* text = value.string()) return text;
  const json::Value* inner = value.find("content");
  return inner ? inner->string() : nullptr;
}

void take(const json::Value* document, SpecialTokens& tokens) {
  if (!document || !document->object()) return;
  for (const auto& [key, value] : *document->object()) {
    if (key == "additional_special_tokens" || key == "extra_special_tokens") {
      if (value.array())
        for (const json::Value& item : *value.array())
          if (const std::string* text = content_of(item)) tokens.further.insert(*text);
      if (value.object())
        for (const auto& [role, item] : *value.object())
          if (const std::string* text = content_of(item)) tokens.named[role].content = *text;
    } else if (key.ends_with("_token")) {
      const std::string* text = content_of(value);
      if (text && !text->empty()) tokens.named[key].content = *text;
      else if (value.is_null()) tokens.named.erase(key);
    }
  }
}

using Ids = std::unordered_map<std::string, std::uint32_t>;

Ids ids_of(const json::Value* tokenizer_config, const json::Value* added_tokens, const TokenizerFile* tokenizer) {
  Ids ids;
  if (added_tokens && added_tokens->object())
    for (const auto& [token, id] : *added_tokens->object())
      if (const auto number = id.integer(); number && *number >= 0 && *number <= UINT32_MAX) ids[token] = static_cast<std::uint32_t>(*number);
  const json::Value* decoder = tokenizer_config ? tokenizer_config->find("added_tokens_decoder") : nullptr;
  if (decoder && decoder->object())
    for (const auto& [key, entry] : *decoder->object()) {
      std::uint32_t id = 0;
      const std::string* text = content_of(entry);
      if (text && std::from_chars(key.data(), key.data() + key.size(), id).ptr == key.data() + key.size()) ids[*text] = id;
    }
  if (tokenizer)
    for (const AddedToken& token : tokenizer->added) ids[token.content] = token.id;
  return ids;
}

/// For what no list of added tokens names: a whole vocabulary is walked once.
void ids_from_vocabulary(const Vocabulary& vocabulary, SpecialTokens& tokens) {
  std::unordered_map<std::string_view, std::vector<SpecialTokens::Token*>> wanted;
  for (auto& [role, token] : tokens.named)
    if (!token.id) wanted[token.content].push_back(&token);
  for (std::size_t i = 0; !wanted.empty() && i < vocabulary.size(); ++i)
    if (const auto at = wanted.find(vocabulary[i].token); at != wanted.end())
      for (SpecialTokens::Token* token : at->second) token->id = vocabulary[i].id;
}

}  // namespace

SpecialTokens special_tokens(const json::Value* tokenizer_config, const json::Value* special_tokens_map, const json::Value* added_tokens,
                             const TokenizerFile* tokenizer) {
  SpecialTokens tokens;
  take(tokenizer_config, tokens);
  if (!tokenizer_config || !tokenizer_config->find("added_tokens_decoder")) take(special_tokens_map, tokens);
  const Ids ids = ids_of(tokenizer_config, added_tokens, tokenizer);
  for (auto& [role, token] : tokens.named) {
    tokens.further.erase(token.content);
    if (const auto id = ids.find(token.content); id != ids.end()) token.id = id->second;
  }
  if (tokenizer) ids_from_vocabulary(tokenizer->vocabulary, tokens);
  return tokens;
}

}  // namespace modelwatch::advisories
