#pragma once
#include <string_view>

#include "advisories/pins/node.h"
#include "advisories/pins/pin.h"

// One reader per way of naming models, each in a file of its own. The readers of documents get them parsed.
namespace modelwatch::advisories {

/// A purl a line, '#' begins a comment; purls of other types are passed over.
PinFile purl_list_pins(std::string_view text);

/// CycloneDX JSON: components, nested ones and the subject, by purl; machine-learning models also by the address of
/// an external reference, with the component's version as revision.
bool is_cyclonedx(const Node& document);
PinFile cyclonedx_pins(const Node& document);

}  // namespace modelwatch::advisories
