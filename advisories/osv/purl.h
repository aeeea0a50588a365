#pragma once
#include <string>
#include <string_view>

#include "advisories/osv/advisory.h"

namespace modelwatch::advisories {

inline constexpr std::string_view kPublicHub = "https://huggingface.co";

/// A package URL of type `huggingface`, decoded: pkg:huggingface/<namespace>/<name>@<version>?repository_url=<hub>.
struct ModelPurl {
  std::string repository;  ///< "org/name"; legacy repositories have no namespace
  std::string version;     ///< lowered where it is a commit (the type's rule), else as written ("main"); may be empty
  std::string hub;         ///< without trailing '/'; the public hub where no repository_url says otherwise
};

/// Reads one; other qualifiers and a subpath are ignored. bad_input where it is no purl, or of another type
/// (`purl_type` tells those apart).
Result<ModelPurl> parse_model_purl(std::string_view text);

/// "huggingface" of "pkg:huggingface/…", lowered; empty where the text is no purl.
std::string purl_type(std::string_view text);

/// Without a version, as OSV's `purl` field wants it.
std::string model_purl(std::string_view hub, std::string_view repository);

}  // namespace modelwatch::advisories
