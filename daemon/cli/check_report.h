#pragma once
#include <optional>
#include <string>
#include <vector>

#include "daemon/cli/command.h"
#include "daemon/cli/find_pins.h"
#include "daemon/cli/pin_verdict.h"
#include "estimator/json/value.h"

namespace modelwatch::cli {

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
/// SARIF 2.1.0: a result for every pin that needs a look; an error where it fails the check. Files are named relative to
/// the working folder where they lie below it.
json::Value to_sarif(const CheckReport& report);
/// The workflow commands of GitHub Actions: one annotation per pin that needs a look.
std::string github_annotations(const CheckReport& report);
/// What is wrong with a pin, in one line of plain text.
std::string sentence(const PinVerdict& verdict);
/// Whether people should see it: everything but a pin at the head that fails nothing.
bool needs_a_look(const PinVerdict& verdict, const CheckReport& report);

}  // namespace modelwatch::cli
