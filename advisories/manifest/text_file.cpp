#include "advisories/manifest/text_file.h"

namespace modelwatch::advisories {

TextFile read_text(const Snapshot& snapshot, const ListedFile* file) {
  TextFile out;
  if (!file) {
    out.read = true;
    return out;
  }
  auto read = snapshot.contents->read(*file);
  if (const auto* why = std::get_if<NotRead>(&read)) {
    out.reason = why->reason;
  } else {
    out.read = true;
    out.bytes = std::get<Bytes>(read);
  }
  return out;
}

std::string without_layout(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '\n')
      while (!out.empty() && (out.back() == ' ' || out.back() == '\t' || out.back() == '\r')) out.pop_back();
    out += c;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\t' || out.back() == '\r' || out.back() == '\n')) out.pop_back();
  return out;
}

}  // namespace modelwatch::advisories
