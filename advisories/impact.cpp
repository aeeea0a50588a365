#include "advisories/impact.h"

namespace modelwatch::advisories {

std::string_view name(Part part) {
  switch (part) {
    case Part::config: return "config";
    case Part::generation: return "generation";
    case Part::tokenizer: return "tokenizer";
    case Part::chat_template: return "chat_template";
    case Part::weights: return "weights";
    case Part::code: return "code";
    case Part::processor: return "processor";
    case Part::adapter: return "adapter";
    case Part::card: return "card";
    case Part::license: return "license";
    case Part::repository: return "repository";
    case Part::other: break;
  }
  return "other";
}

std::string_view name(Impact impact) {
  switch (impact) {
    case Impact::cosmetic: return "cosmetic";
    case Impact::unknown: break;
    case Impact::legal: return "legal";
    case Impact::resource: return "resource";
    case Impact::behaviour: return "behaviour";
    case Impact::breaking: return "breaking";
    case Impact::security: return "security";
  }
  return "unknown";
}

std::optional<Part> part_named(std::string_view text) {
  for (const Part part : kParts)
    if (name(part) == text) return part;
  return std::nullopt;
}

std::optional<Impact> impact_named(std::string_view text) {
  for (const Impact impact : kImpacts)
    if (name(impact) == text) return impact;
  return std::nullopt;
}

}  // namespace modelwatch::advisories
