#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace modelwatch::advisories {

/// A commit as OSV wants it: 40 or 64 hex digits, lowered. Empty for anything else (short hashes, branches).
std::optional<std::string> full_commit(std::string_view text);

/// The name of a GIT package as clients compare it: without scheme, user, trailing '/' and ".git"; the host lowered, the
/// path in its own case. "https://huggingface.co/Org/Name.git/" → "huggingface.co/Org/Name".
std::string normalized_git_name(std::string_view name);

/// "org/name" of a GIT package name on this hub ("https://huggingface.co"); empty where it lies elsewhere, or names
/// a dataset or space.
std::optional<std::string> repository_of_git_name(std::string_view name, std::string_view hub);

/// What the Hub takes as a repository name: one or two segments of letters, digits, '-', '_' and '.', no segment of
/// dots alone, at most 96 characters each.
bool is_repository_name(std::string_view name);

}  // namespace modelwatch::advisories
