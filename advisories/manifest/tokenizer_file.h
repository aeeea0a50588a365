#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "advisories/manifest/snapshot.h"
#include "advisories/manifest/vocabulary.h"
#include "estimator/json/value.h"

namespace modelwatch::advisories {

/// A token that is kept whole, whatever the model would make of its text.
struct AddedToken {
  std::string content;
  std::uint32_t id = 0;
  bool single_word = false, lstrip = false, rstrip = false, normalized = false, special = false;

  bool same_flags(const AddedToken& other) const;
  bool operator==(const AddedToken&) const = default;
};

/// tokenizer.json of the `tokenizers` library, read once and streamed, never as one document: 33 MB become about 14.
/// Models BPE, Unigram, WordPiece, WordLevel.
struct TokenizerFile {
  /// The file without `added_tokens`, `model/vocab` and `model/merges`: truncation, padding, normalizer, …, model.
  json::Value rest;
  std::vector<AddedToken> added;  ///< in the file's order
  Vocabulary vocabulary;
  Merges merges;
  bool merges_as_pairs = false;  ///< ["a", "b"] as written since tokenizers 0.20, which earlier versions refuse; else "a b"
  std::string trouble;           ///< "line 12, column 3: …" where the text is not what it should be; the rest is what was read before

  /// "BPE", "Unigram", …; guessed from the members where the file does not say, as the library does.
  std::string model_type() const;
};

TokenizerFile read_tokenizer_file(const Bytes& bytes);

/// Equal exactly where the file means the same: pipeline in normal form (given by the caller), vocabulary in any order,
/// merges, added tokens.
std::string digest(const TokenizerFile& file, const json::Value& normal_rest);

}  // namespace modelwatch::advisories
