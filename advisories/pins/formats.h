#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/pins/node.h"
#include "advisories/pins/pin.h"
#include "advisories/pins/shell_words.h"

// One reader per way of naming models, each in a file of its own. The readers of documents get them parsed.
namespace modelwatch::advisories {

/// A purl a line, '#' begins a comment; purls of other types are passed over.
PinFile purl_list_pins(std::string_view text);

/// CycloneDX JSON: components, nested ones and the subject, by purl; machine-learning models also by the address of
/// an external reference, with the component's version as revision.
bool is_cyclonedx(const Node& document);
PinFile cyclonedx_pins(const Node& document);

/// SPDX 2.x as JSON or tag-value, SPDX 3 as JSON-LD: packages by purl, else by download location.
bool is_spdx(const Node& document);
PinFile spdx_pins(const Node& document);
PinFile spdx_tag_value_pins(std::string_view text);

/// modelwatch.lock.
bool is_lock(const Node& document);
PinFile lock_pins(const Node& document);

/// A mapping that has a model's name and its revision side by side; without the revision it may be anybody's model.
void config_pins(const Node& document, PinFile& file);

/// Compose, Kubernetes and workflow files: containers (image, command, args, env) and scripts (run, script).
void container_pins(const Node& document, PinFile& file);

PinFile dockerfile_pins(std::string_view text);
PinFile gitmodules_pins(std::string_view text);

/// Of one command (the words after its image, where it runs in one), of variables it gets, of a script.
void command_pins(const std::vector<Word>& words, std::string_view image, PinFile& file);
void environment_pins(const std::map<std::string, Word>& variables, PinFile& file);
void environment_file_pins(std::string_view text, PinFile& file);
void script_pins(std::string_view script, Position start, const Variables& variables, std::size_t indent, PinFile& file);

}  // namespace modelwatch::advisories
