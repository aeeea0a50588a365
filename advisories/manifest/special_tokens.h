#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "advisories/manifest/json_file.h"
#include "advisories/manifest/tokenizer_file.h"
#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// The special tokens of a folder as transformers puts them together.
struct SpecialTokens {
  struct Token {
    std::string content;
    std::optional<std::uint32_t> id;  ///< none where no file at hand gives it
    bool operator==(const Token&) const = default;
  };
  std::map<std::string, Token> named;  ///< "bos_token", "eos_token", …
  std::set<std::string> further;       ///< additional_special_tokens, extra_special_tokens; without the named ones
};

/// Any of the files may be null: absent, or not at hand. tokenizer_config.json rules; special_tokens_map.json is read on top of
/// it where there is no added_tokens_decoder (transformers from 4.34). Ids come from tokenizer.json, else
/// from added_tokens_decoder, else from added_tokens.json.
SpecialTokens special_tokens(const json::Value* tokenizer_config, const json::Value* special_tokens_map, const json::Value* added_tokens,
                             const TokenizerFile* tokenizer);

}  // namespace modelwatch::advisories
