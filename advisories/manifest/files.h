#pragma once
#include <string_view>

#include "advisories/impact.h"
#include "advisories/manifest/snapshot.h"

namespace modelwatch::advisories {

/// Which part a path belongs to, by its name and place (`vae/config.json` is config, told apart by path).
/// tokenizer_config.json is `tokenizer`; the template inside it is found by the chat template's own reader.
Part part_of(std::string_view path);

/// How much of a file is read from the Hub.
enum class Fetch {
  nothing,             ///< known by its listing alone
  whole,               ///< a small file, up to `fetch_limit`
  safetensors_header,  ///< 8 + N bytes at the start
  gguf_header,         ///< growing ranges at the start
};
Fetch fetch_of(const ListedFile& file);

/// The largest file of this name that is read whole, in bytes. A larger one is NotRead, and a change of it `unknown`.
std::uint64_t fetch_limit(std::string_view path);

}  // namespace modelwatch::advisories
