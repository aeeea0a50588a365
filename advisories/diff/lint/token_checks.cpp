#include <charconv>

#include "advisories/diff/lint/revision.h"
#include "advisories/diff/rules/rule.h"

namespace modelwatch::advisories::lint_checks {
namespace {

constexpr const char* kGeneration = "generation_config.json";
constexpr const char* kTokenizer = "tokenizer_config.json";

std::string number(std::int64_t value) { return std::to_string(value); }

std::optional<std::int64_t> as_id(const std::string& text) {
  std::int64_t id = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(id) : std::nullopt;
}

/// The id of a token as tokenizer_config.json or added_tokens.json give it.
std::optional<std::int64_t> id_of(Revision& revision, const std::string& token) {
  const json::Value* settings = revision.document(kTokenizer);
  const json::Value* table = settings ? settings->find("added_tokens_decoder") : nullptr;
  if (table && table->object())
    for (const auto& [id, entry] : *table->object())
      if (text_at(&entry, "content") == token) return as_id(id);
  const json::Value* added = revision.document("added_tokens.json");
  const json::Value* id = added ? added->find(token) : nullptr;
  return id ? id->integer() : std::nullopt;
}

}  // namespace

void check_generation(Revision& revision) {
  const json::Value* generation = revision.document(kGeneration);
  if (!generation) return;
  const auto from_config = ids_at(revision.config(), "eos_token_id"), own = ids_at(generation, "eos_token_id");
  for (const std::int64_t id : from_config)
    if (!own.empty() && !own.contains(id))
      revision.report("lint.generation.stop_ids_disagree", kGeneration, "config.json stops at " + number(id) + ", generation_config.json does not");
  const json::Value *sample = generation->find("do_sample"), *temperature = generation->find("temperature");
  const bool samples = sample && sample->boolean() == true;
  if (samples && temperature && temperature->real() == 0.0)
    revision.report("lint.generation.zero_temperature", kGeneration, "do_sample is on with a temperature of 0, which transformers refuses");
  if (samples) return;
  for (const auto& [key, neutral] : {std::pair{"temperature", 1.0}, {"top_p", 1.0}, {"min_p", 0.0}, {"typical_p", 1.0}}) {
    const json::Value* value = generation->find(key);
    if (!value || !value->real() || *value->real() == neutral) continue;
    revision.report("lint.generation.unused_sampling", kGeneration, std::string(key) + " " + said(*value) + " is given and do_sample is off: transformers ignores it");
  }
}

namespace {

void check_tables(Revision& revision, const json::Value& settings) {
  const json::Value *table = settings.find("added_tokens_decoder"), *added = revision.document("added_tokens.json");
  const auto vocabulary = integer_at(revision.config(), "vocab_size");
  if (!table || !table->object()) return;
  std::size_t beyond = 0;
  std::string example;
  for (const auto& [key, entry] : *table->object()) {
    const auto id = as_id(key);
    const std::string token = text_at(&entry, "content");
    if (id && vocabulary && *vocabulary > 0 && *id >= *vocabulary && beyond++ == 0) example = said(json::Value(token)) + " has id " + key;
    const json::Value* other = added ? added->find(token) : nullptr;
    if (id && other && other->integer() && *other->integer() != *id)
      revision.report("lint.tokenizer.added_tokens_disagree", "added_tokens.json",
                      said(json::Value(token)) + " has id " + number(*other->integer()) + " in added_tokens.json and " + key + " in tokenizer_config.json");
  }
  if (beyond > 0)
    revision.report("lint.tokenizer.id_outside_vocabulary", kTokenizer, example + ", beyond vocab_size " + number(*vocabulary)).evidence.append("tokens", beyond);
}

}  // namespace

void check_tokenizer(Revision& revision) {
  const json::Value* settings = revision.document(kTokenizer);
  if (!settings) return;
  check_tables(revision, *settings);
  const std::string stop = token_at(settings, "eos_token"), padding = token_at(settings, "pad_token");
  if (!stop.empty() && stop == padding)
    revision.report("lint.tokenizer.padding_is_stop", kTokenizer, "pad_token and eos_token are both " + said(json::Value(stop)));
  auto stops = ids_at(revision.document(kGeneration), "eos_token_id");
  if (stops.empty()) stops = ids_at(revision.config(), "eos_token_id");
  if (const auto id = stop.empty() ? std::nullopt : id_of(revision, stop); id && !stops.empty() && !stops.contains(*id))
    revision.report("lint.tokenizer.stop_token_disagrees", kTokenizer, "eos_token " + said(json::Value(stop)) + " has id " + number(*id) + ", which is none of the model's stop ids");
  if (const json::Value* map = revision.document("special_tokens_map.json"))
    for (const char* key : {"bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token"}) {
      const std::string here = token_at(settings, key), there = token_at(map, key);
      if (!here.empty() && !there.empty() && here != there)
        revision.report("lint.tokenizer.special_tokens_disagree", "special_tokens_map.json",
                        std::string(key) + " is " + said(json::Value(there)) + " here and " + said(json::Value(here)) + " in tokenizer_config.json");
    }
  const json::Value* limit = settings->find("model_max_length");
  const auto context = integer_at(revision.config(), "max_position_embeddings");
  if (limit && limit->integer() && context && *context > 0 && *limit->integer() > *context && *limit->integer() < 1'000'000'000'000)
    revision.report("lint.tokenizer.length_beyond_context", kTokenizer,
                    "model_max_length " + number(*limit->integer()) + " is beyond the model's " + number(*context) + " positions");
}

}  // namespace modelwatch::advisories::lint_checks
