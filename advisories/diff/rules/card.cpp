#include "advisories/diff/rules/classes.h"
#include "advisories/diff/rules/tables.h"

namespace modelwatch::advisories {
namespace {

constexpr KeyClass kTerms{"terms", Impact::legal, Impact::legal, Impact::legal, "the declared terms of use change",
                          "have the new terms read by whoever answers for licences before you move on"};
constexpr KeyClass kGate{"access", Impact::legal, Impact::legal, Impact::legal, "who may download, and what they must agree to, changes",
                         "check that your accounts and tokens still have access"};
constexpr KeyClass kTask{"task", Impact::behaviour, Impact::behaviour, Impact::behaviour,
                         "transformers' pipeline and inference services choose task or library by it", "name the task yourself"};

/// Licences that forbid commercial use, or bind it to a company's terms.
enum class Freedom { unknown, open, restricted };
Freedom freedom(const json::Value* value) {
  const std::string* id = value ? value->string() : nullptr;
  if (!id) return Freedom::unknown;
  for (const std::string_view open : {"apache-2.0", "mit", "bsd", "cc0", "cc-by-4.0", "cc-by-sa", "isc", "unlicense", "mpl-2.0", "artistic", "wtfpl", "zlib", "gpl", "lgpl", "agpl", "cdla-permissive"})
    if (id->starts_with(open)) return Freedom::open;
  for (const std::string_view bound : {"cc-by-nc", "llama", "gemma", "openrail", "bigscience", "creativeml", "bigcode", "other", "deepfloyd", "apple", "intel-research"})
    if (id->starts_with(bound) || (bound == "openrail" && id->find(bound) != id->npos)) return Freedom::restricted;
  return Freedom::unknown;
}

void judge_license(const Subject& subject, Verdict& verdict) {
  const Freedom was = freedom(subject.edit.before), is = freedom(subject.edit.after);
  const bool noncommercial = subject.edit.after && subject.edit.after->string() && subject.edit.after->string()->find("-nc") != std::string::npos;
  if (!subject.edit.after) verdict.consequence = "no licence is declared any more, so nothing is permitted by it";
  else if (noncommercial) verdict.consequence = "commercial use is no longer permitted by it";
  else if (was == Freedom::restricted && is == Freedom::open) verdict.consequence = "the new terms are more permissive";
  else if (was == Freedom::open && is == Freedom::restricted) verdict.consequence = "the new terms are more restrictive";
}

const KeyRule kCard_[] = {
    {"license", "licence", kTerms, {}, judge_license},
    {"license_name|license_link|license_details|licence", "licence details", kTerms},
    {"extra_gated_*|extra_gated_fields/*|gated", "access form", kGate, {}, nullptr, "extra_gated"},
    {"pipeline_tag|library_name|mask_token|inference|inference/*", "task or library", kTask, {}, nullptr, "pipeline_tag"},
    {"base_model|base_model_relation|base_models|new_version", "lineage", kBookkeeping, "it tells where the model comes from; no loader reads it", nullptr, "base_model"},
    {"language|languages|datasets|tags|metrics|thumbnail|model-index|widget|widget/*|co2_eq_emissions|co2_eq_emissions/*|model_name|model_type|quantized_by|"
     "arxiv|authors|citation|source_datasets|track_downloads|instance_prompt|prompt_template|model_creator|model_link|base_model_*|finetuned_from", "description", kBookkeeping,
     "it helps to find the model; no loader reads it", nullptr, "description"},
    {"*", "card metadata", kBookkeeping, "it describes the model; no loader reads it", nullptr, "any"},
};

}  // namespace

const RuleTable kCardRules = kCard_;

}  // namespace modelwatch::advisories
