#include "advisories/manifest/json_file.h"

namespace modelwatch::advisories {

const json::Value* JsonFile::value() const {
  if (state == State::parsed) return &document.value;
  return state == State::broken ? &salvaged.value : nullptr;
}

std::string JsonFile::trouble() const {
  if (state == State::broken) return problem.to_string();
  return state == State::not_read ? "not read: " + reason : "";
}

JsonFile read_json(const Snapshot& snapshot, std::string_view path) {
  JsonFile file;
  const ListedFile* listed = snapshot.listing.find(path);
  if (!listed) return file;
  auto read = snapshot.contents->read(*listed);
  if (const auto* why = std::get_if<NotRead>(&read)) {
    file.state = JsonFile::State::not_read;
    file.reason = why->reason;
    return file;
  }
  const std::string& text = *std::get<Bytes>(read);
  if (auto document = json::read(text)) {
    file.state = JsonFile::State::parsed;
    file.document = std::move(*document);
  } else {
    file.state = JsonFile::State::broken;
    file.problem = document.error();
    file.salvaged = json::salvage(text);
  }
  return file;
}

}  // namespace modelwatch::advisories
