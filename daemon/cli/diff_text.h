#pragma once
#include "advisories/diff/diff.h"
#include "daemon/cli/command.h"

namespace modelwatch::cli {

/// A diff for people: by part, gravest first, findings of one cause once with their places.
void print_diff(const advisories::Diff& diff, Console& console);
/// What contradicts itself inside one revision, gravest first.
void print_faults(const std::vector<advisories::Finding>& faults, Console& console);

}  // namespace modelwatch::cli
