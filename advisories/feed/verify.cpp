#include "advisories/feed/verify.h"

#include <fstream>
#include <iterator>
#include <map>
#include <unordered_set>

#include "advisories/feed/archive.h"
#include "advisories/feed/index.h"
#include "advisories/osv/validate.h"
#include "estimator/json/reader.h"

namespace modelwatch::advisories {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostProblems = 1000;
constexpr std::string_view kDirectory = "GIT";

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Verifier {
 public:
  Verifier(fs::path folder, std::string_view prefix) : root_(std::move(folder)), prefix_(prefix) {}

  Result<TreeVerdict> run() {
    if (!fs::exists(root_ / "GIT/modified_id.csv"))
      return fail(ErrorKind::not_found, root_.string() + " holds no feed: GIT/modified_id.csv is missing", "modelwatch feed export " + root_.string());
    lists();
    files();
    archive("GIT/all.zip");
    // Copies of one file are read once; told apart by their bytes, not by what the writer promised.
    std::error_code error;
    if (!fs::equivalent(root_ / "all.zip", root_ / "GIT/all.zip", error)) archive("all.zip");
    return std::move(verdict_);
  }

 private:
  void problem(const std::string& file, const std::string& text) {
    ++verdict_.broken;
    if (verdict_.problems.size() < kMostProblems) verdict_.problems.push_back(file + ": " + text);
  }

  void lists() {
    const auto entries = parse_modified_id_csv(read_file(root_ / "GIT/modified_id.csv"));
    if (!entries) return problem("GIT/modified_id.csv", "a line is not <time>,<id>");
    for (const FeedEntry& entry : *entries)
      if (entry.id.find('/') != entry.id.npos)
        problem("GIT/modified_id.csv", entry.id + " is no id");
      else if (!listed_.emplace(entry.id + ".json", entry.modified).second)
        problem("GIT/modified_id.csv", entry.id + " twice");
    std::vector<FeedEntry> sorted = *entries;
    sort_as_feed(sorted);
    if (sorted != *entries) problem("GIT/modified_id.csv", "not by time descending, then id");
    const std::pair<const char*, std::string> derived[] = {{"modified_id.csv", modified_id_csv(*entries, kDirectory)},
                                                           {"list.json", rest_list(*entries)},
                                                           {"ecosystems.txt", std::string(kDirectory) + "\n"}};
    for (const auto& [file, expected] : derived)
      if (read_file(root_ / file) != expected) problem(file, "does not agree with GIT/modified_id.csv");
  }

  void files() {
    std::error_code error;
    std::unordered_set<std::string> present;
    for (const auto& file : fs::directory_iterator(root_ / kDirectory, error)) {
      const std::string name = file.path().filename().string();
      if (name == "all.zip" || name == "modified_id.csv") continue;
      if (!listed_.contains(name)) problem("GIT/" + name, "in no list");
      present.insert(name);
    }
    for (const auto& [name, modified] : listed_) {
      if (!present.contains(name)) problem("GIT/" + name, "listed, but missing");
      else record(name, modified, read_file(root_ / kDirectory / name));
    }
  }

  void record(const std::string& name, Time modified, const std::string& text) {
    ++verdict_.records;
    const auto document = json::read(text);
    if (!document) return problem("GIT/" + name, document.error().to_string());
    for (const std::string& pointer : document->duplicates) problem("GIT/" + name, "twice: " + pointer);
    for (const Violation& violation : validate(document->value, prefix_)) problem("GIT/" + name, violation.to_string());
    const auto text_at = [&](const char* key) {
      const json::Value* value = document->value.find(key);
      return value && value->string() ? *value->string() : std::string();
    };
    if (text_at("id") + ".json" != name) problem("GIT/" + name, "holds another id: " + text_at("id"));
    if (text_at("modified") != rfc3339(modified)) problem("GIT/" + name, "modified is not that of the list");
  }

  void archive(const char* file) {
    auto archive = ArchiveReader::open(root_ / file);
    if (!archive) return problem(file, archive.error().message);
    std::string before;
    std::size_t found = 0;
    for (const ArchiveEntry& entry : archive->entries()) {
      if (entry.name <= before) problem(file, entry.name + " is not sorted by id");
      before = entry.name;
      const auto listed = listed_.find(entry.name);
      if (listed == listed_.end()) {
        problem(file, entry.name + " is in no list");
        continue;
      }
      ++found;
      if (entry.modified != listed->second) problem(file, entry.name + " has another time than the list");
      const auto content = archive->read(entry);
      if (!content) problem(file, content.error().message);
      else if (*content != read_file(root_ / kDirectory / entry.name)) problem(file, entry.name + " differs from the file");
    }
    if (found != listed_.size()) problem(file, "holds " + std::to_string(found) + " of " + std::to_string(listed_.size()) + " records");
  }

  fs::path root_;
  std::string_view prefix_;
  std::map<std::string, Time> listed_;  ///< file name → modified
  TreeVerdict verdict_;
};

}  // namespace

Result<TreeVerdict> verify_feed_tree(const std::filesystem::path& folder, std::string_view prefix) {
  return Verifier(folder, prefix).run();
}

}  // namespace modelwatch::advisories
