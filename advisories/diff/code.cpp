#include <algorithm>

#include "advisories/diff/file_findings.h"
#include "advisories/manifest/files.h"
#include "advisories/manifest/python_source.h"
#include "advisories/manifest/text_file.h"

namespace modelwatch::advisories {
namespace {

bool reads(std::string_view path) { return part_of(path) == Part::code; }

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
bool is_requirements(std::string_view path) { return base_name(path).starts_with("requirements") && path.ends_with(".txt"); }

using Names = std::set<std::string>;
Names minus(const Names& a, const Names& b) {
  Names rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.begin()));
  return rest;
}
json::Array listed(const Names& names) { return json::Array(names.begin(), names.end()); }
std::string joined(const Names& names) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (++count > 6) return text + ", …";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

/// Whether the configuration names this module, so that loading with remote code runs it.
bool runs_on_load(const DiffInput& input, std::string_view path) {
  const std::string_view file = base_name(path);
  if (file == "handler.py" || file == "pipeline.py" || file.starts_with("modeling_") || file.starts_with("configuration_") ||
      file.starts_with("tokenization_") || file.starts_with("processing_") || file.starts_with("image_processing_"))
    return true;
  const std::string module(file.substr(0, file.rfind('.')));
  for (const char* config : {"config.json", "tokenizer_config.json", "preprocessor_config.json", "processor_config.json"}) {
    const json::Value* document = input.documents_after.at(config).value();
    const json::Value* map = document ? document->find("auto_map") : nullptr;
    if (!map || !map->object()) continue;
    for (const auto& [key, value] : *map->object())
      if (value.string() && value.string()->starts_with(module + ".")) return true;
  }
  return false;
}

void judge_python(const DiffInput& input, const ChangedFile& file, const TextFile& before, const TextFile& after, Finding& finding) {
  if (file.before && file.after && without_comments(before.text()) == without_comments(after.text())) {
    finding.rule = "code.python.respelled";
    finding.impact = Impact::cosmetic;
    finding.meaning = file.path() + " differs only in comments and blank space";
    return;
  }
  const PythonScan was = scan_python(before.text()), is = scan_python(after.text());
  const Names imports = minus(is.imports, was.imports), dropped = minus(was.imports, is.imports), reaches = minus(is.reaches, was.reaches);
  if (!imports.empty()) finding.evidence.append("imports_added", listed(imports));
  if (!dropped.empty()) finding.evidence.append("imports_removed", listed(dropped));
  if (!reaches.empty()) finding.evidence.append("reaches_added", listed(reaches));
  finding.evidence.append("method", "text scan");
  const bool loads = runs_on_load(input, file.path());
  finding.evidence.append("runs_on_load", loads);
  finding.meaning += file.after ? (loads ? ": it runs when the repository is loaded with trusted remote code" : ": code that users of the repository may run")
                                : ": loading that relied on it fails";
  if (!reaches.empty()) finding.meaning += "; it newly reaches " + joined(reaches);
}

/// A package that was not asked for is code that runs; another version of one that was is not.
void judge_requirements(const ChangedFile& file, const TextFile& before, const TextFile& after, Finding& finding) {
  const Names was = requirement_lines(before.text()), is = requirement_lines(after.text());
  const auto package_names = [](const Names& lines) {
    Names names;
    for (const std::string& line : lines) names.insert(line.substr(0, line.find_first_of("=<>!~[;@")));
    return names;
  };
  const Names added = minus(package_names(is), package_names(was)), removed = minus(package_names(was), package_names(is));
  if (!added.empty()) finding.evidence.append("packages_added", listed(added));
  if (!removed.empty()) finding.evidence.append("packages_removed", listed(removed));
  if (was == is) {
    finding.rule = "code.requirements.respelled";
    finding.impact = Impact::cosmetic;
    finding.meaning = file.path() + " was written anew with the same packages";
  } else if (added.empty()) {
    finding.impact = Impact::behaviour;
    finding.meaning += removed.empty() ? ": other versions of the same packages are installed" : ": no longer installs " + joined(removed);
  } else {
    finding.meaning += ": installs " + joined(added);
  }
}

Finding code_finding(const DiffInput& input, const ChangedFile& file, PartChange& change) {
  static constexpr FileWords python{"code.python", "Python file", Impact::security, Impact::security, Impact::security, Impact::security};
  static constexpr FileWords packages{"code.requirements", "list of packages", Impact::security, Impact::behaviour, Impact::security, Impact::behaviour};
  static constexpr FileWords native{"code.native", "compiled or shell code", Impact::security, Impact::security, Impact::security, Impact::security};
  const bool is_python = file.path().ends_with(".py");
  Finding finding = file_finding(file, is_python ? python : is_requirements(file.path()) ? packages : native);
  if (file.moved()) {
    finding.meaning += ": imports and code pointers by the former path fail, and the new one may be loaded";
    return finding;
  }
  const TextFile before = read_text(input.before, file.before), after = read_text(input.after, file.after);
  if (!before.read || !after.read) {
    change.unreadable.push_back({file.path(), before.read ? "after" : "before", "not read: " + (before.read ? after.reason : before.reason)});
    finding.evidence.append("method", "identity of the bytes");
    finding.meaning += "; its text is not at hand";
  } else if (is_python) {
    judge_python(input, file, before, after, finding);
  } else if (is_requirements(file.path())) {
    judge_requirements(file, before, after, finding);
  }
  return finding;
}

PartChange diff_code(const DiffInput& input) {
  PartChange change;
  for (const ChangedFile* file : input.changed_in(Part::code)) change.findings.push_back(code_finding(input, *file, change));
  return change;
}

std::optional<std::string> meaning(const Snapshot& snapshot) {
  std::string text;
  for (const ListedFile& file : snapshot.listing) {
    if (!reads(file.path)) continue;
    text.append(file.path).append(" ");
    const TextFile source = read_text(snapshot, &file);
    if (!source.read) text.append(file.identity());
    else if (is_requirements(file.path))
      for (const std::string& line : requirement_lines(source.text())) text.append(line).append(";");
    else text.append(file.path.ends_with(".py") ? without_comments(source.text()) : std::string(file.identity()));
    text.append("\n");
  }
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

const PartDiffer kCodeDiffer{Part::code, reads, diff_code, meaning};

}  // namespace modelwatch::advisories
