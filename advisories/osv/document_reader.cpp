#include <string>

#include "advisories/osv/advisory.h"

namespace modelwatch::advisories {
namespace {

/// The member at `pointer`, or null of a kind that answers nothing.
const json::Value& at(const json::Value& value, std::string_view pointer) {
  static const json::Value none;
  const json::Value* found = json::at_pointer(value, pointer);
  return found ? *found : none;
}

std::string text(const json::Value& value, std::string_view pointer) {
  const std::string* found = at(value, pointer).string();
  return found ? *found : std::string();
}

const json::Array& items(const json::Value& value, std::string_view pointer) {
  static const json::Array none;
  const json::Array* found = at(value, pointer).array();
  return found ? *found : none;
}

std::vector<std::string> texts(const json::Value& value, std::string_view pointer) {
  std::vector<std::string> out;
  for (const json::Value& item : items(value, pointer))
    if (item.string()) out.push_back(*item.string());
  return out;
}

std::size_t count(const json::Value& value, std::string_view pointer, std::size_t otherwise) {
  const auto integer = at(value, pointer).integer();
  return integer && *integer >= 0 ? static_cast<std::size_t>(*integer) : otherwise;
}

void read_range(const json::Value& range, Advisory& a) {
  for (const json::Value& event : items(range, "/events")) {
    if (const std::string introduced = text(event, "/introduced"); !introduced.empty()) {
      if (a.introduced.empty())
        a.introduced = introduced;
      else
        a.reintroduced.push_back(introduced);
    } else if (const std::string fixed = text(event, "/fixed"); !fixed.empty()) {
      a.closings.push_back({fixed, text(range, "/database_specific/closed_by"), text(range, "/database_specific/closing_advisory")});
    }
  }
  a.observed_ref = text(range, "/database_specific/observed_ref");
  if (items(range, "/database_specific/closings").empty()) return;
  a.closings.clear();
  for (const json::Value& closing : items(range, "/database_specific/closings"))
    a.closings.push_back({text(closing, "/revision"), text(closing, "/closed_by"), text(closing, "/closing_advisory"),
                          at(closing, "/fixed").boolean().value_or(true)});
}

void read_change(const json::Value& change, Advisory& a) {
  a.kind = text(change, "/change");
  a.from = {text(change, "/from/revision"), text(change, "/from/state")};
  a.to = {text(change, "/to/revision"), text(change, "/to/state")};
  for (const json::Value& file : items(change, "/files")) {
    TouchedFile touched{text(file, "/path"), std::nullopt, text(file, "/from_sha256"), text(file, "/to_sha256")};
    if (at(file, "/pointer").string()) touched.pointer = text(file, "/pointer");
    a.files.push_back(std::move(touched));
  }
  a.files_total = count(change, "/files_total", a.files.size());
  for (const json::Value& finding : items(change, "/findings")) a.findings.push_back(finding_from_json(finding));
  a.findings_total = count(change, "/findings_total", a.findings.size());
  a.plan = at(change, "/plan");
  a.reverts = text(change, "/reverts");
  a.equals_revision = text(change, "/equals_revision");
  a.history_rewritten = at(change, "/history_rewritten").boolean().value_or(false);
}

}  // namespace

Result<Advisory> from_osv(const json::Value& document) {
  Advisory a;
  a.id = text(document, "/id");
  const auto bad = [&](const std::string& what) {
    return fail(ErrorKind::bad_input, "advisory " + (a.id.empty() ? "without an id" : a.id) + ": " + what);
  };
  const auto part = part_named(text(document, "/affected/0/database_specific/part"));
  const auto impact = impact_named(text(document, "/affected/0/database_specific/impact"));
  const auto published = parse_rfc3339(text(document, "/published")), modified = parse_rfc3339(text(document, "/modified"));
  const auto significant = parse_rfc3339(text(document, "/database_specific/significant_at"));
  if (a.id.empty()) return bad("no document of ours");
  if (!part || !impact) return bad("part or impact is missing or not one of ours");
  if (!published || !modified || !significant) return bad("published, modified or significant_at is missing or no time");
  a.part = *part;
  a.impact = *impact;
  a.published = *published;
  a.modified = *modified;
  a.significant_at = *significant;
  a.withdrawn = parse_rfc3339(text(document, "/withdrawn"));
  a.withdrawn_reason = text(document, "/database_specific/withdrawn_reason");
  a.related = texts(document, "/related");
  a.repository = {text(document, "/database_specific/repository/hub"), text(document, "/database_specific/repository/id"),
                  text(document, "/database_specific/repository/hub_id")};
  a.versions = texts(document, "/affected/0/versions");
  read_range(at(document, "/affected/0/ranges/0"), a);
  if (a.introduced.empty()) return bad("no introduced event");
  read_change(at(document, "/affected/0/database_specific"), a);
  const json::Array& entries = items(document, "/affected");
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (const std::string url = text(entries[i], "/package/name"); url.starts_with(a.repository.hub + "/"))
      a.further_names.push_back(url.substr(a.repository.hub.size() + 1));
  return a;
}

}  // namespace modelwatch::advisories
