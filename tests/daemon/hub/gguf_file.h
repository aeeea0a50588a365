#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace modelwatch::hub {

/// Writes the pieces of a GGUF file.
struct Gguf {
  std::string bytes;

  Gguf& raw(std::string_view text) {
    bytes += text;
    return *this;
  }
  Gguf& number(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += i < 8 ? static_cast<char>(value >> 8 * i & 255) : char{0};
    return *this;
  }
  Gguf& text(std::string_view value) { return number(value.size(), 8).raw(value); }
};

/// A version 3 header with a tokenizer of these tokens, one value of each width, and one tensor.
inline std::string gguf_header_of(const std::vector<std::string>& tokens) {
  Gguf file;
  file.raw("GGUF").number(3, 4).number(1, 8).number(5, 8);
  file.text("general.architecture").number(8, 4).text("llama");
  file.text("a.flag").number(7, 4).number(1, 1);
  file.text("a.short").number(2, 4).number(1, 2);
  file.text("a.scores").number(9, 4).number(6, 4).number(3, 8).number(0, 12);
  file.text("tokenizer.ggml.tokens").number(9, 4).number(8, 4).number(tokens.size(), 8);
  for (const std::string& token : tokens) file.text(token);
  file.text("token_embd.weight").number(2, 4).number(4, 8).number(4, 8).number(0, 4).number(0, 8);
  return file.bytes;
}

}  // namespace modelwatch::hub
