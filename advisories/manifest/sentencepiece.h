#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "advisories/manifest/snapshot.h"
#include "advisories/manifest/vocabulary.h"

namespace modelwatch::advisories {

/// tokenizer.model of the sentencepiece library: a protobuf message ModelProto (field 1 pieces; 2 trainer, 3 normalizer
/// and 5 denormalizer settings). Read without a schema compiler: four fields matter.
struct SentencePieceModel {
  Vocabulary pieces;                 ///< id is the place; with scores
  std::vector<std::uint8_t> types;   ///< 1 normal, 2 unknown, 3 control, 4 user defined, 5 unused, 6 byte
  std::string model_type;            ///< "unigram", "bpe", "word", "char"
  std::string normalizer;            ///< its settings as bytes, to be compared
  std::string trouble;               ///< "byte 12: …" where the bytes are not such a message
};

SentencePieceModel read_sentencepiece(const Bytes& bytes);
std::string_view piece_type_name(std::uint8_t type);

}  // namespace modelwatch::advisories
