#include "advisories/manifest/chat_template.h"

#include <algorithm>
#include <array>

namespace modelwatch::advisories {
namespace {

constexpr std::string_view kKey = "chat_template";
constexpr std::string_view kAdditional = "additional_chat_templates/";
constexpr std::size_t kMaxNamed = 256;
constexpr std::array<std::string_view, 3> kJsonPlaces = {"chat_template.json", "processor_config.json", "tokenizer_config.json"};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

/// A string, or a list of {name, template}; anything else (null above all) is no template.
std::map<std::string, std::string> texts_of(const json::Value& value) {
  std::map<std::string, std::string> texts;
  if (const std::string* text = value.string()) texts["default"] = *text;
  const json::Array* list = value.array();
  for (std::size_t i = 0; list && i < list->size() && texts.size() < kMaxNamed; ++i) {
    const json::Value *name = (*list)[i].find("name"), *text = (*list)[i].find("template");
    if (name && name->string() && text && text->string()) texts[*name->string()] = *text->string();
  }
  if (const json::Object* named = value.object())
    for (const auto& [name, text] : *named)
      if (text.string() && texts.size() < kMaxNamed) texts[name] = *text.string();
  return texts;
}

TemplatePlace file_place(const Snapshot& snapshot, const ListedFile& file, std::string name) {
  TemplatePlace place{file.path, std::nullopt, {}, std::string(file.identity()), {}};
  const auto read = snapshot.contents->read(file);
  if (const auto* why = std::get_if<NotRead>(&read)) place.trouble = "not read: " + why->reason;
  place.texts[std::move(name)] = place.trouble.empty() ? *std::get<Bytes>(read) : std::string();
  return place;
}

std::optional<TemplatePlace> json_place(const Snapshot& snapshot, const std::string& path, const JsonSource& json) {
  const ListedFile* listed = snapshot.listing.find(path);
  if (!listed) return std::nullopt;
  const JsonFile& file = json(path);
  TemplatePlace place{path, "/" + std::string(kKey), {}, std::string(listed->identity()), {}};
  const json::Value* value = file.value() ? file.value()->find(kKey) : nullptr;
  if (value) place.texts = texts_of(*value);
  // tokenizer_config.json is the tokenizer's to report; a file that is for templates alone is ours
  if (file.state == JsonFile::State::not_read && base_name(path) == kJsonPlaces[0]) {
    place.trouble = file.trouble();
    place.texts["default"];
  }
  return place.texts.empty() ? std::nullopt : std::optional(std::move(place));
}

TemplatesInForce all_of(const TemplatePlace& place) {
  TemplatesInForce found;
  for (const auto& [name, text] : place.texts)
    found[name] = {place.trouble.empty() ? normal_template(text) : std::string(1, '\0') + place.identity, &place};
  return found;
}

}  // namespace

std::string normal_template(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i] == '\r' ? '\n' : text[i];
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

std::optional<std::string> template_folder(std::string_view path) {
  const std::string_view name = base_name(path);
  std::string_view folder = folder_of(path);
  if (name.ends_with(".jinja") && (folder == kAdditional || folder.ends_with("/" + std::string(kAdditional))))
    return std::string(folder.substr(0, folder.size() - kAdditional.size()));
  if (name == "chat_template.jinja" || std::find(kJsonPlaces.begin(), kJsonPlaces.end(), name) != kJsonPlaces.end())
    return std::string(folder);
  return std::nullopt;
}

ChatTemplates read_chat_templates(const Snapshot& snapshot, std::string_view folder, const JsonSource& json) {
  ChatTemplates found;
  const std::string here(folder);
  if (const ListedFile* file = snapshot.listing.find(here + "chat_template.jinja"))
    found.places.push_back(file_place(snapshot, *file, "default"));
  const std::string additional = here + std::string(kAdditional);
  for (const ListedFile& file : snapshot.listing) {
    if (!file.path.starts_with(additional) || template_folder(file.path) != here || found.places.size() > kMaxNamed) continue;
    const std::string_view name = base_name(file.path);
    found.places.push_back(file_place(snapshot, file, std::string(name.substr(0, name.size() - 6))));
  }
  for (const std::string_view name : kJsonPlaces)
    if (auto place = json_place(snapshot, here + std::string(name), json)) found.places.push_back(std::move(*place));
  return found;
}

const TemplatePlace* ChatTemplates::at(std::string_view path) const {
  const auto found = std::find_if(places.begin(), places.end(), [&](const TemplatePlace& place) { return place.path == path; });
  return found == places.end() ? nullptr : &*found;
}

TemplatesInForce ChatTemplates::in_force(TemplateLoader loader) const {
  TemplatesInForce files;
  for (const TemplatePlace& place : places)
    if (!place.pointer) files.merge(all_of(place));
  if (!files.empty()) return files;
  static constexpr std::array<std::string_view, 3> processor = kJsonPlaces;
  static constexpr std::array<std::string_view, 3> tokenizer = {kJsonPlaces[2], kJsonPlaces[0], kJsonPlaces[1]};
  for (const std::string_view name : loader == TemplateLoader::processor ? processor : tokenizer)
    for (const TemplatePlace& place : places)
      if (base_name(place.path) == name) return all_of(place);
  return {};
}

}  // namespace modelwatch::advisories
