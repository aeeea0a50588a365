#include "advisories/manifest/tokenizer_file.h"

#include <gtest/gtest.h>

#include <memory>

namespace modelwatch::advisories {
namespace {

std::string trouble(const std::string& text) { return read_tokenizer_file(std::make_shared<const std::string>(text)).trouble; }

TEST(TokenizerFile, ReadsAMinimalOne) {
  EXPECT_EQ(trouble(R"({"added_tokens":[],"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}})"), "");
}

/// A push of an empty tokenizer.json once ended the daemon.
TEST(TokenizerFile, WhatCannotBeReadIsSaidAndEndsNothing) {
  for (const char* text : {"", " ", "[]", "{", "\xEF\xBB\xBF{}", "\"", "nul", "{\"model\":", "\x00", "{\"model\":{\"vocab\":{\"a\":-1}}}"})
    EXPECT_NE(trouble(text), "") << text;
  EXPECT_NE(trouble("{\"decoder\":" + std::string(200, '[') + std::string(200, ']') + "}"), "");
}

}  // namespace
}  // namespace modelwatch::advisories
