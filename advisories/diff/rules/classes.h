#pragma once
#include "advisories/diff/rules/rule.h"

/// The classes of keys. Every key of a file that loaders read belongs to one of them by a deliberate row of a table.
namespace modelwatch::advisories {

inline constexpr KeyClass kIdentity{
    "identity", Impact::breaking, Impact::breaking, Impact::breaking,
    "loaders choose the model class by it and build another model or refuse",
    "check that the version of your loader knows the new class before you move on"};
inline constexpr KeyClass kShape{
    "shape", Impact::breaking, Impact::breaking, Impact::breaking,
    "tensors of the other shape no longer fit, and memory changes with it",
    "take config and weights from one revision; plan the memory again"};
inline constexpr KeyClass kAttention{
    "attention", Impact::behaviour, Impact::behaviour, Impact::behaviour,
    "attention is computed differently, so output changes at equal weights",
    "compare outputs on your own prompts, long ones included, before you move on"};
inline constexpr KeyClass kRope{
    "rope", Impact::behaviour, Impact::behaviour, Impact::behaviour,
    "positions are encoded differently, so output changes, most of all on long inputs",
    "check that the weights were trained with the new values and that your engine knows the scaling type"};
inline constexpr KeyClass kLength{
    "length", Impact::resource, Impact::resource, Impact::resource,
    "engines size context and cache by it",
    "set the context length of your server explicitly; plan the cache again"};
inline constexpr KeyClass kMemory{
    "memory", Impact::resource, Impact::resource, Impact::resource,
    "memory or speed at run time changes",
    "plan the memory again, or set the option explicitly in your loader"};
inline constexpr KeyClass kTokens{
    "tokens", Impact::behaviour, Impact::breaking, Impact::breaking,
    "code that relies on the former id is silently wrong",
    "compare the id with the tokenizer's; update stop lists and padding in your code"};
inline constexpr KeyClass kActivation{
    "activation", Impact::behaviour, Impact::behaviour, Impact::breaking,
    "every layer computes something else at equal weights",
    "take it together with the weights it was trained with"};
inline constexpr KeyClass kNumerics{
    "numerics", Impact::behaviour, Impact::behaviour, Impact::behaviour,
    "output changes slightly everywhere",
    "compare outputs before you move on"};
inline constexpr KeyClass kBehaviour{
    "behaviour", Impact::behaviour, Impact::behaviour, Impact::behaviour,
    "the model computes or answers differently at equal weights",
    "compare outputs before you move on"};
inline constexpr KeyClass kGenerationDefault{
    "generation default", Impact::behaviour, Impact::behaviour, Impact::behaviour,
    "callers that do not set it themselves get other output",
    "set the sampling parameters that matter to you explicitly"};
inline constexpr KeyClass kTraining{
    "training", Impact::behaviour, Impact::behaviour, Impact::behaviour,
    "inference is unaffected, fine-tuning runs differently",
    "nothing to do for inference; compare training runs"};
inline constexpr KeyClass kQuantisation{
    "quantisation", Impact::breaking, Impact::breaking, Impact::breaking,
    "stored weights are interpreted by it, so a mismatch is misread or refused",
    "take config and weights from one revision; check that your engine has kernels for the scheme"};
inline constexpr KeyClass kLabels{
    "labels", Impact::breaking, Impact::breaking, Impact::breaking,
    "code that matches on label text or index breaks",
    "compare the label maps with what your code expects"};
inline constexpr KeyClass kCodePointer{
    "code pointer", Impact::security, Impact::security, Impact::security,
    "it decides which Python code runs when remote code is trusted",
    "read the code it names before you load with trust_remote_code"};
inline constexpr KeyClass kBookkeeping{
    "bookkeeping", Impact::cosmetic, Impact::cosmetic, Impact::cosmetic,
    "a record that no loader acts on", "nothing to do"};

}  // namespace modelwatch::advisories
