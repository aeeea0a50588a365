#include <algorithm>
#include <charconv>

#include "daemon/http/handlers.h"

namespace modelwatch::http {

namespace {

std::string joined(std::initializer_list<std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

template <class Values>
std::string names_of(const Values& values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : ", ") + std::string(name(value));
  return text;
}

}  // namespace

Result<void> Parameters::allow(std::initializer_list<std::string_view> names) const {
  for (auto at = request_.query.begin(); at != request_.query.end(); ++at) {
    const std::string& given = at->first;
    if (std::find(names.begin(), names.end(), given) == names.end())
      return fail(ErrorKind::usage, "no such parameter: " + given, names.size() == 0 ? "without parameters" : joined(names));
    if (std::any_of(request_.query.begin(), at, [&](const auto& other) { return other.first == given; }))
      return fail(ErrorKind::usage, given + " is given twice", "one " + given);
  }
  return {};
}

Result<int> Parameters::integer(std::string_view name, int standard, int least, int most) const {
  const std::string given = text(name);
  if (given.empty()) return standard;
  int value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error != std::errc() || end != given.data() + given.size() || value < least || value > most)
    return fail(ErrorKind::usage, std::string(name) + " must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

Result<std::optional<advisories::Part>> Parameters::part(std::string_view name) const {
  const std::string given = text(name);
  if (given.empty()) return std::optional<advisories::Part>();
  const auto part = advisories::part_named(given);
  if (!part) return fail(ErrorKind::usage, std::string(name) + " is no part", names_of(advisories::kParts));
  return part;
}

Result<std::optional<advisories::Impact>> Parameters::impact(std::string_view name) const {
  const std::string given = text(name);
  if (given.empty()) return std::optional<advisories::Impact>();
  const auto impact = advisories::impact_named(given);
  if (!impact) return fail(ErrorKind::usage, std::string(name) + " is no impact", names_of(advisories::kImpacts));
  return impact;
}

}  // namespace modelwatch::http
