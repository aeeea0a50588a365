#pragma once
#include <string_view>

namespace modelwatch::advisories {

/// Whether CommonMark text holds raw HTML outside of fenced blocks and code spans: a '<' that begins a tag, a comment
/// or an autolink.
bool has_raw_html(std::string_view markdown);

}  // namespace modelwatch::advisories
