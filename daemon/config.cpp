#include "daemon/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <numeric>
#include <sstream>

namespace modelwatch {

namespace {

using std::chrono::seconds;

/// Writes one value into the configuration; returns why it does not fit, empty where it does.
using Set = std::function<std::string(Config&, const toml::node&)>;

struct Key {
  std::string_view name;  ///< "table.key", or "key" at the top
  Set set;
};

template <class Member>
Set text(Member member) {
  return [member](Config& config, const toml::node& node) -> std::string {
    const auto value = node.value_exact<std::string>();
    if (!value) return "must be a string";
    std::invoke(member, config) = *value;
    return {};
  };
}

Set address(std::string Config::*member) {
  return [member](Config& config, const toml::node& node) -> std::string {
    auto value = node.value_exact<std::string>();
    if (!value || !(value->starts_with("https://") || value->starts_with("http://"))) {
      return "must be an address that starts with https:// or http://";
    }
    while (value->ends_with('/')) value->pop_back();
    config.*member = *value;
    return {};
  };
}

template <class Integer, class Member>
Set number(Member member, std::int64_t low, std::int64_t high) {
  return [member, low, high](Config& config, const toml::node& node) -> std::string {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < low || *value > high) {
      return "must be an integer from " + std::to_string(low) + " to " + std::to_string(high);
    }
    std::invoke(member, config) = static_cast<Integer>(*value);
    return {};
  };
}

/// "45s", "10m", "6h", "1d".
std::optional<seconds> parse_duration(std::string_view given) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), count);
  if (error != std::errc{} || end + 1 != given.data() + given.size() || count < 0 || count > 1'000'000) return {};
  switch (*end) {
    case 's': return seconds{count};
    case 'm': return seconds{count * 60};
    case 'h': return seconds{count * 3600};
    case 'd': return seconds{count * 86400};
    default: return {};
  }
}

template <class Member>
Set duration(Member member, seconds low) {
  return [member, low](Config& config, const toml::node& node) -> std::string {
    const auto value = node.value_exact<std::string>();
    const auto parsed = value ? parse_duration(*value) : std::nullopt;
    if (!parsed || *parsed < low) {
      return "must be a duration such as \"45s\", \"10m\", \"6h\" or \"1d\", at least " + std::to_string(low.count()) + "s";
    }
    std::invoke(member, config) = *parsed;
    return {};
  };
}

Set flag(bool Config::*member) {
  return [member](Config& config, const toml::node& node) -> std::string {
    const auto value = node.value_exact<bool>();
    if (!value) return "must be true or false";
    config.*member = *value;
    return {};
  };
}

std::string set_minimum(Config& config, const toml::node& node) {
  const auto value = node.value_exact<std::string>();
  const auto impact = value ? advisories::impact_named(*value) : std::nullopt;
  if (!impact) return "must be one of security, breaking, behaviour, resource, legal, unknown, cosmetic";
  config.minimum = *impact;
  return {};
}

std::string set_prefix(Config& config, const toml::node& node) {
  const auto value = node.value_exact<std::string>();
  const bool fits = value && value->starts_with("x_") && value->size() > 2 && value->size() <= 40 &&
                    std::all_of(value->begin() + 2, value->end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!fits) return "must be x_ and then letters, digits or _: other prefixes belong to registered databases";
  config.feed.id_prefix = *value;
  return {};
}

std::string set_level(Config& config, const toml::node& node) {
  static constexpr std::array levels = {"debug", "info", "warning", "error"};
  const auto value = node.value_exact<std::string>();
  if (!value || std::find(levels.begin(), levels.end(), *value) == levels.end()) {
    return "must be one of debug, info, warning, error";
  }
  config.log_level = *value;
  return {};
}

std::string set_public_url(Config& config, const toml::node& node) {
  const auto value = node.value_exact<std::string>();
  if (value && value->empty()) return {};
  Config given;
  const std::string why = address(&Config::endpoint)(given, node);
  if (why.empty()) config.feed.public_url = given.endpoint;
  return why;
}

const std::vector<Key>& keys() {
  static const auto pace = [](auto member) { return [member](Config& c) -> auto& { return c.pace.*member; }; };
  static const std::vector<Key> all = {
      {"database", text(&Config::database)},
      {"public_url", set_public_url},
      {"hub.endpoint", address(&Config::endpoint)},
      {"hub.identity", address(&Config::identity)},
      {"hub.connect_timeout", duration(&Config::connect_timeout, seconds{1})},
      {"hub.idle_timeout", duration(&Config::idle_timeout, seconds{1})},
      {"http.enabled", flag(&Config::http)},
      {"http.address", text(&Config::http_address)},
      {"http.port", number<std::uint16_t>(&Config::http_port, 0, 65535)},
      {"schedule.interval", duration(pace(&watch::Pace::interval), seconds{1})},
      {"schedule.longest", duration(pace(&watch::Pace::longest), seconds{1})},
      {"schedule.full_read", duration(&Config::full_read_every, seconds{0})},
      {"schedule.workers", number<int>(&Config::workers, 1, 8)},
      {"gone.misses", number<int>(&Config::misses_until_gone, 1, 1000)},
      {"gone.after", duration(&Config::gone_after, seconds{0})},
      {"advisory.minimum", set_minimum},
      {"advisory.prefix", set_prefix},
      {"advisory.license", text([](Config& c) -> std::string& { return c.feed.license; })},
      {"log.level", set_level},
  };
  return all;
}

