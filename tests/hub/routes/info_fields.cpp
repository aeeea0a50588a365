#include "tests/hub/routes/info_fields.h"

#include <algorithm>
#include <array>

#include "tests/hub/routes/replies.h"

namespace modelwatch::testhub {
namespace {

/// In the order the Hub writes them into an expanded answer.
constexpr std::array<std::string_view, 30> expandable = {
    "author",        "private",    "disabled",           "gated",
    "lastModified",  "sha",        "pipeline_tag",       "library_name",
    "tags",          "likes",      "downloads",          "downloadsAllTime",
    "trendingScore", "mask_token", "widgetData",         "model-index",
    "config",        "cardData",   "transformersInfo",   "siblings",
    "spaces",        "createdAt",  "safetensors",        "gguf",
    "usedStorage",   "baseModels", "childrenModelCount", "resourceGroup",
    "inference",     "xetEnabled"};
constexpr std::array<std::string_view, 2> never_valued = {"evalResults", "inferenceProviderMapping"};

json::Value gate_value(Gate gate) {
  if (gate == Gate::open) return false;
  return gate == Gate::automatic ? "auto" : "manual";
}

template <class T>
std::optional<json::Value> optional(const std::optional<T>& value) {
  return value ? std::optional<json::Value>(*value) : std::nullopt;
}

std::optional<json::Value> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<json::Value>(text);
}

std::optional<json::Value> card_field(const Summary& summary, std::string_view key) {
  const json::Value* value = summary.card ? summary.card->find(key) : nullptr;
  return value ? std::optional<json::Value>(*value) : std::nullopt;
}

std::string base_model(const Summary& summary) {
  const json::Value* value = summary.card ? summary.card->find("base_model") : nullptr;
  if (value && value->array() && !value->array()->empty()) value = &value->array()->front();
  return value && value->string() ? *value->string() : std::string();
}

}  // namespace

const Summary& InfoFields::summary() const {
  if (!summary_) summary_ = commit_ ? summarize(*commit_->tree) : Summary();
  return *summary_;
}

json::Array InfoFields::siblings(bool blobs, bool masked) const {
  json::Array list;
  if (!commit_) return list;
  for (const auto& [path, blob] : commit_->tree->files) {
    json::Object file{{"rfilename", path}};
    if (blobs) {
      file.append("blobId", blob->oid);
      file.append("size", blob->content.size());
      if (blob->lfs)
        file.append("lfs", json::Object{{"sha256", masked ? std::string(64, '*') : blob->lfs->sha256},
                                        {"size", blob->content.size()},
                                        {"pointerSize", blob->lfs->pointer.size()}});
    }
    list.push_back(std::move(file));
  }
  return list;
}

std::optional<json::Value> InfoFields::value(std::string_view field) const {
  const Repository& r = repository_;
  if (field == "_id") return r.id;
  if (field == "id" || field == "modelId") return r.name;
  if (field == "author") return unless_empty(r.space());
  if (field == "private") return r.is_private;
  if (field == "disabled") return r.disabled;
  if (field == "gated") return gate_value(r.gate);
  if (field == "sha") return commit_ ? std::optional<json::Value>(commit_->id) : std::nullopt;
  if (field == "lastModified") return iso_date(commit_ ? commit_->date : r.created);
  if (field == "createdAt") return iso_date(r.created);
  if (field == "downloads" || field == "downloadsAllTime") return r.downloads;
  if (field == "likes") return r.likes;
  if (field == "trendingScore") return 0;
  if (field == "usedStorage") return r.used_storage();
  if (field == "spaces") return json::Array(r.spaces.begin(), r.spaces.end());
  if (field == "model-index") return nullptr;
  if (field == "mask_token")
    return summary().transformers ? std::optional<json::Value>(nullptr) : std::nullopt;
  if (field == "widgetData") return card_field(summary(), "widget");
  if (field == "siblings") return siblings(false);
  if (field == "config") return summary().config;
  if (field == "tags") return json::Array(summary().tags.begin(), summary().tags.end());
  if (field == "pipeline_tag") return unless_empty(summary().pipeline_tag);
  if (field == "library_name") return unless_empty(summary().library_name);
  if (field == "cardData") return optional(summary().card);
  if (field == "safetensors") return optional(summary().safetensors);
  if (field == "transformersInfo") return optional(summary().transformers);
  if (field == "xetEnabled") return true;
  if (field == "childrenModelCount")
    return json::Object{{"adapter", 0}, {"merge", 0}, {"quantized", 0}, {"finetune", 0}};
  if (field == "baseModels") {
    const std::string base = base_model(summary());
    if (base.empty()) return {};
    return json::Object{{"relation", "finetune"},
                        {"models", json::Array{json::Object{{"_id", std::string(24, '0')}, {"id", base}}}}};
  }
  return {};
}

tl::expected<std::vector<std::string>, Reply> expanded_fields(const Query& query) {
  std::vector<std::string> asked = query.all("expand");
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto known = [&](const auto& list) {
      return std::find(list.begin(), list.end(), asked[i]) != list.end();
    };
    if (known(expandable) || known(never_valued)) continue;
    std::string message = "Invalid option: expected one of ";
    std::vector<std::string_view> names(expandable.begin(), expandable.end());
    names.insert(names.end(), never_valued.begin(), never_valued.end());
    std::sort(names.begin(), names.end());
    for (const std::string_view name : names)
      message += (name == names.front() ? "\"" : "|\"") + std::string(name) + "\"";
    return tl::unexpected(api_error(400, message + " at 'expand[" + std::to_string(i) + "]'"));
  }
  return asked;
}

json::Object expanded_info(const InfoFields& fields, const Repository& repository,
                           const std::vector<std::string>& asked) {
  json::Object out{{"_id", repository.id}, {"id", repository.name}};
  for (const std::string_view name : expandable)
    if (std::find(asked.begin(), asked.end(), name) != asked.end())
      if (auto value = fields.value(name)) out.append(std::string(name), std::move(*value));
  return out;
}

}  // namespace modelwatch::testhub
