#include "daemon/hub/gguf_extent.h"

namespace modelwatch::hub {

namespace {

constexpr std::uint64_t kMostPairs = 100'000, kMostTensors = 1'000'000, kLongestString = 64 << 20;
constexpr std::uint32_t kMostDimensions = 8;
constexpr int kDeepestArray = 4;

enum Type : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };

/// Bytes of one value; 0 for strings and arrays, which say so themselves.
std::uint64_t width(std::uint32_t type) {
  switch (type) {
    case u8: case i8: case boolean: return 1;
    case u16: case i16: return 2;
    case u32: case i32: case f32: return 4;
    case u64: case i64: case f64: return 8;
    default: return 0;
  }
}

/// Steps over the bytes. Once one step leads beyond them or fails, the others do nothing.
class Walk {
 public:
  explicit Walk(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number(int size) {
    const std::uint64_t from = at_;
    if (!skip(static_cast<std::uint64_t>(size))) return 0;
    std::uint64_t value = 0;
    for (int i = size - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes_[from + static_cast<std::uint64_t>(i)]);
    return value;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t count() { return number(version_1_ ? 4 : 8); }

  void text() {
    const std::uint64_t length = count();
    if (length > kLongestString) fail("a string of more than 64 MB");
    skip(length);
  }

  void value(std::uint32_t type, int depth = 0) {
    if (const std::uint64_t bytes = width(type)) {
      skip(bytes);
    } else if (type == string) {
      text();
    } else if (type == array && depth < kDeepestArray) {
      const std::uint32_t of = word();
      const std::uint64_t length = count();
      if (const std::uint64_t each = width(of)) {
        if (length > kLongestString / each) fail("an array of more than 64 MB");
        skip(length * each);
      } else {
        for (std::uint64_t i = 0; i < length && goes_on(); ++i) value(of, depth + 1);
      }
    } else {
      fail("a value of unknown type");
    }
  }

  void tensor() {
    text();
    const std::uint32_t dimensions = word();
    if (dimensions > kMostDimensions) fail("a tensor of more than 8 dimensions");
    skip(8ULL * dimensions);
    skip(4 + 8);  // type and offset
  }

  void fail(std::string_view why) {
    if (goes_on()) why_ = why;
  }
  bool goes_on() const { return why_.empty() && !beyond_; }
  void is_version_1() { version_1_ = true; }

  std::variant<HeaderEnd, HeaderGoesOn, NoHeader> result() const {
    if (!why_.empty()) return NoHeader{why_};
    if (beyond_) return HeaderGoesOn{at_};
    return HeaderEnd{at_};
  }

 private:
  bool skip(std::uint64_t length) {
    if (!goes_on()) return false;
    at_ += length;  // at most 64 MB a step, and no step after the first beyond the end
    beyond_ = at_ > bytes_.size();
    return !beyond_;
  }

  std::string_view bytes_;
  std::uint64_t at_ = 0;
  bool beyond_ = false, version_1_ = false;
  std::string_view why_;
};

}  // namespace

std::variant<HeaderEnd, HeaderGoesOn, NoHeader> gguf_extent(std::string_view start) {
  Walk walk(start);
  constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
  if (walk.word() != kMagic) walk.fail("it does not start with GGUF");
  const std::uint32_t version = walk.word();
  if (version < 1 || version > 3) walk.fail("a version other than 1 to 3");
  if (version == 1) walk.is_version_1();
  const std::uint64_t tensors = walk.count(), pairs = walk.count();
  if (tensors > kMostTensors) walk.fail("more than a million tensors");
  if (pairs > kMostPairs) walk.fail("more than 100,000 key/values");
  for (std::uint64_t i = 0; i < pairs && walk.goes_on(); ++i) {
    walk.text();
    walk.value(walk.word());
  }
  for (std::uint64_t i = 0; i < tensors && walk.goes_on(); ++i) walk.tensor();
  return walk.result();
}

}  // namespace modelwatch::hub
