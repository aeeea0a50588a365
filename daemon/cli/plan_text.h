#pragma once
#include "daemon/cli/command.h"
#include "estimator/plan.h"

namespace modelwatch::cli {

/// A plan for people: figures in the units people use, what fits where, what to look out for.
void print_plan(const estimator::Plan& plan, Console& console);

/// "13.18 TB", "0.29 GB": decimal units, as makers of memory count; "984 B" below a kilobyte.
std::string bytes_text(std::int64_t bytes);
/// "684,489,845,504"
std::string grouped(std::int64_t number);

}  // namespace modelwatch::cli
