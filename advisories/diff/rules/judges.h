#pragma once
#include "advisories/diff/rules/rule.h"

/// Judgements that several rule tables share. Each corrects the verdict its class gave.
namespace modelwatch::advisories {

/// Stop ids as a set: added ones are behaviour, lost ones breaking; names the tokens.
void judge_stop_ids(const Subject& subject, Verdict& verdict);
/// A single id (pad, bos, …): names the token; outside the vocabulary; equal to the stop id.
void judge_token_id(const Subject& subject, Verdict& verdict);
/// Context length: with a change of rope it is another model; learned positions are a tensor's shape.
void judge_length(const Subject& subject, Verdict& verdict);
void judge_rope_theta(const Subject& subject, Verdict& verdict);
void judge_rope_scaling(const Subject& subject, Verdict& verdict);
void judge_architectures(const Subject& subject, Verdict& verdict);
void judge_code_pointer(const Subject& subject, Verdict& verdict);
void judge_dtype(const Subject& subject, Verdict& verdict);
void judge_quantisation(const Subject& subject, Verdict& verdict);
/// A value that names a file to load: a pickle or Python file makes it a security matter.
void judge_file_name(const Subject& subject, Verdict& verdict);

}  // namespace modelwatch::advisories
