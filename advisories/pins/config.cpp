#include <array>

#include "advisories/osv/package_name.h"
#include "advisories/pins/formats.h"
#include "advisories/pins/model_url.h"

namespace modelwatch::advisories {
namespace {

constexpr std::array kModelKeys = {"model",     "model_id",   "model_name",       "model_name_or_path", "pretrained_model_name_or_path", "model_path",
                                   "repo_id",   "repo",       "hf_repo",          "hf_model_id",        "base_model",                    "base_model_name_or_path",
                                   "repository", "embedding_model", "tokenizer"};
constexpr std::array kRevisionKeys = {"revision", "model_revision", "hf_revision", "base_model_revision", "commit", "commit_hash", "sha"};

const Node* scalar_at(const Node& map, const auto& keys) {
  for (const char* key : keys)
    if (const Node* value = map.find(key); value && value->kind == Node::Kind::scalar && !value->text.empty()) return value;
  return nullptr;
}

}  // namespace

void config_pins(const Node& node, PinFile& file) {
  for (const Node& item : node.items) config_pins(item, file);
  for (const auto& [key, value] : node.members) config_pins(value, file);
  const Node *model = scalar_at(node, kModelKeys), *revision = scalar_at(node, kRevisionKeys);
  if (!model || !revision) return;
  const auto url = parse_model_url(model->text);
  const std::string repository = url ? url->repository : model->text;
  if (!is_repository_name(repository) || repository.starts_with('.')) return;
  file.pins.push_back({repository, std::string(kPublicHub), revision->text, revision->at, "config", {}, {}});
}

}  // namespace modelwatch::advisories
