#include "advisories/diff/weight_findings.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "advisories/diff/tensor_changes.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMaxFiles = 50;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Finding about(const ChangedSet& changed, std::string_view rule, Impact impact, std::string meaning) {
  Finding finding;
  finding.rule = "weights." + std::string(rule);
  finding.impact = impact;
  finding.path = changed.path();
  finding.meaning = std::move(meaning);
  finding.cause = "weights." + changed.set().name.folder + changed.set().name.stem;
  json::Array files;
  for (std::size_t i = 0; i < changed.files.size() && i < kMaxFiles; ++i) files.push_back(changed.files[i]->path());
  finding.evidence.append("files", std::move(files));
  if (changed.files.size() > kMaxFiles) finding.evidence.append("files_in_all", changed.files.size());
  if (changed.before) finding.evidence.append("bytes_before", changed.before->bytes());
  if (changed.after) finding.evidence.append("bytes_after", changed.after->bytes());
  finding.evidence.append("format", std::string(name(changed.set().name.format)));
  return finding;
}

/// "model.safetensors", "the 5 shards of model", each with its size.
std::string titled(const WeightSet& set) {
  const std::string size = " (" + size_text(set.bytes()) + ")";
  if (set.files.size() == 1) return std::string(base_name(set.files.front()->path)) + size;
  return "the " + std::to_string(set.files.size()) + " files of " + set.name.folder + set.name.stem + size;
}

/// Another set of the same folder that loaders find by itself, of the kind asked for.
const WeightSet* sibling(const WeightSet& set, const WeightSets& all, WeightFormat format) {
  for (const auto& [key, other] : all)
    if (&other != &set && other.name.folder == set.name.folder && other.name.format == format && other.name.standard && !other.empty() && key != set.name.key())
      return &other;
  return nullptr;
}

double ratio(std::uint64_t a, std::uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }
bool near(double value, double target) { return value > target * 0.97 && value < target * 1.03; }

std::string as_text(const Counted& counted) { return counted.examples.empty() ? "" : counted.examples.front() + (counted.count > 1 ? ", …" : ""); }

std::string tensors(std::size_t count) { return std::to_string(count) + (count == 1 ? " tensor" : " tensors"); }

}  // namespace

std::string ChangedSet::path() const {
  if (set().index && files.size() > 1) return set().index->path;
  return files.empty() ? set().files.front()->path : files.front()->path();
}

std::string size_text(std::uint64_t bytes) {
  static constexpr std::array units = {" B", " kB", " MB", " GB", " TB", " PB"};
  if (bytes < 1000) return std::to_string(bytes) + units[0];
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f%s", value, units[unit]);
  return text.data();
}

Finding renamed_weights(const std::vector<const ChangedFile*>& files) {
  const ListedFile &before = *files.front()->before, &after = *files.front()->after;
  const WeightName was = weight_name(before.path), is = weight_name(after.path);
  Finding finding;
  finding.rule = "weights.renamed";
  finding.impact = Impact::breaking;
  finding.path = after.path;
  finding.meaning = before.path + " renamed to " + after.path;
  if (files.size() > 1) finding.meaning += " and " + std::to_string(files.size() - 1) + " more";
  finding.meaning += ", bytes unchanged: ";
  if (was.standard && !is.standard) finding.meaning += "loaders no longer find weights under the name they look for";
  else if (!was.standard && is.standard) finding.meaning += "loaders find them by themselves from now on; whoever named the old file no longer finds it";
  else finding.meaning += "whoever named the old file no longer finds it";
  finding.cause = "weights." + is.folder + is.stem;
  json::Array names;
  for (std::size_t i = 0; i < files.size() && i < kMaxFiles; ++i)
    names.push_back(json::Object{{"before", files[i]->before->path}, {"after", files[i]->after->path}});
  finding.evidence.append("files", std::move(names));
  return finding;
}

