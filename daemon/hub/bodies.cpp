#include "daemon/hub/bodies.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "daemon/hub/errors.h"
#include "daemon/hub/session.h"

namespace modelwatch::hub {

namespace {

using nlohmann::json;

constexpr int kDeepest = 64;
constexpr std::size_t kLongestPath = 4096, kLongestName = 256, kLongestText = 4096;  // bytes

tl::unexpected<Trouble> malformed(std::string_view what, std::string_view why) {
  return tl::unexpected<Trouble>(trouble(Trouble::Kind::malformed, what, why));
}

/// The document, where it is of the kind expected.
Outcome<json> document(std::string_view body, json::value_t kind, std::string_view what) {
  bool too_deep = false;
  const auto guard = [&](int depth, json::parse_event_t, json&) {
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;  // deeper values are not kept: a tree that deep could not even be destroyed
  };
  json parsed = json::parse(body, guard, false);
  if (parsed.is_discarded()) return malformed(what, "the answer is not JSON");
  if (too_deep) return malformed(what, "the answer nests more than 64 levels");
  if (parsed.type() != kind) return malformed(what, kind == json::value_t::array ? "the answer is no array" : "the answer is no object");
  return parsed;
}

const json* member(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

std::string text(const json& object, const char* key, std::size_t longest = kLongestText) {
  const json* value = member(object, key);
  if (!value || !value->is_string()) return {};
  std::string found = value->get<std::string>();
  return found.size() <= longest ? found : std::string();
}

bool flag(const json& object, const char* key) {
  const json* value = member(object, key);
  return value && value->is_boolean() && value->get<bool>();
}

std::optional<std::uint64_t> count(const json& object, const char* key) {
  const json* value = member(object, key);
  if (!value || !value->is_number_integer()) return {};
  if (!value->is_number_unsigned() && value->get<std::int64_t>() < 0) return {};
  return value->get<std::uint64_t>();
}

std::optional<std::int64_t> small_count(const json& object, const char* key) {
  const auto found = count(object, key);
  if (!found || *found > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return {};
  return static_cast<std::int64_t>(*found);
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// "license:mit" → "mit" of the first tag with that prefix. `base_model:quantized:org/x` gives "org/x".
std::string from_tags(const std::vector<std::string>& tags, std::string_view prefix) {
  for (const std::string& tag : tags) {
    if (tag.starts_with(prefix)) return tag.substr(tag.rfind(':') + 1);
  }
  return {};
}

std::optional<advisories::LfsPointer> read_lfs(const json& entry) {
  const json* lfs = member(entry, "lfs");
  if (!lfs || !lfs->is_object()) return {};
  advisories::LfsPointer pointer;
  for (const char* key : {"oid", "sha256"}) {  // /tree and paths-info say oid, model info says sha256
    if (std::string id = text(*lfs, key); is_sha256(id)) pointer.sha256 = std::move(id);
  }
  pointer.size = count(*lfs, "size").value_or(0);
  pointer.pointer_size = count(*lfs, "pointerSize").value_or(0);
  return pointer;
}

Commit read_commit(const json& entry) {
  Commit commit;
  commit.sha = text(entry, "id");
  commit.title = text(entry, "title");
  commit.date = read_date(text(entry, "date")).value_or(std::chrono::sys_seconds{});
  if (const json* authors = member(entry, "authors"); authors && authors->is_array()) {
    for (const json& author : *authors) {
      if (std::string user = text(author, "user"); !user.empty()) commit.authors.push_back(std::move(user));
    }
  }
  return commit;
}

}  // namespace

Outcome<RepositoryInfo> read_info(std::string_view body, std::string_view what) {
  const auto parsed = document(body, json::value_t::object, what);
  if (!parsed) return tl::unexpected(parsed.error());
  RepositoryInfo info;
  for (const char* key : {"id", "modelId"}) {
    if (info.name.empty()) info.name = text(*parsed, key, kLongestName);
  }
  if (info.name.empty()) return malformed(what, "the answer does not name the repository");
  info.hub_id = text(*parsed, "_id", kLongestName);
  if (info.hub_id.empty()) info.hub_id = info.name;
  info.sha = text(*parsed, "sha");
  if (!info.sha.empty() && !is_sha(info.sha)) return malformed(what, "the answer's sha is not 40 hex digits");
  info.is_private = flag(*parsed, "private");
  info.disabled = flag(*parsed, "disabled");
  info.gated = text(*parsed, "gated");
  if (info.gated.empty() && flag(*parsed, "gated")) info.gated = "auto";
  info.downloads = small_count(*parsed, "downloads").value_or(0);
  if (const json* tags = member(*parsed, "tags"); tags && tags->is_array()) {
    for (const json& tag : *tags) {
      if (tag.is_string()) info.tags.push_back(tag.get<std::string>());
    }
  }
  info.base_model = from_tags(info.tags, "base_model:");
  info.license = from_tags(info.tags, "license:");
  if (const json* safetensors = member(*parsed, "safetensors")) info.safetensors_total = small_count(*safetensors, "total");
  return info;
}

Outcome<std::vector<Commit>> read_commits(std::string_view body, std::string_view what) {
  const auto parsed = document(body, json::value_t::array, what);
  if (!parsed) return tl::unexpected(parsed.error());
  std::vector<Commit> commits;
  for (const json& entry : *parsed) {
    Commit commit = read_commit(entry);
    if (!is_sha(commit.sha)) return malformed(what, "a commit's id is not 40 hex digits");
    commits.push_back(std::move(commit));
  }
  return commits;
}

Outcome<std::vector<Ref>> read_refs(std::string_view body, std::string_view what) {
  const auto parsed = document(body, json::value_t::object, what);
  if (!parsed) return tl::unexpected(parsed.error());
  std::vector<Ref> refs;
  for (const char* kind : {"branches", "tags", "converts"}) {
    const json* list = member(*parsed, kind);
    if (!list || !list->is_array()) continue;
    for (const json& entry : *list) {
      Ref ref{text(entry, "name"), text(entry, "ref"), text(entry, "targetCommit")};
      if (ref.name.empty() || ref.ref.empty() || !is_sha(ref.sha)) return malformed(what, "a ref without name or commit");
      refs.push_back(std::move(ref));
    }
  }
  return refs;
}

Outcome<std::vector<advisories::ListedFile>> read_tree(std::string_view body, std::string_view what) {
  const auto parsed = document(body, json::value_t::array, what);
  if (!parsed) return tl::unexpected(parsed.error());
  std::vector<advisories::ListedFile> files;
  for (const json& entry : *parsed) {
    if (text(entry, "type") == "directory") continue;
    const auto size = count(entry, "size");
    advisories::ListedFile file{text(entry, "path", kLongestPath), text(entry, "oid"), size.value_or(0), read_lfs(entry)};
    if (file.path.empty()) return malformed(what, "a listed file without path");
    if (!is_sha(file.oid)) return malformed(what, "a listed file's oid is not 40 hex digits");
    if (!size && !file.lfs) return malformed(what, "a listed file without size");
    if (file.lfs && !size) file.size = file.lfs->size;
    files.push_back(std::move(file));
  }
  return files;
}

Outcome<std::vector<ListedRepository>> read_list(std::string_view body, std::string_view what) {
  const auto parsed = document(body, json::value_t::array, what);
  if (!parsed) return tl::unexpected(parsed.error());
  std::vector<ListedRepository> repositories;
  for (const json& entry : *parsed) {
    ListedRepository repository{text(entry, "_id", kLongestName), text(entry, "id", kLongestName), text(entry, "sha"),
                                text(entry, "lastModified")};
    if (repository.name.empty()) return malformed(what, "a listed repository without name");
    if (!is_sha(repository.sha)) repository.sha.clear();
    repositories.push_back(std::move(repository));
  }
  return repositories;
}

namespace {

/// Reads digits at `at`; -1 where there are none.
int digits(std::string_view text, std::size_t at, std::size_t length) {
  int value = 0;
  if (at + length > text.size()) return -1;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + length, value);
  return error == std::errc() && end == text.data() + at + length && text[at] != '-' ? value : -1;
}

/// Minutes east of UTC; none where this is no zone.
std::optional<int> read_zone(std::string_view zone) {
  if (zone == "Z" || zone == "z") return 0;
  if (zone.size() < 5 || (zone[0] != '+' && zone[0] != '-')) return {};
  const int hours = digits(zone, 1, 2), minutes = digits(zone, zone[3] == ':' ? 4 : 3, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return {};
  return (zone[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
}

}  // namespace

std::optional<std::chrono::sys_seconds> read_date(std::string_view text) {
  using namespace std::chrono;
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || (text[10] | 32) != 't' || text[13] != ':' || text[16] != ':') return {};
  const year_month_day day{year(digits(text, 0, 4)), month(static_cast<unsigned>(digits(text, 5, 2))),
                           std::chrono::day(static_cast<unsigned>(digits(text, 8, 2)))};
  const int h = digits(text, 11, 2), m = digits(text, 14, 2), s = digits(text, 17, 2);
  if (!day.ok() || digits(text, 0, 4) < 0 || h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 60) return {};
  std::string_view rest = text.substr(19);
  if (rest.starts_with('.')) rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
  const auto zone = read_zone(rest);
  if (!zone) return {};
  return sys_days(day) + hours(h) + minutes(m - *zone) + seconds(s);
}

}  // namespace modelwatch::hub
