#pragma once
#include <optional>
#include <string>

#include "advisories/diff/part_differ.h"
#include "advisories/diff/vocabulary_changes.h"
#include "advisories/manifest/tokenizer_file.h"

/// Findings about tokenizer files that are too large for one document; diff/tokenizer.cpp decides which file is whose.
namespace modelwatch::advisories {

/// Both sides of one tokenizer.json as far as they could be read.
struct TokenizerPair {
  std::optional<TokenizerFile> before, after;
};

/// Pipeline by pointer, added tokens, vocabulary and merges as one finding each.
TokenizerPair diff_tokenizer_file(const DiffInput& input, const ChangedFile& file, PartChange& change);

/// vocab.json, vocab.txt, merges.txt, tokenizer.model, *.tiktoken; by their bytes where their content is not understood.
void diff_slow_file(const DiffInput& input, const ChangedFile& file, PartChange& change);

/// Whether the model has rows for new ids up to `highest`: by config.json of the same folder.
struct Rows {
  Impact impact;
  std::string words;
};
Rows rows_for(const DiffInput& input, std::string_view path, std::uint32_t highest);

/// One finding for a whole vocabulary, with counts and examples; none where nothing changed.
std::optional<Finding> vocabulary_finding(const DiffInput& input, const ChangedFile& file, std::optional<std::string> pointer, const VocabularyChanges& changes);
std::optional<Finding> merges_finding(const ChangedFile& file, std::optional<std::string> pointer, const MergeChanges& changes, bool tokens_added);
std::optional<Finding> added_tokens_finding(const DiffInput& input, const ChangedFile& file, const TokenizerFile& before, const TokenizerFile& after);

/// Special tokens as loaders have them from all files of a folder together; a finding without pointer where they changed.
void diff_special_tokens(const DiffInput& input, const std::string& folder, const TokenizerPair& tokenizers, PartChange& change);

}  // namespace modelwatch::advisories
