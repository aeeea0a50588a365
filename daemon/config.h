#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/osv/advisory.h"
#include "daemon/hub/client.h"
#include "daemon/hub/environment.h"
#include "daemon/watch/check_repo.h"
#include "daemon/watch/schedule.h"
#include "estimator/error.h"
#include "storage/records.h"

namespace modelwatch {

/// What the daemon does and where; the CLI reads the same file, so that both write the same advisories. Each member
/// is a key of systemd/modelwatch.example.toml, which says what it means; the defaults are here.
struct Config {
  std::string file;  ///< what was read; empty where there is none

  std::string endpoint = "https://huggingface.co";  ///< hub.endpoint; HF_ENDPOINT wins
  std::string identity = "https://huggingface.co";  ///< hub.identity
  std::chrono::milliseconds connect_timeout{10'000}, idle_timeout{10'000};
  std::string token;                                ///< never a key: environment, token file or systemd credential
  bool offline = false;                             ///< HF_HUB_OFFLINE
  std::string user_agent;                           ///< never a key: HF_HUB_USER_AGENT_ORIGIN; empty: name and version

  std::string database;                             ///< empty: found as `find_database` says
  bool http = true;
  std::string http_address = "127.0.0.1";
  std::uint16_t http_port = 8917;

  watch::Pace pace;
  int workers = 4;
  std::chrono::seconds full_read_every{6 * 3600};
  int misses_until_gone = 3;
  std::chrono::seconds gone_after{24 * 3600};

  advisories::FeedIdentity feed;                    ///< public_url, advisory.prefix, advisory.license
  advisories::Impact minimum = advisories::Impact::legal;
  std::string log_level = "info";

  struct Repository {
    std::string name, ref = "main";
    storage::History history;
  };
  std::vector<Repository> repositories;             ///< [[repo]]: ensured at start and on SIGHUP
};

using hub::Environment;
Environment process_environment();

/// The text of a configuration file. A key that is not one, or a value that does not fit, is an error that names file,
/// line, key, and the nearest right name.
Result<Config> parse_config(std::string_view toml, const std::string& file);
/// `file`, or where empty MODELWATCH_CONFIG, /etc/modelwatch/modelwatch.toml, the user's configuration directory; then
/// what the environment says on top. No file at all is no error unless one was named.
Result<Config> load_config(const std::string& file, const Environment& environment);
/// Every key as "table.key", for the test that holds the example file.
std::vector<std::string> config_keys();

/// "full", "none" or a number of older revisions.
Result<storage::History> parse_history(std::string_view text);
std::string to_string(const storage::History& history);
/// "org/name", or a legacy single segment, as the Hub allows it.
bool is_repository_name(std::string_view name);

/// `given` (--db), else MODELWATCH_DB, the configured file, systemd's state directory, the service's file where it is
/// there and can be written, else modelwatch/modelwatch.db in the user's state directory.
std::string find_database(const std::string& given, const Config& config, const Environment& environment);

hub::ClientOptions client_options(const Config& config);
watch::CheckOptions check_options(const Config& config);

}  // namespace modelwatch
