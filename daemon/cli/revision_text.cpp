#include "daemon/cli/revision_text.h"

#include <algorithm>
#include <ostream>

#include "daemon/cli/table.h"
#include "estimator/json/writer.h"
#include "storage/row_json.h"

namespace modelwatch::cli {
namespace {

using storage::ChangeRow;
using storage::RevisionRow;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) (out += out.empty() ? "" : ", ") += word;
  return out;
}

/// "config, tokenizer (added)": the parts that are not the same.
std::string changed_parts(const RevisionRow& revision) {
  if (revision.baseline) return "baseline";
  std::vector<std::string> words;
  for (const auto& [part, what] : revision.parts) {
    if (what == "same") continue;
    words.push_back(std::string(name(part)) + (what == "changed" ? "" : " (" + what + ")"));
  }
  return words.empty() ? "-" : joined(words);
}

std::string megabytes(std::uint64_t bytes) {
  if (bytes < 10'000) return std::to_string(bytes) + " B";
  if (bytes < 10'000'000) return std::to_string(bytes / 1000) + " kB";
  return std::to_string(bytes / 1'000'000) + " MB";
}

void print_findings(const ChangeRow& change, Console& console) {
  const json::Array* findings = change.findings.array();
  if (!findings) return;
  const auto text = [](const json::Value& finding, const char* key) {
    const json::Value* value = finding.find(key);
    return value && value->string() ? *value->string() : std::string();
  };
  for (const json::Value& finding : *findings) {
    const std::string pointer = text(finding, "pointer");
    console.out << "    " << printable(text(finding, "path") + (pointer.empty() ? "" : " " + pointer), 100) << "\n      "
                << printable(text(finding, "meaning"), 240) << "\n";
  }
}

}  // namespace

void print_revisions(const std::vector<RevisionRow>& revisions, Console& console) {
  Table table({"revision", "date", "impact", "changed", "advisories", "title"});
  for (const RevisionRow& row : revisions) {
    table.add({row.sha.substr(0, 12), storage::to_text(row.committed).substr(0, 10),
               row.baseline ? "-" : std::string(name(row.impact)), changed_parts(row),
               row.advisories.empty() ? "-" : std::to_string(row.advisories.size()), printable(row.title, 60)});
  }
  if (!table.empty()) table.print(console.out, console.color);
}

void print_revision(const storage::Store::RevisionDetail& detail, Console& console) {
  const RevisionRow& row = detail.row;
  std::ostream& out = console.out;
  out << detail.tracked.name << '@' << row.sha << '\n'
      << "  title    " << printable(row.title, 200) << '\n'
      << "  authors  " << printable(joined(row.authors), 200) << '\n'
      << "  date     " << storage::to_text(row.committed) << " upstream, " << storage::to_text(row.seen) << " seen\n"
      << "  parent   " << (row.parent.empty() ? "none known: baseline" : row.parent) << (row.rewritten ? " (history rewritten)" : "") << '\n';
  if (!row.baseline) out << "  impact   " << colored(row.impact, console.color) << '\n';
  if (!row.advisories.empty()) out << "  advisory " << joined(row.advisories) << '\n';
  for (const ChangeRow& change : detail.changes) {
    out << "\n  " << name(change.part) << ": " << colored(change.impact, console.color) << ": " << printable(change.summary, 200) << '\n';
    print_findings(change, console);
  }
  if (!detail.plan.is_null()) out << "\n  plan     " << json::write(detail.plan) << '\n';
  out << '\n';
  Table files({"file", "size", "identity", "read"});
  for (const storage::StoredFile& file : detail.files) {
    files.add({printable(file.file.path, 80), megabytes(file.file.size), std::string(file.file.identity().substr(0, 12)),
               file.not_read.empty() ? "-" : printable(file.not_read, 60)});
  }
  files.print(out, console.color);
}

void print_change(const ChangeRow& change, Console& console) {
  console.out << storage::to_text(change.seen) << "  " << change.repository << "  "
              << (change.sha.empty() ? "-" : change.sha.substr(0, 12)) << "  "
              << (change.event == "change" ? name(change.part) : std::string_view(change.event)) << "  "
              << colored(change.impact, console.color) << "  " << printable(change.summary, 160);
  if (!change.advisory.empty()) console.out << "  " << change.advisory;
  console.out << '\n';
}

}  // namespace modelwatch::cli