Finding added_weights(const ChangedSet& changed, const WeightSets& all_after) {
  const WeightSet& set = *changed.after;
  const std::string what = titled(set);
  if (set.empty()) {
    const bool taken = set.name.standard && set.name.folder.empty();
    return about(changed, "added_empty", taken ? Impact::breaking : Impact::cosmetic,
                 what + " added, which holds no tensor" + (taken ? ": loaders take it for the weights and fail" : ""));
  }
  if (set.name.format == WeightFormat::pickle)
    return about(changed, "pickle.added", Impact::security,
                 "pickle " + what + " added: loading it can run code" + (set.name.training ? "; it is training state, not needed for inference" : ""));
  const WeightSet* pickle = sibling(set, all_after, WeightFormat::pickle);
  const WeightSet* safetensors = sibling(set, all_after, WeightFormat::safetensors);
  if (set.name.format == WeightFormat::safetensors && set.name.standard && pickle) {
    const bool alike = near(ratio(set.bytes(), pickle->bytes()), 1);
    return about(changed, "copy_added", alike ? Impact::resource : Impact::behaviour,
                 what + " added beside " + titled(*pickle) + ": loaders prefer safetensors from now on" +
                     (alike ? "" : ", and its size tells that tensors are missing, more, or of another type"));
  }
  return about(changed, "added", Impact::resource, what + " added" + (pickle || safetensors ? ", a further copy in another format or name" : ""));
}

Finding removed_weights(const ChangedSet& changed, const WeightSets& all_after) {
  const WeightSet& set = *changed.before;
  const std::string what = titled(set);
  if (set.empty()) return about(changed, "removed_empty", Impact::cosmetic, what + " removed, which held no tensor");
  if (set.name.training) return about(changed, "training_state_removed", Impact::cosmetic, "training state " + what + " removed; inference does not need it");
  if (set.name.stray)
    return about(changed, "stray_removed", Impact::resource, what + " removed, whose number no loader understands");
  const WeightSet* safetensors = sibling(set, all_after, WeightFormat::safetensors);
  const WeightSet* pickle = sibling(set, all_after, WeightFormat::pickle);
  if (set.name.format == WeightFormat::pickle && safetensors)
    return about(changed, "copy_removed", Impact::resource, "pickle " + what + " removed; " + titled(*safetensors) + " stays, which loaders prefer");
  std::string consequence = ": loading fails";
  if (set.name.format == WeightFormat::safetensors && pickle) consequence = ": loaders that require safetensors fail, others fall back to the pickle " + titled(*pickle);
  else if (!set.name.standard || safetensors) consequence = ": whoever named it no longer finds it";
  return about(changed, "removed", Impact::breaking, what + " removed" + consequence);
}

Finding replaced_weights(const ChangedSet& changed) {
  const WeightSet &was = *changed.before, &is = *changed.after;
  const bool in_place = std::all_of(changed.files.begin(), changed.files.end(), [](const ChangedFile* file) { return file->before && file->after; });
  const bool pickle = is.name.format == WeightFormat::pickle;
  const std::string sizes = size_text(was.bytes()) + " → " + size_text(is.bytes());
  const double scale = ratio(is.bytes(), was.bytes());
  if (is.empty() && !was.empty()) return about(changed, "emptied", Impact::breaking, titled(is) + " holds no tensor any more: loading fails");
  if (pickle) {
    Finding finding = about(changed, "pickle.replaced", Impact::security,
                            "pickle " + titled(is) + " replaced (" + sizes + "): loading it can run code, and the weights are others");
    return finding;
  }
  const bool precision = near(scale, 0.5) || near(scale, 2) || near(scale, 0.25) || near(scale, 4);
  if (!in_place && was.files.size() != is.files.size())
    return about(changed, "resharded", Impact::resource,
                 std::to_string(was.files.size()) + " files became " + std::to_string(is.files.size()) + " (" + sizes + ")" +
                     (precision ? ", of another precision by their size" : "") + ": their tensors were not compared");
  if (precision)
    return about(changed, "precision", Impact::resource, titled(is) + " replaced (" + sizes + "): by its size the same tensors at another precision");
  const bool equal_size = in_place && std::all_of(changed.files.begin(), changed.files.end(), [](const ChangedFile* file) { return file->before->size == file->after->size; });
  if (equal_size)
    return about(changed, "replaced", Impact::behaviour, titled(is) + " replaced at equal size: same names and sizes, other bytes; outputs change and copies are stale");
  return about(changed, "replaced", Impact::behaviour, titled(is) + " replaced (" + sizes + "): outputs change and copies are stale");
}

