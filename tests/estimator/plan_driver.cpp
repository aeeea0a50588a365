// Drives the estimator alone: plan_driver plan FILE --json [options of `modelwatch plan`]. For scorers and fuzzing.
#include <fstream>
#include <iostream>
#include <iterator>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "estimator/plan.h"
#include "estimator/plan_arguments.h"

using namespace modelwatch;

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
  auto request = estimator::parse_plan_arguments(arguments);
  if (!request) return std::cerr << request.error().message << '\n', 2;
  std::ifstream file(request->source, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  auto document = json::read(text);
  if (!document) return std::cerr << request->source << ": " << document.error().to_string() << '\n', 2;
  request->options.source = request->source;
  auto plan = estimator::plan(document->value, request->options);
  if (!plan) return std::cerr << request->source << ": " << plan.error().message << '\n', 2;
  std::cout << json::write(estimator::to_json(*plan)) << '\n';
}
