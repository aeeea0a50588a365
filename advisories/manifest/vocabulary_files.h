#pragma once
#include <string>

#include "advisories/manifest/snapshot.h"
#include "advisories/manifest/vocabulary.h"

namespace modelwatch::advisories {

/// A vocabulary or merges in one of the files of slow tokenizers.
struct VocabularyFile {
  enum class Kind { unknown, tokens, merges, pieces };
  Kind kind = Kind::unknown;
  Vocabulary tokens;
  Merges merges;
  std::string settings;  ///< sentencepiece: type and normalizer; with the types of pieces in their order
  std::string trouble;
};

/// Which reader a file's name asks for.
VocabularyFile::Kind vocabulary_file_kind(std::string_view path);

/// vocab.json (token → id), vocab.txt (one a line), merges.txt ("left right" a line behind an optional #version),
/// tokenizer.model (sentencepiece), *.tiktoken ("base64 rank" a line).
VocabularyFile read_vocabulary_file(std::string_view path, const Bytes& bytes);

}  // namespace modelwatch::advisories