std::vector<Finding> changed_tensors(const ChangedSet& changed, const StoredTensors& before, const StoredTensors& after) {
  const TensorChanges changes = compare(before.table, *changed.before, after.table, *changed.after);
  std::vector<Finding> findings;
  const auto add = [&](std::string_view rule, Impact impact, const Counted& counted, const std::string& words, std::string_view consequence) {
    if (counted.count == 0) return;
    Finding finding = about(changed, "tensors." + std::string(rule), impact,
                            tensors(counted.count) + (counted.count == 1 ? " was " : " were ") + words + " (" + as_text(counted) + "): " + std::string(consequence));
    finding.evidence.append("tensors", counted.to_json());
    finding.evidence.append("totals_before", to_json(totals(before.table)));
    finding.evidence.append("totals_after", to_json(totals(after.table)));
    findings.push_back(std::move(finding));
  };
  add("removed", Impact::breaking, changes.removed, "removed", "a loader that expects them starts from random values or fails");
  add("renamed", Impact::breaking, changes.renamed, "renamed, shapes equal", "loaders that know the old names do not find them");
  add("reshaped", Impact::breaking, changes.reshaped, "reshaped", "the former configuration no longer fits them");
  add("added", Impact::behaviour, changes.added, "added", "loaders that do not know them leave them out");
  add("retyped", Impact::resource, changes.retyped, "stored as another type", "memory and precision change");
  if (!findings.empty()) return findings;
  const bool same_files = changes.moved.count == 0;
  Finding finding = same_files ? about(changed, "replaced", Impact::behaviour,
                                       titled(*changed.after) + " replaced at equal shapes (" + tensors(changes.same) + "): outputs change and copies are stale")
                               : about(changed, "resharded", Impact::cosmetic,
                                       tensors(changes.same) + " split anew, " + std::to_string(changed.before->files.size()) + " files before, " +
                                           std::to_string(changed.after->files.size()) + " now: names, types and shapes are equal, bytes were not compared");
  if (!same_files) finding.evidence.append("moved", changes.moved.to_json());
  finding.evidence.append("totals_after", to_json(totals(after.table)));
  findings.push_back(std::move(finding));
  return findings;
}

void add_completeness(const ChangedSet& changed, std::vector<Finding>& findings) {
  if (!changed.after) return;
  const std::vector<std::string> before = changed.before ? missing_shards(*changed.before) : std::vector<std::string>{};
  const std::vector<std::string> after = missing_shards(*changed.after);
  if (!after.empty() && (before.empty() || after.size() > before.size())) {
    Finding finding = about(changed, "incomplete", Impact::breaking,
                            after.front() + (after.size() > 1 ? " and " + std::to_string(after.size() - 1) + " more shards are" : " is") + " missing: loading fails");
    finding.evidence.append("missing", json::Array(after.begin(), after.end()));
    findings.push_back(std::move(finding));
  } else if (changed.before && !before.empty() && after.empty()) {
    findings.push_back(about(changed, "complete_again", Impact::breaking, "all shards are there again: loading failed before for want of " + before.front()));
  }
}

void add_damage(const ChangedSet& changed, const StoredTensors& before, const StoredTensors& after, std::vector<Finding>& findings) {
  const auto known_before = [&](const FileFault& fault) {
    return std::any_of(before.faults.begin(), before.faults.end(), [&](const FileFault& old) { return old.damaged && old.path == fault.path && old.reason == fault.reason; });
  };
  for (const FileFault& fault : after.faults) {
    if (!fault.damaged || known_before(fault) || findings.size() > 100) continue;
    Finding finding = about(changed, "damaged", Impact::breaking, fault.path + " cannot be loaded: " + fault.reason);
    finding.path = fault.path;
    findings.push_back(std::move(finding));
  }
  // formats without a header that is read: only what the listing tells
  if (!changed.after || changed.after->name.format == WeightFormat::safetensors) return;
  for (const ChangedFile* file : changed.files) {
    if (!file->after || !is_empty_weights(*file->after) || changed.after->empty()) continue;
    findings.push_back(about(changed, "empty_file", Impact::breaking, file->path() + " is an empty file: loading fails"));
    findings.back().path = file->path();
  }
}

}  // namespace modelwatch::advisories
