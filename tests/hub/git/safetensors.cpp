#include "tests/hub/git/safetensors.h"

#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"

namespace modelwatch::testhub {
namespace {

constexpr std::uint64_t largest_written_out = 1 << 20;
constexpr std::uint64_t largest_header = 25'000'000;

std::uint64_t bits_of(const std::string& dtype) {
  static constexpr std::array<std::pair<std::string_view, unsigned>, 17> sizes = {{{"BOOL", 8},
                                                                                   {"U8", 8},
                                                                                   {"I8", 8},
                                                                                   {"U16", 16},
                                                                                   {"I16", 16},
                                                                                   {"U32", 32},
                                                                                   {"I32", 32},
                                                                                   {"U64", 64},
                                                                                   {"I64", 64},
                                                                                   {"F16", 16},
                                                                                   {"BF16", 16},
                                                                                   {"F32", 32},
                                                                                   {"F64", 64},
                                                                                   {"F8_E4M3", 8},
                                                                                   {"F8_E5M2", 8},
                                                                                   {"F8_E8M0", 8},
                                                                                   {"F4", 4}}};
  for (const auto& [name, bits] : sizes)
    if (name == dtype) return bits;
  throw std::invalid_argument("unknown dtype " + dtype);
}

/// xorshift64*: the same bytes for the same seed on every machine.
std::string noise(std::uint64_t length, std::uint64_t seed) {
  std::uint64_t state = seed * 0x9E3779B97F4A7C15ULL + 0x2545F4914F6CDD1DULL;
  std::string out;
  out.reserve(length);
  while (out.size() < length) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    out += static_cast<char>(state * 0x2545F4914F6CDD1DULL >> 56);
  }
  return out;
}

}  // namespace

Content safetensors_file(const std::vector<Tensor>& tensors, std::uint64_t seed) {
  json::Object header{{"__metadata__", json::Object{{"format", "pt"}}}};
  std::uint64_t end = 0;
  for (const Tensor& tensor : tensors) {
    std::uint64_t elements = 1;
    json::Array shape;
    for (const std::uint64_t dimension : tensor.shape) {
      elements *= dimension;
      shape.push_back(dimension);
    }
    const std::uint64_t begin = end;
    end += (elements * bits_of(tensor.dtype) + 7) / 8;
    header.append(tensor.name, json::Object{{"dtype", tensor.dtype},
                                            {"shape", std::move(shape)},
                                            {"data_offsets", json::Array{begin, end}}});
  }
  std::string text = json::write(header);
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 255);
  bytes += text;
  if (end <= largest_written_out) return Content(bytes + noise(end, seed));
  const std::uint64_t size = bytes.size() + end;
  return Content::hollow(std::move(bytes), size, seed);
}

std::optional<json::Value> safetensors_header(const Content& content) {
  const std::string_view bytes = content.bytes();
  if (bytes.size() < 8) return {};
  std::uint64_t length = 0;
  for (unsigned i = 0; i < 8; ++i) length |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  if (length > largest_header || length > bytes.size() - 8) return {};
  auto read = json::read(bytes.substr(8, length));
  if (!read || !read->value.object()) return {};
  return std::move(read->value);
}

}  // namespace modelwatch::testhub
