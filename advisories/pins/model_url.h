#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace modelwatch::advisories {

/// A model repository as an address names it.
struct ModelUrl {
  std::string repository, revision;  ///< revision empty where the address has none
};

/// Addresses of the public Hub: https://huggingface.co/org/name, also under hf.co, with /tree/<rev>, /blob/…, /resolve/…,
/// /raw/…, /commit/<sha>, with ".git", "git+" in front or "@rev" behind; hf://org/name@rev. None for datasets, spaces
/// and pages that are no repository. A single segment ("huggingface.co/gpt2") is one only with a revision behind it:
/// it may as well be an organisation.
std::optional<ModelUrl> parse_model_url(std::string_view url);

}  // namespace modelwatch::advisories
