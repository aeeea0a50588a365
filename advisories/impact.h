#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace modelwatch::advisories {

/// The parts of a model repository that a change can be about. The names are contract (JSON, ids of advisories).
enum class Part {
  config, generation, tokenizer, chat_template, weights, code, processor, adapter, card, license, repository, other,
};
inline constexpr std::array kParts = {Part::config,  Part::generation, Part::tokenizer, Part::chat_template,
                                      Part::weights, Part::code,       Part::processor, Part::adapter,
                                      Part::card,    Part::license,    Part::repository, Part::other};

/// What a change does to those who use the repository; the larger value is the graver, so `std::max` picks.
enum class Impact {
  cosmetic,   ///< nothing a loader reads, or equal meaning
  unknown,    ///< could not be fetched or judged; never guessed away
  legal,      ///< licence, gating
  resource,   ///< memory, parameters, length, dtype
  behaviour,  ///< output may change
  breaking,   ///< a consumer fails or is silently wrong
  security,   ///< code that runs on load, or a pointer to it, changed; a pickle; the name belongs to somebody else
};
inline constexpr std::array kImpacts = {Impact::cosmetic,  Impact::unknown,  Impact::legal,   Impact::resource,
                                        Impact::behaviour, Impact::breaking, Impact::security};

std::string_view name(Part part);
std::string_view name(Impact impact);
std::optional<Part> part_named(std::string_view name);
std::optional<Impact> impact_named(std::string_view name);

}  // namespace modelwatch::advisories
