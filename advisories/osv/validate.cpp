#include "advisories/osv/validate.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include "advisories/osv/markdown.h"
#include "advisories/osv/package_name.h"
#include "advisories/osv/purl.h"
#include "advisories/timestamp.h"
#include "estimator/json/utf8.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kLongestSummary = 400, kLongestDetails = 64 * 1024;

using Names = std::initializer_list<std::string_view>;
bool among(std::string_view text, Names names) { return std::find(names.begin(), names.end(), text) != names.end(); }

bool is_web_address(std::string_view url) {
  const std::string_view rest = url.starts_with("https://") ? url.substr(8) : url.starts_with("http://") ? url.substr(7) : "";
  return !rest.empty() && rest.front() != '/' && std::all_of(url.begin(), url.end(), [](char c) {
    return c > 0x20 && c < 0x7F && c != '<' && c != '>' && c != '"' && c != '`' && c != '\\' && c != '{' && c != '}' && c != '|' && c != '^';
  });
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = json::utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Walks one document and notes what it breaks.
class Validator {
 public:
  explicit Validator(std::string_view prefix) : prefix_(prefix) {}

  std::vector<Violation> run(const json::Value& document) {
    if (!document.object()) {
      add("schema", "", "not an object");
      return std::move(violations_);
    }
    closed(document, "", {"schema_version", "id", "modified", "published", "withdrawn", "aliases", "upstream", "related", "summary",
                          "details", "severity", "affected", "references", "credits", "database_specific"});
    text_everywhere(document, "");
    record(document);
    times(document);
    identities(document);
    affected(document);
    references(document);
    credits(document);
    return std::move(violations_);
  }

 private:
  void add(const char* rule, std::string pointer, std::string text) {
    violations_.push_back({rule, std::move(pointer), std::move(text)});
  }

  static std::string child(const std::string& pointer, std::string_view key) { return json::child_pointer(pointer, key); }
  static std::string child(const std::string& pointer, std::size_t index) { return pointer + "/" + std::to_string(index); }

  void closed(const json::Value& object, const std::string& pointer, Names keys) {
    if (!object.object()) return add("schema", pointer, "not an object");
    for (const json::Member& member : *object.object())
      if (!among(member.first, keys)) add("schema", child(pointer, member.first), "no such field");
  }

  /// The text at a key; noted where it is missing though `required`, or no text.
  std::string text(const json::Value& object, const std::string& pointer, const char* key, bool required) {
    const json::Value* value = object.find(key);
    if (!value && required) add("schema", child(pointer, key), "missing");
    if (value && !value->string()) add("schema", child(pointer, key), "not a text");
    return value && value->string() ? *value->string() : std::string();
  }

  const json::Array& items(const json::Value& object, const std::string& pointer, const char* key, bool nullable) {
    static const json::Array none;
    const json::Value* value = object.find(key);
    if (!value || (nullable && value->is_null())) return none;
    if (!value->array()) add("schema", child(pointer, key), "not an array");
    return value->array() ? *value->array() : none;
  }

  void text_everywhere(const json::Value& value, const std::string& pointer) {
    if (const std::string* text = value.string()) {
      if (!is_utf8(*text)) add("feed", pointer, "not UTF-8");
    } else if (const json::Array* array = value.array()) {
      for (std::size_t i = 0; i < array->size(); ++i) text_everywhere((*array)[i], child(pointer, i));
    } else if (const json::Object* object = value.object()) {
      for (const json::Member& member : *object) text_everywhere(member.second, child(pointer, member.first));
    } else if (value.is_real() ? !std::isfinite(*value.real()) : value.is_integer() && !fits_double(value)) {
      add("feed", pointer, "a number that readers through doubles lose: write it as a text");
    }
  }

  static bool fits_double(const json::Value& integer) {
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    const auto value = integer.integer();
    return value && *value <= exact && *value >= -exact;
  }

  void record(const json::Value& document) {
    if (text(document, "", "schema_version", true) != "1.9.0") add("feed", "/schema_version", "not 1.9.0");
    const std::string id = text(document, "", "id", true);
    if (!is_our_id(id)) add("schema", "/id", "not " + std::string(prefix_) + "-<year>-<12 or 16 hex>: " + id);
    const std::string summary = text(document, "", "summary", true);
    if (summary.empty() || summary.size() > kLongestSummary || summary.find('\n') != summary.npos)
      add("feed", "/summary", "not one short line");
    const std::string details = text(document, "", "details", true);
    if (details.size() > kLongestDetails) add("feed", "/details", "too long");
    if (has_raw_html(details)) add("feed", "/details", "raw HTML");
    const json::Value* severity = document.find("severity");
    if (severity && !severity->is_null() && (!severity->array() || !severity->array()->empty()))
      add("schema", "/severity", "an upstream change has no score");
    if (const json::Value* free = document.find("database_specific"); free && !free->object())
      add("schema", "/database_specific", "not an object");
  }

  bool is_our_id(std::string_view id) const {
    if (!id.starts_with(prefix_) || id.size() < prefix_.size() + 6) return false;
    id.remove_prefix(prefix_.size());
    if (id[0] != '-' || id[5] != '-') return false;
    const std::string_view year = id.substr(1, 4), digits = id.substr(6);
    return year.find_first_not_of("0123456789") == year.npos && (digits.size() == 12 || digits.size() == 16) &&
           digits.find_first_not_of("0123456789abcdef") == digits.npos;
  }

  std::optional<Time> time(const json::Value& object, const std::string& pointer, const char* key, bool required) {
    const std::string written = text(object, pointer, key, required);
    const auto read = parse_rfc3339(written);
    if (!written.empty() && (!read || rfc3339(*read) != written))
      add("schema", child(pointer, key), "not a time in whole seconds of UTC: " + written);
    return read;
  }

  void times(const json::Value& document) {
    const auto modified = time(document, "", "modified", true), published = time(document, "", "published", true);
    const auto withdrawn = time(document, "", "withdrawn", false);
    std::optional<Time> significant;
    if (const json::Value* free = document.find("database_specific"))
      significant = time(*free, "/database_specific", "significant_at", true);
    if (!modified) return;
    if (published && *published > *modified) add("feed", "/published", "after modified");
    if (withdrawn && *withdrawn > *modified) add("feed", "/withdrawn", "after modified");
    if (significant && (*significant > *modified || (published && *significant < *published)))
      add("feed", "/database_specific/significant_at", "not between published and modified");
  }

  std::set<std::string> id_list(const json::Value& document, const char* key, const char* rule, const std::string& id) {
    std::set<std::string> seen;
    const json::Array& list = items(document, "", key, std::string_view(key) == "aliases");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string pointer = child(child("", key), i);
      if (!list[i].string()) {
        add("schema", pointer, "not a text");
        continue;
      }
      if (*list[i].string() == id) add(rule, pointer, "the record itself");
      if (!seen.insert(*list[i].string()).second) add(rule, pointer, "twice");
    }
    return seen;
  }

  void identities(const json::Value& document) {
    const json::Value* own = document.find("id");
    const std::string id = own && own->string() ? *own->string() : std::string();
    const auto aliases = id_list(document, "aliases", "REC:002", id);
    const auto upstream = id_list(document, "upstream", "REC:003", id);
    const auto related = id_list(document, "related", "REC:004", id);
    for (const std::string& one : upstream)
      if (aliases.contains(one) || related.contains(one)) add("REC:003", "/upstream", one + " is among aliases or related too");
  }

  void affected(const json::Value& document) {
    const json::Array& entries = items(document, "", "affected", true);
    if (entries.empty() && !document.find("withdrawn")) add("REC:001", "/affected", "empty, and the record is not withdrawn");
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string pointer = child("/affected", i);
      closed(entries[i], pointer, {"package", "ranges", "versions", "database_specific", "ecosystem_specific"});
      const json::Value* package = entries[i].find("package");
      const std::string repo = package ? this->package(*package, child(pointer, "package")) : std::string();
      const std::set<std::string> listed = versions(entries[i], pointer);
      const json::Array& ranges = items(entries[i], pointer, "ranges", false);
      if (ranges.empty()) add("RNG:001", child(pointer, "ranges"), "none");
      for (std::size_t k = 0; k < ranges.size(); ++k) range(ranges[k], child(child(pointer, "ranges"), k), repo, listed);
      for (const char* free : {"database_specific", "ecosystem_specific"})
        if (const json::Value* value = entries[i].find(free); value && !value->object())
          add("schema", child(pointer, free), "not an object");
    }
  }

  /// The package's name, which is the address of its repository.
  std::string package(const json::Value& package, const std::string& pointer) {
    closed(package, pointer, {"ecosystem", "name", "purl"});
    const std::string ecosystem = text(package, pointer, "ecosystem", true), repo = text(package, pointer, "name", true);
    if (!ecosystem.empty() && ecosystem != "GIT") add("PKG:001", child(pointer, "ecosystem"), "not GIT: " + ecosystem);
    if (!repo.empty()) address(repo, child(pointer, "name"));
    const std::string purl = text(package, pointer, "purl", false);
    if (!package.find("purl")) return repo;
    const auto parsed = parse_model_purl(purl);
    if (!parsed)
      add("PKG:003", child(pointer, "purl"), parsed.error().message);
    else if (!parsed->version.empty())
      add("PKG:003", child(pointer, "purl"), "has a version");
    else if (parsed->hub + "/" + parsed->repository != repo)
      add("PKG:003", child(pointer, "purl"), "names another package than " + repo);
    return repo;
  }

  void address(const std::string& repo, const std::string& pointer) {
    if (!is_web_address(repo) || repo.ends_with('/') || repo.ends_with(".git"))
      add("feed", pointer, "not the plain address of a repository: " + repo);
  }

  std::set<std::string> versions(const json::Value& entry, const std::string& pointer) {
    std::set<std::string> listed;
    const json::Array& list = items(entry, pointer, "versions", false);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string* version = list[i].string();
      const std::string place = child(child(pointer, "versions"), i);
      if (!version)
        add("schema", place, "not a text");
      else if (full_commit(*version) != *version)
        add("feed", place, "not a full lower-case commit: " + *version);
      else if (!listed.insert(*version).second)
        add("feed", place, "twice");
    }
    if (list.empty()) add("feed", child(pointer, "versions"), "empty: readers without a clone find nothing");
    return listed;
  }

  void range(const json::Value& range, const std::string& pointer, const std::string& package, const std::set<std::string>& listed) {
    closed(range, pointer, {"type", "repo", "events", "database_specific"});
    const std::string type = text(range, pointer, "type", true), repo = text(range, pointer, "repo", type == "GIT");
    if (!among(type, {"GIT", "SEMVER", "ECOSYSTEM"})) add("schema", child(pointer, "type"), "not a type of range: " + type);
    if (type != "GIT") add("RNG:002", child(pointer, "type"), "only GIT ranges say something of a repository");
    if (!repo.empty()) address(repo, child(pointer, "repo"));
    if (!package.empty() && !repo.empty() && package != repo) add("feed", child(pointer, "repo"), "not the package's");
    if (const json::Value* free = range.find("database_specific"); free && !free->object())
      add("schema", child(pointer, "database_specific"), "not an object");
    events(range, pointer, type == "GIT", listed);
  }

  void events(const json::Value& range, const std::string& pointer, bool git, const std::set<std::string>& listed) {
    std::set<std::string> introduced, ended, kinds;
    const json::Array& list = items(range, pointer, "events", false);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string place = child(child(pointer, "events"), i);
      closed(list[i], place, {"introduced", "fixed", "last_affected", "limit"});
      if (!list[i].object() || list[i].object()->size() != 1) {
        add("schema", place, "not exactly one event");
        continue;
      }
      const json::Member& event = *list[i].object()->begin();
      kinds.insert(event.first);
      const std::string* value = event.second.string();
      if (!value || (git && *value != "0" && full_commit(*value) != *value)) {
        add("schema", place, "not a full lower-case commit");
        continue;
      }
      (event.first == "introduced" ? introduced : ended).insert(*value);
      if (event.first == "introduced" && !listed.empty() && !listed.contains(*value))
        add("feed", place, "introduced, but not among the versions");
      if (event.first == "fixed" && listed.contains(*value)) add("feed", place, "fixed, but among the versions");
    }
    if (introduced.empty()) add("RNG:001", child(pointer, "events"), "nothing introduced");
    for (const std::string& value : introduced)
      if (ended.contains(value)) add("RNG:002", child(pointer, "events"), value + " both introduces and ends");
    if (kinds.contains("fixed") && kinds.contains("last_affected"))
      add("schema", child(pointer, "events"), "fixed and last_affected exclude each other");
  }

  void references(const json::Value& document) {
    const json::Array& list = items(document, "", "references", true);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string pointer = child("/references", i);
      closed(list[i], pointer, {"type", "url"});
      const std::string type = text(list[i], pointer, "type", true), url = text(list[i], pointer, "url", true);
      if (!among(type, {"ADVISORY", "ARTICLE", "DETECTION", "DISCUSSION", "REPORT", "FIX", "INTRODUCED", "GIT", "PACKAGE", "EVIDENCE", "WEB"}))
        add("schema", child(pointer, "type"), "not a type of reference: " + type);
      if (!is_web_address(url)) add("feed", child(pointer, "url"), "not a web address: " + url);
    }
  }

  void credits(const json::Value& document) {
    const json::Array& list = items(document, "", "credits", false);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string pointer = child("/credits", i);
      closed(list[i], pointer, {"name", "contact", "type"});
      text(list[i], pointer, "name", true);
      const std::string type = text(list[i], pointer, "type", false);
      if (!type.empty() && !among(type, {"FINDER", "REPORTER", "ANALYST", "COORDINATOR", "REMEDIATION_DEVELOPER", "REMEDIATION_REVIEWER",
                                         "REMEDIATION_VERIFIER", "TOOL", "SPONSOR", "OTHER"}))
        add("schema", child(pointer, "type"), "not a type of credit: " + type);
    }
  }

  std::string_view prefix_;
  std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> validate(const json::Value& document, std::string_view prefix) { return Validator(prefix).run(document); }

}  // namespace modelwatch::advisories
