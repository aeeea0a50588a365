#include "daemon/cli/check_report.h"

#include <algorithm>
#include <ostream>

#include "daemon/cli/table.h"

namespace modelwatch::cli {
namespace {

using advisories::name;

constexpr std::size_t kShownDigits = 10;

json::Value text_or_null(const std::string& text) { return text.empty() ? json::Value() : json::Value(text); }

std::string shown(const advisories::Pin& pin) {
  const bool commit = pin.revision.size() >= 40;
  return pin.repository + (pin.revision.empty() ? "" : "@" + (commit ? pin.revision.substr(0, kShownDigits) : pin.revision));
}

std::string place(const std::string& file, advisories::Position at) {
  return at.line == 0 ? file : file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string revisions(int count) { return std::to_string(count) + (count == 1 ? " revision" : " revisions"); }

json::Object pin_json(const PinVerdict& verdict, advisories::Impact below) {
  json::Array parts, matches;
  for (const PartBehind& part : verdict.parts)
    parts.push_back(json::Object{{"part", name(part.part)}, {"impact", name(part.impact)}, {"revisions", part.revisions}, {"summary", part.summary}});
  for (const PinVerdict::Match& match : verdict.advisories)
    matches.push_back(json::Object{{"id", match.id}, {"part", name(match.part)}, {"impact", name(match.impact)}});
  json::Value newest;
  if (!verdict.newest_below.empty())
    newest = json::Object{{"impact", name(below)}, {"revision", verdict.newest_below}, {"revisions", verdict.newest_below_revisions}};
  return {{"file", verdict.file},
          {"line", verdict.pin.at.line},
          {"column", verdict.pin.at.column},
          {"form", verdict.pin.form},
          {"repository", verdict.pin.repository},
          {"revision", text_or_null(verdict.pin.revision)},
          {"status", name(verdict.status)},
          {"reason", text_or_null(verdict.reason)},
          {"commit", text_or_null(verdict.revision)},
          {"head", text_or_null(verdict.head)},
          {"behind", json::Object{{"revisions", verdict.behind},
                                  {"impact", verdict.impact ? json::Value(name(*verdict.impact)) : json::Value()},
                                  {"parts", std::move(parts)}}},
          {"newest_below", std::move(newest)},
          {"lock", text_or_null(verdict.lock_problem)},
          {"advisories", std::move(matches)}};
}

void print_pin(const PinVerdict& verdict, const CheckReport& report, Console& console) {
  std::ostream& out = console.out;
  out << place(printable(verdict.file), verdict.pin.at) << ": " << printable(shown(verdict.pin)) << ": " << name(verdict.status);
  if (verdict.status == PinStatus::behind)
    out << " by " << revisions(verdict.behind) << ", " << (verdict.impact ? colored(*verdict.impact, console.color) : "nothing changed");
  if (!verdict.reason.empty()) out << " (" << printable(verdict.reason) << ")";
  out << '\n';
  if (!verdict.lock_problem.empty()) out << "  lock: " << printable(verdict.lock_problem) << '\n';
  for (const PartBehind& part : verdict.parts)
    out << "  " << name(part.part) << ": " << colored(part.impact, console.color) << ": " << printable(part.summary) << '\n';
  if (!verdict.newest_below.empty() && verdict.newest_below_revisions < verdict.behind)
    out << "  newest without a change that is " << name(report.below) << " or graver: " << verdict.newest_below << '\n';
  for (const PinVerdict::Match& match : verdict.advisories)
    if (report.fail_on_present && match.impact >= *report.fail_on_present)
      out << "  " << match.id << " lists this revision: " << name(match.part) << ", " << colored(match.impact, console.color) << '\n';
}

}  // namespace

bool CheckReport::failed() const {
  return std::any_of(pins.begin(), pins.end(), [&](const PinVerdict& pin) { return pin.fails(fail_on, fail_on_present); });
}

json::Value to_json(const CheckReport& report) {
  json::Array pins, problems;
  for (const PinVerdict& verdict : report.pins) pins.push_back(pin_json(verdict, report.below));
  for (const CheckProblem& problem : report.problems)
    problems.push_back(json::Object{{"file", problem.file}, {"line", problem.at.line}, {"column", problem.at.column}, {"reason", problem.reason}});
  return json::Object{{"schema", "modelwatch/check/1"},
                      {"failed", report.failed()},
                      {"fail_on", report.fail_on ? json::Value(name(*report.fail_on)) : json::Value()},
                      {"pins", std::move(pins)},
                      {"problems", std::move(problems)}};
}

void print_check(const CheckReport& report, Console& console) {
  for (const CheckProblem& problem : report.problems)
    console.err << place(printable(problem.file), problem.at) << ": " << printable(problem.reason) << '\n';
  for (const PinVerdict& verdict : report.pins)
    if (needs_a_look(verdict, report)) print_pin(verdict, report, console);
}

bool needs_a_look(const PinVerdict& verdict, const CheckReport& report) {
  return verdict.status != PinStatus::current || verdict.fails(report.fail_on, report.fail_on_present);
}

std::string sentence(const PinVerdict& verdict) {
  std::string text = printable(shown(verdict.pin), 200) + ": " + std::string(name(verdict.status));
  if (verdict.status == PinStatus::behind)
    text += " by " + revisions(verdict.behind) + ", " + (verdict.impact ? std::string(name(*verdict.impact)) : "nothing changed");
  if (!verdict.reason.empty()) text += " (" + printable(verdict.reason, 200) + ")";
  if (!verdict.lock_problem.empty()) text += "; lock: " + printable(verdict.lock_problem, 200);
  for (const PartBehind& part : verdict.parts)
    if (part.impact > advisories::Impact::cosmetic)
      text += "; " + std::string(name(part.part)) + ": " + std::string(name(part.impact)) + ": " + printable(part.summary, 160);
  return text;
}

}  // namespace modelwatch::cli
