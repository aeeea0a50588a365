#include "daemon/http/handlers.h"
#include "estimator/json/reader.h"
#include "estimator/plan.h"

namespace modelwatch::http {
namespace {

using estimator::PlanOptions;

Result<void> read_sizes(const Request& request, PlanOptions& options) {
  struct Size {
    const char* name;
    std::int64_t PlanOptions::*field;
  };
  constexpr Size sizes[] = {{"batch", &PlanOptions::batch},   {"tokens", &PlanOptions::tokens}, {"serve_tokens", &PlanOptions::serve_tokens},
                            {"rank", &PlanOptions::rank},     {"shards", &PlanOptions::shards}, {"stage", &PlanOptions::stage},
                            {"epochs", &PlanOptions::epochs}, {"samples", &PlanOptions::samples}, {"cost_batch", &PlanOptions::cost_batch}};
  for (const Size& size : sizes) {
    const auto value = bounded_parameter(request, size.name, static_cast<int>(options.*size.field), 1, 1 << 30);
    if (!value) return tl::unexpected(value.error());
    options.*size.field = *value;
  }
  return {};
}

Result<PlanOptions> options_of(const Request& request) {
  PlanOptions options;
  if (auto sizes = read_sizes(request, options); !sizes) return tl::unexpected(sizes.error());
  if (const auto name = request.parameter("optimizer")) {
    const auto optimizer = estimator::optimizer_of(*name);
    if (!optimizer) return tl::unexpected(optimizer.error());
    options.optimizer = *optimizer;
  }
  if (const auto name = request.parameter("precision")) {
    const auto precision = estimator::precision_of(*name);
    if (!precision) return tl::unexpected(precision.error());
    options.precision = *precision;
  }
  options.checkpointing = request.parameter("checkpointing").value_or("") == "true";
  options.qlora = request.parameter("qlora").value_or("") == "true";
  if (auto sound = check(options); !sound) return tl::unexpected(sound.error());
  return options;
}

}  // namespace

/// The body is a config.json; options are query parameters named as the command line's, with '_' for '-'.
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