constexpr std::array<std::string_view, 3> kRepositoryKeys = {"name", "ref", "history"};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

template <class Names>
std::string nearest(std::string_view wrong, const Names& names) {
  const auto better = [&](const auto& a, const auto& b) { return edit_distance(wrong, a) < edit_distance(wrong, b); };
  return std::string(*std::min_element(names.begin(), names.end(), better));
}

std::vector<std::string> table_names() {
  std::vector<std::string> names = {"repo"};
  for (const Key& key : keys()) names.emplace_back(key.name.substr(0, key.name.find('.')));
  return names;
}

tl::unexpected<Error> wrong(const std::string& file, const toml::source_region& where, const std::string& what,
                            std::string hint = {}) {
  return fail(ErrorKind::bad_input, file + ":" + std::to_string(where.begin.line) + ": " + what, std::move(hint));
}

Result<void> read_table(Config& config, const toml::table& table, const std::string& prefix, const std::string& file) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (name == "repo") continue;
    const auto& all = keys();
    const auto known = std::find_if(all.begin(), all.end(), [&](const Key& k) { return k.name == name; });
    if (known != all.end()) {
      const std::string why = known->set(config, node);
      if (!why.empty()) return wrong(file, node.source(), name + " " + why);
      continue;
    }
    const bool is_table = std::any_of(all.begin(), all.end(), [&](const Key& k) { return k.name.starts_with(name + "."); });
    if (is_table && node.is_table()) {
      if (auto read = read_table(config, *node.as_table(), name + ".", file); !read) return read;
      continue;
    }
    if (is_table) return wrong(file, node.source(), name + " must be a table", "[" + name + "]");
    const bool is_value = !node.is_table() && !node.is_array();
    return wrong(file, key.source(), "unknown key " + name,
                 "did you mean " + nearest(name, is_value ? config_keys() : table_names()) + "?");
  }
  return {};
}

Result<Config::Repository> read_repository(const toml::table& table, const std::string& file) {
  Config::Repository repository;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::find(kRepositoryKeys.begin(), kRepositoryKeys.end(), name) == kRepositoryKeys.end()) {
      return wrong(file, key.source(), "unknown key repo." + name, "did you mean " + nearest(name, kRepositoryKeys) + "?");
    }
    const auto value = node.value_exact<std::string>();
    const auto count = node.value_exact<std::int64_t>();
    if (name == "history") {
      const auto history = parse_history(value ? *value : count ? std::to_string(*count) : "");
      if (!history) return wrong(file, node.source(), "repo.history must be \"full\", \"none\" or a number of revisions");
      repository.history = *history;
    } else if (!value || value->empty()) {
      return wrong(file, node.source(), "repo." + name + " must be a string");
    } else {
      (name == "name" ? repository.name : repository.ref) = *value;
    }
  }
  if (!is_repository_name(repository.name)) {
    return wrong(file, table.source(), "repo.name must be org/name as on the Hub", "name = \"org/name\"");
  }
  return repository;
}

Result<void> read_repositories(Config& config, const toml::node* node, const std::string& file) {
  if (!node) return {};
  const auto* array = node->as_array();
  if (!array) return wrong(file, node->source(), "repo must be an array of tables", "[[repo]]");
  for (const toml::node& entry : *array) {
    if (!entry.is_table()) return wrong(file, entry.source(), "repo must be an array of tables", "[[repo]]");
    auto repository = read_repository(*entry.as_table(), file);
    if (!repository) return tl::unexpected(repository.error());
    config.repositories.push_back(std::move(*repository));
  }
  return {};
}

}  // namespace

std::vector<std::string> config_keys() {
  std::vector<std::string> names;
  for (const Key& key : keys()) names.emplace_back(key.name);
  return names;
}

Result<storage::History> parse_history(std::string_view given) {
  if (given == "full") return storage::History{std::nullopt};
  if (given == "none") return storage::History{0};
  int revisions = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), revisions);
  if (given.empty() || error != std::errc{} || end != given.data() + given.size() || revisions < 0) {
    return fail(ErrorKind::usage, "history is full, none or a number of older revisions, not \"" + std::string(given) + "\"",
                "--history full, --history none or --history 20");
  }
  return storage::History{revisions};
}

std::string to_string(const storage::History& history) {
  if (!history.revisions) return "full";
  return *history.revisions == 0 ? "none" : std::to_string(*history.revisions);
}

bool is_repository_name(std::string_view name) {
  const auto good = [](std::string_view segment) {
    return !segment.empty() && segment.size() <= 96 && segment.front() != '.' && segment.front() != '-' &&
           segment.back() != '.' && segment.back() != '-' && segment.find("..") == std::string_view::npos &&
           std::all_of(segment.begin(), segment.end(),
                       [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '-' || c == '_'; });
  };
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return good(name);
  return good(name.substr(0, slash)) && good(name.substr(slash + 1));
}

Result<Config> parse_config(std::string_view text_of_file, const std::string& file) {
  toml::table root;
  try {
    root = toml::parse(text_of_file, file);
  } catch (const toml::parse_error& error) {
    return wrong(file, error.source(), std::string(error.description()));
  }
  Config config;
  config.file = file;
  if (auto read = read_table(config, root, "", file); !read) return tl::unexpected(read.error());
  if (auto read = read_repositories(config, root.get("repo"), file); !read) return tl::unexpected(read.error());
  if (config.pace.longest < config.pace.interval) config.pace.longest = config.pace.interval;
  return config;
}

}  // namespace modelwatch
