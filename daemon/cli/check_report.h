#pragma once
#include <optional>
#include <string>
#include <vector>

#include "daemon/cli/command.h"
#include "daemon/cli/pin_verdict.h"
#include "estimator/json/value.h"

namespace modelwatch::cli {

/// A file that names models in a way that could not be used.
struct CheckProblem {
  std::string file;
  advisories::Position at;
  std::string reason;
};

struct CheckReport {
  std::vector<PinVerdict> pins;
  std::vector<CheckProblem> problems;
  std::optional<advisories::Impact> fail_on, fail_on_present;
  advisories::Impact below = advisories::Impact::breaking;

  bool failed() const;
};

/// `modelwatch/check/1` of docs/json.md: every pin, current ones too.
json::Value to_json(const CheckReport& report);
/// For people: what needs a look; nothing where every pin is current.
void print_check(const CheckReport& report, Console& console);

}  // namespace modelwatch::cli
