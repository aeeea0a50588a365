#pragma once
#include "advisories/diff/rules/rule.h"

/// The rule tables, by kind of file. Written from what loaders (transformers, vLLM, llama.cpp, PEFT, sentence-transformers,
/// diffusers) do with a key; the sentences carry the consequence. Order matters only among patterns.
namespace modelwatch::advisories {

// config.json of a transformers model
extern const RuleTable kIdentityRules, kShapeRules, kAttentionRules, kRopeRules, kTokenRules, kQuantisationRules,
    kComputationRules, kTrainingRules, kBookkeepingRules, kPatternRules;
/// Generation defaults; config.json may carry them too.
extern const RuleTable kGenerationRules, kGenerationRestRules;
extern const RuleTable kProcessorRules, kAdapterRules, kTokenizerRules, kTokenizerFileRules, kSpecialTokenRules;
// sentence-transformers, diffusers, engines
extern const RuleTable kCardRules;
extern const RuleTable kSentenceRules, kPoolingRules, kPipelineRules, kComponentRules, kEngineRules;

}  // namespace modelwatch::advisories
