#include "estimator/plan.h"

#include <algorithm>

#include "daemon/http/handlers.h"
#include "estimator/json/reader.h"
#include "estimator/plan_arguments.h"

namespace modelwatch::http {
namespace {

/// The command line's options as parameters, with '-' or '_': `?batch=2&checkpointing`. A switch may also be written with
/// true or false.
Result<estimator::PlanOptions> options_of(const Request& request) {
  estimator::PlanOptions options;
  const auto rows = estimator::plan_option_rows();
  for (const auto& [name, value] : request.query) {
    std::string dashed = "--" + name;
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& candidate) { return candidate.name == dashed; });
    if (row == rows.end()) return fail(ErrorKind::usage, "no such parameter: " + name, "an option of modelwatch plan, without its --");
    if (row->value.empty()) {
      if (value == "false") continue;
      if (!value.empty() && value != "true") return fail(ErrorKind::usage, name + " is true or false", name + "=true");
    }
    if (const auto set = row->set(options, value); !set) return fail(set.error().kind, name + ": " + set.error().message, set.error().hint);
  }
  if (const auto sound = check(options); !sound) return tl::unexpected(sound.error());
  return options;
}

}  // namespace

/// The body is a config.json.
Reply make_plan(const Call& call) {
  const auto options = options_of(call.request);
  if (!options) return error_reply(options.error());
  const auto config = json::read(call.request.body);
  if (!config) return error_reply({ErrorKind::bad_input, "config.json: " + config.error().to_string(), "post the file as it is"});
  const auto plan = estimator::plan(config->value, *options);
  if (!plan) return error_reply(plan.error());
  return json_reply(to_json(*plan));
}

}  // namespace modelwatch::http
