#include "daemon/cli/find_pins.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "advisories/osv/package_name.h"
#include "daemon/cli/python_pins.h"
#include "daemon/cli/table.h"

namespace modelwatch::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kLargestFile = 64u << 20;  // bytes; an SBOM of a large system has a few megabytes
constexpr std::string_view kCached = "models--";

bool is_skipped_folder(const std::string& name) {
  return name == ".git" || name == ".hg" || name == "node_modules" || name == ".venv" || name == "venv" || name == "__pycache__" || name == ".tox";
}

bool is_python(std::string_view path) { return path.ends_with(".py"); }

/// A folder holds many files that are not what their name says (JSON with comments); one that cannot be read is worth a
/// word where it was named, or speaks of models.
bool matters(std::string_view text) {
  return text.find("huggingface") != text.npos || text.find("bomFormat") != text.npos || text.find("spdxVersion") != text.npos;
}

class Finder {
 public:
  Result<FoundPins> run(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      std::error_code error;
      if (!fs::exists(path, error)) return fail(ErrorKind::not_found, printable(path) + " is not there");
      if (fs::is_directory(path, error)) folder(path);
      else file(path, true);
    }
    python();
    std::stable_sort(found_.pins.begin(), found_.pins.end(), [](const FoundPin& a, const FoundPin& b) {
      return a.file != b.file ? a.file < b.file : a.pin.at < b.pin.at;
    });
    return std::move(found_);
  }

 private:
  void folder(const fs::path& root) {
    if (is_cached_model(root)) return cached_model(root);
    std::vector<std::string> files;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (auto it = fs::recursive_directory_iterator(root, options, error); !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      if (it->is_symlink(error)) continue;
      if (it->is_directory(error)) {
        const bool cached = is_cached_model(it->path());
        if (cached) cached_model(it->path());
        if (cached || is_skipped_folder(it->path().filename().string())) it.disable_recursion_pending();
      } else if (it->is_regular_file(error)) {
        const std::string path = it->path().string();
        if (is_python(path) || advisories::may_hold_pins(path)) files.push_back(path);
      }
    }
    std::sort(files.begin(), files.end());
    for (const std::string& path : files) file(path, false);
  }

  void file(const std::string& path, bool named) {
    std::error_code error;
    if (fs::file_size(path, error) > kLargestFile && !error) return problem(path, {}, "larger than 64 MB, not read");
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) return problem(path, {}, "cannot be read");
    if (is_python(path)) {
      if (named || matters(text) || text.find("from_pretrained") != text.npos || text.find("model") != text.npos)
        python_.push_back({path, std::move(text)});
      return;
    }
    const auto pins = advisories::read_pins(path, text);
    if (pins) take(path, *pins);
    else if (named || matters(text)) problem(path, {}, pins.error().message);
  }

  void take(const std::string& path, const advisories::PinFile& pins) {
    for (const advisories::Pin& pin : pins.pins) found_.pins.push_back({path, pin});
    for (const advisories::PinProblem& bad : pins.problems) problem(path, bad.at, bad.reason);
  }

  void problem(const std::string& path, advisories::Position at, const std::string& reason) { found_.problems.push_back({path, at, reason}); }

  void python() {
    const auto read = python_pins(python_);
    if (!read) return problem(python_.front().path, {}, read.error().message + ": " + std::to_string(python_.size()) + " Python files were not read");
    for (const auto& [path, pins] : *read) {
      if (pins) take(path, *pins);
      else problem(path, {}, pins.error().message);
    }
  }

  static bool is_cached_model(const fs::path& path) {
    std::error_code error;
    return path.filename().string().starts_with(kCached) && fs::is_directory(path / "snapshots", error);
  }

  void cached_model(const fs::path& path) {
    std::string repository = path.filename().string().substr(kCached.size());
    if (const auto slash = repository.find("--"); slash != repository.npos) repository.replace(slash, 2, "/");
    if (!advisories::is_repository_name(repository)) return;
    std::error_code error;
    for (const auto& snapshot : fs::directory_iterator(path / "snapshots", error)) {
      const auto commit = advisories::full_commit(snapshot.path().filename().string());
      if (commit) found_.pins.push_back({snapshot.path().string(), {repository, std::string(advisories::kPublicHub), *commit, {}, "cache", {}, {}}});
    }
  }

  FoundPins found_;
  std::vector<PythonFile> python_;
};

}  // namespace

Result<FoundPins> find_pins(const std::vector<std::string>& paths) { return Finder().run(paths); }

}  // namespace modelwatch::cli
