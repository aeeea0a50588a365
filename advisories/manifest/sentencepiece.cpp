#include "advisories/manifest/sentencepiece.h"

#include <array>
#include <bit>
#include <optional>

namespace modelwatch::advisories {
namespace {

/// The fields of one protobuf message, one after another.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t number = 0;
  std::uint32_t wire = 0;       // 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes
  std::uint64_t value = 0;      // of wire 0, 1, 5
  std::string_view content;     // of wire 2

  /// False at the end, and where the bytes are no message (`broken`).
  bool next() {
    if (at_ >= bytes_.size()) return false;
    const auto tag = varint();
    if (!tag || *tag > UINT32_MAX || *tag >> 3 == 0) return fail();
    number = static_cast<std::uint32_t>(*tag >> 3);
    wire = static_cast<std::uint32_t>(*tag & 7);
    if (wire == 1 || wire == 5) return fixed(wire == 1 ? 8 : 4);
    if (wire != 0 && wire != 2) return fail();
    const auto number_read = varint();
    if (!number_read) return fail();
    value = *number_read;
    if (wire == 0) return true;
    if (value > bytes_.size() - at_) return fail();
    content = bytes_.substr(at_, value);
    at_ += value;
    return true;
  }

  bool broken = false;
  std::size_t offset() const { return at_; }

 private:
  bool fail() {
    broken = true;
    return false;
  }

  std::optional<std::uint64_t> varint() {
    std::uint64_t number_read = 0;
    for (unsigned shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      number_read |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return number_read;
    }
    return std::nullopt;
  }

  bool fixed(std::size_t size) {
    if (bytes_.size() - at_ < size) return fail();
    value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[at_ + i]);
    at_ += size;
    return true;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

bool read_piece(std::string_view message, SentencePieceModel& model) {
  Fields fields(message);
  std::string_view piece;
  float score = 0;
  std::uint8_t type = 1;
  while (fields.next()) {
    if (fields.number == 1 && fields.wire == 2) piece = fields.content;
    else if (fields.number == 2 && fields.wire == 5) score = std::bit_cast<float>(static_cast<std::uint32_t>(fields.value));
    else if (fields.number == 3 && fields.wire == 0) type = static_cast<std::uint8_t>(fields.value);
  }
  if (fields.broken || !model.pieces.add(piece, static_cast<std::uint32_t>(model.pieces.size()), score)) return false;
  model.types.push_back(type);
  return true;
}

void read_trainer(std::string_view message, SentencePieceModel& model) {
  static constexpr std::array<std::string_view, 5> names = {"", "unigram", "bpe", "word", "char"};
  Fields fields(message);
  while (fields.next())
    if (fields.number == 3 && fields.wire == 0 && fields.value < names.size()) model.model_type = names[fields.value];
}

}  // namespace

SentencePieceModel read_sentencepiece(const Bytes& bytes) {
  SentencePieceModel model;
  model.model_type = "unigram";  // proto's default
  Fields fields(*bytes);
  while (fields.next()) {
    if (fields.wire != 2) continue;
    if (fields.number == 1 && !read_piece(fields.content, model)) {
      fields.broken = true;
      break;
    }
    if (fields.number == 2) read_trainer(fields.content, model);
    if (fields.number == 3) model.normalizer = fields.content;
  }
  if (fields.broken) model.trouble = "byte " + std::to_string(fields.offset()) + ": no sentencepiece model";
  else if (model.pieces.empty()) model.trouble = "byte 0: no sentencepiece model, it has no pieces";
  return model;
}

std::string_view piece_type_name(std::uint8_t type) {
  static constexpr std::array<std::string_view, 7> names = {"", "normal", "unknown", "control", "user defined", "unused", "byte"};
  return type < names.size() ? names[type] : std::string_view("other");
}

}  // namespace modelwatch::advisories
