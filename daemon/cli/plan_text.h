#pragma once
#include "daemon/cli/command.h"
#include "estimator/plan.h"

namespace modelwatch::cli {

/// A plan for people: figures in the units people use, what fits where, what to look out for.
void print_plan(const estimator::Plan& plan, Console& console);

}  // namespace modelwatch::cli
