#include "advisories/osv/markdown.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

TEST(RawHtml, IsSeenOutsideOfCodeOnly) {
  const struct {
    const char* text;
    bool html;
  } rows[] = {
      {"", false},
      {"plain a < b and <3", false},
      {"a <b> tag", true},
      {"</s>", true},
      {"<!-- comment -->", true},
      {"<https://example.org>", true},
      {"in a span: `<b>` fine", false},
      {"`` `<b>` ``", false},
      {"`<b>", true},
      {"`unclosed\n\n<b>`", true},
      {"escaped \\<b>", false},
      {"```text\n<b>\n```\nfine", false},
      {"```text\n<b>\n```\n<i>", true},
      {"````\n```\n<b>\n````", false},
      {"```\n<b>\n````", false},
      {"```\n<b> to the end of the text", false},
      {"<i>\n```\nx\n```", true},
      {"``` a`b\n<b>", true},
      {"   ```\n<b>\n   ```", false},
  };
  for (const auto& row : rows) EXPECT_EQ(has_raw_html(row.text), row.html) << row.text;
}

}  // namespace
}  // namespace modelwatch::advisories
