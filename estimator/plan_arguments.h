#pragma once
#include <span>
#include <string>
#include <vector>

#include "estimator/error.h"
#include "estimator/options.h"

namespace modelwatch::estimator {

/// The command line of `plan`, without its verb.
struct PlanRequest {
  std::string source;                ///< a config.json, a folder, "-" or org/name[@rev]
  std::vector<std::string> headers;  ///< safetensors or GGUF files, or folders of them
  PlanOptions options;
  bool json = false;
};

/// One option of `plan`: how it is written and what it means. The same table serves help, the command line and the
/// query string of the HTTP API.
struct PlanOptionRow {
  std::string_view name;   ///< "--batch"
  std::string_view value;  ///< "N"; "" for a switch
  std::string_view help;
  Result<void> (*set)(PlanOptions& options, std::string_view value);
};
std::span<const PlanOptionRow> plan_option_rows();

Result<PlanRequest> parse_plan_arguments(std::span<const std::string> arguments);

}  // namespace modelwatch::estimator
