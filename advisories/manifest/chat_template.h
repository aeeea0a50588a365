#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/manifest/json_file.h"
#include "advisories/manifest/snapshot.h"

namespace modelwatch::advisories {

/// One place of a folder in which chat templates are written.
struct TemplatePlace {
  std::string path;
  std::optional<std::string> pointer;        ///< "/chat_template"; none where the file itself is the template
  std::map<std::string, std::string> texts;  ///< by name, "default" where the place gives none; empty: no template
  std::string identity;                      ///< of the file
  std::string trouble;                       ///< why the texts are not known ("not read: gated"); empty where they are
};

/// A template that a loader uses, and where it found it.
struct TemplateInForce {
  std::string text;  ///< in normal form; a text that is not known is told by its file's identity, so that equal is equal
  const TemplatePlace* place = nullptr;
};
using TemplatesInForce = std::map<std::string, TemplateInForce, std::less<>>;

/// Who looks for templates. AutoProcessor reads chat_template.json and processor_config.json, AutoTokenizer
/// tokenizer_config.json, both the .jinja files.
enum class TemplateLoader { tokenizer, processor };

/// The chat templates of one folder of a revision. Places of a file that is not there are left out; a JSON file without
/// the key is a place without texts only where it could not be read.
struct ChatTemplates {
  std::vector<TemplatePlace> places;

  const TemplatePlace* at(std::string_view path) const;
  /// By the precedence of transformers 4.5x and 5: any template file hides all JSON places; then chat_template.json before
  /// processor_config.json for processors, tokenizer_config.json for tokenizers. A loader that finds none of its own is
  /// answered with the other's, so that a template that only moves stays the same template.
  TemplatesInForce in_force(TemplateLoader loader) const;
};

using JsonSource = std::function<const JsonFile&(std::string_view path)>;

/// The folder ("" or ending in '/') whose templates a file can hold; none for a file in which no loader looks.
std::optional<std::string> template_folder(std::string_view path);
/// Reads the places of a folder; `json` gives the parsed JSON files of the same revision.
ChatTemplates read_chat_templates(const Snapshot& snapshot, std::string_view folder, const JsonSource& json);

/// The template as Jinja sees it: any line ending is a newline, one newline at the end is dropped.
std::string normal_template(std::string_view text);

}  // namespace modelwatch::advisories
