#include <algorithm>
#include <array>
#include <filesystem>

#include "advisories/manifest/digest.h"
#include "daemon/cli/check_report.h"

namespace modelwatch::cli {
namespace {

struct Rule {
  PinStatus status;
  const char *id, *text;
};
constexpr std::array kRules = {
    Rule{PinStatus::current, "model/present", "The pinned revision is the newest; an advisory lists it, or the lock differs."},
    Rule{PinStatus::behind, "model/behind", "The model changed after the pinned revision."},
    Rule{PinStatus::gone, "model/gone", "The model repository is gone from the Hub, private or disabled."},
    Rule{PinStatus::taken_over, "model/taken-over", "The name of the model belongs to another repository than before."},
    Rule{PinStatus::moving, "model/moving", "The reference has no revision, or one that moves: what it loads changes without notice."},
    Rule{PinStatus::unknown, "model/unknown", "The model is not tracked, or the revision was never seen."},
};

const char* rule_of(PinStatus status) {
  return std::find_if(kRules.begin(), kRules.end(), [&](const Rule& rule) { return rule.status == status; })->id;
}

/// "error", "warning" or "note" as SARIF has them.
const char* level_of(const PinVerdict& verdict, const CheckReport& report) {
  if (verdict.fails(report.fail_on, report.fail_on_present)) return "error";
  return verdict.status == PinStatus::unknown || (verdict.status == PinStatus::behind && verdict.impact <= advisories::Impact::unknown) ? "note"
                                                                                                                                        : "warning";
}

std::string relative(const std::string& file) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::proximate(file, error);
  return error || path.string().starts_with("..") ? file : path.generic_string();
}

std::string uri_of(const std::string& file) {
  static constexpr char hex[] = "0123456789ABCDEF";
  const std::string path = relative(file);
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain) uri += c;
    else uri.append({'%', hex[static_cast<unsigned char>(c) >> 4], hex[static_cast<unsigned char>(c) & 15]});
  }
  return uri;
}

json::Value result_of(const PinVerdict& verdict, const CheckReport& report) {
  json::Object place{{"artifactLocation", json::Object{{"uri", uri_of(verdict.file)}}}};
  if (verdict.pin.at.line > 0)
    place.append("region", json::Object{{"startLine", verdict.pin.at.line}, {"startColumn", std::max<std::size_t>(verdict.pin.at.column, 1)}});
  // What a code scanner follows over time: the pin, not its line.
  const std::string print = advisories::sha256(relative(verdict.file) + "\n" + verdict.pin.form + "\n" + verdict.pin.repository);
  return json::Object{{"ruleId", rule_of(verdict.status)},
                      {"level", level_of(verdict, report)},
                      {"message", json::Object{{"text", sentence(verdict)}}},
                      {"locations", json::Array{json::Object{{"physicalLocation", std::move(place)}}}},
                      {"partialFingerprints", json::Object{{"pin/v1", print.substr(0, 32)}}}};
}

/// A workflow command's data, or with `property` one of its values.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') out += "%25";
    else if (c == '\r') out += "%0D";
    else if (c == '\n') out += "%0A";
    else if (property && c == ':') out += "%3A";
    else if (property && c == ',') out += "%2C";
    else out += c;
  }
  return out;
}

}  // namespace

json::Value to_sarif(const CheckReport& report) {
  json::Array rules, results;
  for (const Rule& rule : kRules)
    rules.push_back(json::Object{{"id", rule.id}, {"shortDescription", json::Object{{"text", rule.text}}}});
  for (const PinVerdict& verdict : report.pins)
    if (needs_a_look(verdict, report)) results.push_back(result_of(verdict, report));
  json::Object driver{{"name", "modelwatch"}, {"rules", std::move(rules)}};
  return json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", json::Array{json::Object{{"tool", json::Object{{"driver", std::move(driver)}}}, {"results", std::move(results)}}}}};
}

std::string github_annotations(const CheckReport& report) {
  std::string out;
  for (const PinVerdict& verdict : report.pins) {
    if (!needs_a_look(verdict, report)) continue;
    const std::string level = level_of(verdict, report);
    out += "::" + (level == "note" ? std::string("notice") : level) + " file=" + escaped(relative(verdict.file), true);
    if (verdict.pin.at.line > 0) out += ",line=" + std::to_string(verdict.pin.at.line) + ",col=" + std::to_string(verdict.pin.at.column);
    out += ",title=" + escaped("modelwatch: " + std::string(name(verdict.status)), true) + "::" + escaped(sentence(verdict), false) + "\n";
  }
  return out;
}

}  // namespace modelwatch::cli
