#include <algorithm>

#include "advisories/diff/dialect.h"
#include "advisories/diff/lint/revision.h"
#include "advisories/manifest/files.h"
#include "advisories/manifest/front_matter.h"
#include "advisories/manifest/license_text.h"
#include "advisories/manifest/text_file.h"

namespace modelwatch::advisories::lint_checks {
namespace {

constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/";
constexpr std::size_t kMaxSettingsFiles = 500;

bool is_settings(const ListedFile& file) { return fetch_of(file) == Fetch::whole && dialect_of(file.path, nullptr) != nullptr; }

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return text.ends_with(end); });
}

/// "Apache-2.0" and "apache-2.0" are one; a family name stands for its versions.
bool same_license(std::string_view card, std::string_view text) {
  std::string a(card), b(text);
  for (std::string* s : {&a, &b})
    std::erase_if(*s, [](char c) { return c == '-' || c == ' ' || c == '.'; });
  std::transform(a.begin(), a.end(), a.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  std::transform(b.begin(), b.end(), b.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return a.find(b) != a.npos || b.find(a) != b.npos;
}

}  // namespace

void check_syntax(Revision& revision) {
  std::size_t left = kMaxSettingsFiles;
  for (const ListedFile& listed : revision.snapshot().listing) {
    if (!is_settings(listed) || listed.size == 0 || left-- == 0) continue;
    const JsonFile& file = revision.file(listed.path);
    if (file.state == JsonFile::State::broken) {
      const TextFile text = read_text(revision.snapshot(), &listed);
      if (!text.text().starts_with(kPointer)) revision.report("lint.json.unparsable", listed.path, listed.path + " is no JSON: " + file.problem.to_string());
    }
    if (file.state != JsonFile::State::parsed) continue;
    if (!file.document.duplicates.empty())
      revision.report("lint.json.duplicate_key", listed.path, file.document.duplicates.front() + " stands twice in " + listed.path);
    if (file.document.non_finite) revision.report("lint.json.not_finite", listed.path, listed.path + " holds NaN or Infinity");
  }
}

void check_files(Revision& revision) {
  for (const ListedFile& listed : revision.snapshot().listing) {
    const Part part = part_of(listed.path);
    const bool read_by_loaders = part == Part::weights || is_settings(listed) || part == Part::tokenizer;
    if (read_by_loaders && listed.size == 0) revision.report("lint.files.empty", listed.path, listed.path + " has zero bytes");
    // A pointer's text is some 130 bytes; only small files can be one.
    if (listed.lfs || listed.size == 0 || listed.size > 1024 || part == Part::other) continue;
    const TextFile text = read_text(revision.snapshot(), &listed);
    if (text.read && text.text().starts_with(kPointer))
      revision.report("lint.files.lfs_pointer", listed.path, listed.path + " holds the pointer of a large file in place of the file");
  }
}

void check_terms(Revision& revision) {
  const Snapshot& snapshot = revision.snapshot();
  const ListedFile* card = snapshot.listing.find("README.md");
  const TextFile card_text = read_text(snapshot, card);
  const FrontMatter front = read_front_matter(card_text.text());
  if (front.state == FrontMatter::State::broken) revision.report("lint.card.unparsable", "README.md", "the card's front matter does not parse: " + front.problem);
  const std::string declared = text_at(&front.value, "license");
  if (!declared.empty() && declared != "other")
    for (const char* path : {"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE"}) {
      const ListedFile* file = snapshot.listing.find(path);
      const TextFile text = read_text(snapshot, file);
      const std::string_view known = file ? recognised_license(text.text()) : std::string_view();
      if (!known.empty() && !same_license(declared, known))
        revision.report("lint.card.license_disagrees", "README.md", "the card declares " + declared + ", " + path + " reads as " + std::string(known));
    }
  const json::Value* adapter = revision.document("adapter_config.json");
  const std::string base = text_at(adapter, "base_model_name_or_path");
  if (adapter && (base.empty() || base.starts_with('/') || base.starts_with('.') || base.find('\\') != base.npos))
    revision.report("lint.adapter.no_base", "adapter_config.json", base.empty() ? "the adapter names no base model" : "the adapter's base is a path on somebody's machine: " + base);
}

namespace {

bool is_shard(std::string_view path) { return path.find("-of-") != path.npos && ends_with_any(path, {".safetensors", ".bin"}); }

void check_index(Revision& revision, const std::string& path) {
  const json::Value* index = revision.document(path);
  const json::Value* map = index ? index->find("weight_map") : nullptr;
  if (!map || !map->object()) return;
  const std::string folder = path.substr(0, path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
  std::set<std::string> shards;
  bool head = false, embedding = false;
  for (const auto& [tensor, shard] : *map->object()) {
    if (shard.string()) shards.insert(folder + *shard.string());
    head = head || tensor.find("lm_head") != tensor.npos || tensor.ends_with("output.weight") || tensor.find("embed_out") != tensor.npos;
    embedding = embedding || tensor.find("embed_tokens") != tensor.npos;
  }
  for (const std::string& shard : shards)
    if (!revision.has(shard)) revision.report("lint.weights.missing_shard", path, path + " names " + shard + ", which is not there");
  const std::string_view kind = path.find(".safetensors.") != path.npos ? ".safetensors" : ".bin";
  for (const ListedFile& file : revision.snapshot().listing)
    if (file.path.starts_with(folder) && file.path.find('/', folder.size()) == file.path.npos && is_shard(file.path) && file.path.ends_with(kind) &&
        !shards.contains(file.path))
      revision.report("lint.weights.unindexed_shard", file.path, file.path + " is named by no index");
  const json::Value* config = revision.config();
  const json::Value* tied = in_config(config, "tie_word_embeddings");
  const json::Value* classes = config ? config->find("architectures") : nullptr;
  const bool causal = classes && classes->array() && !classes->array()->empty() && classes->array()->front().string() &&
                      classes->array()->front().string()->ends_with("ForCausalLM");
  if (folder.empty() && causal && tied && tied->boolean() == false && embedding && !head)
    revision.report("lint.weights.head_missing", "config.json", "tie_word_embeddings is false, and no shard holds lm_head");
}

}  // namespace

void check_weights_index(Revision& revision) {
  bool pickle = false, safe = false;
  for (const ListedFile& file : revision.snapshot().listing) {
    if (file.path.ends_with(".safetensors.index.json") || file.path.ends_with(".bin.index.json")) check_index(revision, file.path);
    if (file.path.find('/') != std::string::npos) continue;
    pickle = pickle || (file.path.starts_with("pytorch_model") && ends_with_any(file.path, {".bin", ".pt", ".pth"}));
    safe = safe || ends_with_any(file.path, {".safetensors", ".gguf"});
  }
  if (pickle && !safe) revision.report("lint.weights.pickle_only", "pytorch_model.bin", "the only weights are pickles, and loading one can run code");
}

}  // namespace modelwatch::advisories::lint_checks
