#include "daemon/config.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

namespace modelwatch {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using std::chrono::seconds;

Environment variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto at = values.find(name);
    return at == values.end() ? std::nullopt : std::optional(at->second);
  };
}

class TempFolder {
 public:
  TempFolder() : path_(testing::TempDir() + "config_test_" + std::to_string(::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ + "/" + name) << bytes;
    return path_ + "/" + name;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Config, ReadsEveryKind) {
  const auto config = parse_config(R"(
database = "/srv/watch.db"
public_url = "https://watch.example/"
[hub]
endpoint = "http://127.0.0.1:4000/"
idle_timeout = "3s"
[http]
enabled = false
port = 0
[schedule]
interval = "2m"
longest = "1d"
workers = 2
[advisory]
minimum = "resource"
[[repo]]
name = "org/first"
[[repo]]
name = "org/second"
ref = "v1.5"
history = "full"
[[repo]]
name = "gpt2"
history = 7
)", "m.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->database, "/srv/watch.db");
  EXPECT_EQ(config->feed.public_url, "https://watch.example");
  EXPECT_EQ(config->endpoint, "http://127.0.0.1:4000");
  EXPECT_EQ(config->identity, "https://huggingface.co") << "what advisories say is not where we fetch";
  EXPECT_EQ(config->idle_timeout, seconds{3});
  EXPECT_FALSE(config->http);
  EXPECT_EQ(config->http_port, 0);
  EXPECT_EQ(config->pace.interval, seconds{120});
  EXPECT_EQ(config->pace.longest, seconds{86400});
  EXPECT_EQ(config->workers, 2);
  EXPECT_EQ(config->minimum, advisories::Impact::resource);
  ASSERT_EQ(config->repositories.size(), 3U);
  EXPECT_EQ(config->repositories[0].history.revisions, 20);
  EXPECT_EQ(config->repositories[1].ref, "v1.5");
  EXPECT_EQ(config->repositories[1].history.revisions, std::nullopt);
  EXPECT_EQ(config->repositories[2].history.revisions, 7);
}

struct Bad {
  const char* name;
  const char* toml;
  const char* message;
  const char* hint;
};

class BadConfig : public testing::TestWithParam<Bad> {};

TEST_P(BadConfig, IsNamedWithItsLine) {
  const auto config = parse_config(GetParam().toml, "m.toml");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(config.error().message, HasSubstr(GetParam().message));
  EXPECT_EQ(config.error().hint, GetParam().hint);
}

INSTANTIATE_TEST_SUITE_P(
    Config, BadConfig,
    testing::Values(
        Bad{"key", "[hub]\n\nendpont = \"https://a\"\n", "m.toml:3: unknown key hub.endpont", "did you mean hub.endpoint?"},
        Bad{"top", "databse = \"x\"\n", "m.toml:1: unknown key databse", "did you mean database?"},
        Bad{"table", "[schedul]\ninterval = \"1m\"\n", "m.toml:1: unknown key schedul", "did you mean schedule?"},
        Bad{"array", "[[reop]]\nname = \"a/b\"\n", "m.toml:1: unknown key reop", "did you mean repo?"},
        Bad{"kind", "[http]\nport = \"8917\"\n", "m.toml:2: http.port must be an integer from 0 to 65535", ""},
        Bad{"range", "[http]\nport = 70000\n", "m.toml:2: http.port must be an integer from 0 to 65535", ""},
        Bad{"duration", "[schedule]\ninterval = \"10 minutes\"\n", "m.toml:2: schedule.interval must be a duration", ""},
        Bad{"zero", "[schedule]\ninterval = \"0s\"\n", "at least 1s", ""},
        Bad{"impact", "[advisory]\nminimum = \"high\"\n", "m.toml:2: advisory.minimum must be one of security", ""},
        Bad{"prefix", "[advisory]\nprefix = \"CVE\"\n", "m.toml:2: advisory.prefix must be x_", ""},
        Bad{"scheme", "[hub]\nendpoint = \"huggingface.co\"\n", "m.toml:2: hub.endpoint must be an address", ""},
        Bad{"scalar", "hub = 1\n", "m.toml:1: hub must be a table", "[hub]"},
        Bad{"syntax", "[hub]\nendpoint = \n", "m.toml:2:", ""},
        Bad{"repo_key", "[[repo]]\nname = \"a/b\"\nhistry = 3\n", "m.toml:3: unknown key repo.histry", "did you mean history?"},
        Bad{"repo_name", "\n[[repo]]\nname = \"a/b/c\"\n", "m.toml:2: repo.name must be org/name", "name = \"org/name\""},
        Bad{"repo_history", "[[repo]]\nname = \"a/b\"\nhistory = -1\n", "m.toml:3: repo.history must be", ""},
        Bad{"repo_kind", "[repo]\nname = \"a/b\"\n", "repo must be an array of tables", "[[repo]]"}),
    [](const auto& test) { return test.param.name; });

// The shipped file names every key, and what it shows are the defaults.
TEST(Config, TheExampleShowsEveryDefault) {
  std::ifstream in(MODELWATCH_SOURCE_DIR "/systemd/modelwatch.example.toml");
  std::stringstream example;
  example << in.rdbuf();
  std::string active, table;
  std::vector<std::string> shown;
  const std::regex key(R"(#([a-z_]+) = .*)"), head(R"(#?\[+([a-z]+)\]+)");
  std::smatch found;
  for (std::string line; std::getline(example, line);) {
    if (std::regex_match(line, found, head)) table = found[1];
    if (std::regex_match(line, found, key)) shown.push_back((table.empty() ? "" : table + ".") + found[1].str());
    active += std::regex_match(line, key) || std::regex_match(line, head) ? line.substr(line[0] == '#') + "\n" : line + "\n";
  }
  std::vector<std::string> expected = config_keys();
  for (const char* name : {"repo.name", "repo.ref", "repo.history"}) expected.emplace_back(name);
  EXPECT_THAT(shown, testing::UnorderedElementsAreArray(expected));

  const auto config = parse_config(active, "example");
  ASSERT_TRUE(config) << config.error().message;
  const Config defaults;
  EXPECT_EQ(config->endpoint, defaults.endpoint);
  EXPECT_EQ(config->identity, defaults.identity);
  EXPECT_EQ(config->connect_timeout, defaults.connect_timeout);
  EXPECT_EQ(config->idle_timeout, defaults.idle_timeout);
  EXPECT_EQ(config->database, defaults.database);
  EXPECT_EQ(config->http, defaults.http);
  EXPECT_EQ(config->http_address, defaults.http_address);
  EXPECT_EQ(config->http_port, defaults.http_port);
  EXPECT_EQ(config->pace.interval, defaults.pace.interval);
  EXPECT_EQ(config->pace.longest, defaults.pace.longest);
  EXPECT_EQ(config->workers, defaults.workers);
  EXPECT_EQ(config->full_read_every, defaults.full_read_every);
  EXPECT_EQ(config->misses_until_gone, defaults.misses_until_gone);
  EXPECT_EQ(config->gone_after, defaults.gone_after);
  EXPECT_EQ(config->minimum, defaults.minimum);
  EXPECT_EQ(config->feed.id_prefix, defaults.feed.id_prefix);
  EXPECT_EQ(config->feed.license, defaults.feed.license);
  EXPECT_EQ(config->feed.public_url, defaults.feed.public_url);
  EXPECT_EQ(config->log_level, defaults.log_level);
  ASSERT_EQ(config->repositories.size(), 1U);
  EXPECT_EQ(config->repositories[0].ref, Config::Repository{}.ref);
  EXPECT_EQ(config->repositories[0].history.revisions, storage::History{}.revisions);
}

TEST(Config, TheEnvironmentSpeaksAsTheEcosystemDoes) {
  const TempFolder folder;
  const std::string file = folder.write("m.toml", "[hub]\nendpoint = \"https://mirror.example\"\n");
  auto config = load_config(file, variables({}));
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->endpoint, "https://mirror.example");
  EXPECT_THAT(config->token, IsEmpty());
  EXPECT_FALSE(config->offline);

  config = load_config("", variables({{"MODELWATCH_CONFIG", file}, {"HF_ENDPOINT", "http://localhost:1/"}, {"HF_HUB_OFFLINE", "yes"}}));
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->file, file);
  EXPECT_EQ(config->endpoint, "http://localhost:1");
  EXPECT_TRUE(config->offline);

  EXPECT_FALSE(load_config(folder.path() + "/missing.toml", variables({})));
  EXPECT_FALSE(load_config(file, variables({{"HF_ENDPOINT", "ftp://x"}})));
}

TEST(Config, FindsTheTokenWhereItIsKept) {
  const TempFolder folder;
  const std::string config = folder.write("m.toml", "");
  folder.write("hf-token", "hf_credential\n");
  folder.write("token", "hf_file\r\n");
  const auto token = [&](std::map<std::string, std::string> values) { return load_config(config, variables(std::move(values)))->token; };
  EXPECT_EQ(token({{"HF_TOKEN", " hf_a\n"}}), "hf_a");
  EXPECT_EQ(token({{"HUGGING_FACE_HUB_TOKEN", "hf_b"}}), "hf_b");
  EXPECT_EQ(token({{"HF_HOME", folder.path()}}), "hf_file");
  EXPECT_EQ(token({{"HF_TOKEN_PATH", folder.path() + "/token"}, {"HF_HOME", "/nowhere"}}), "hf_file");
  EXPECT_EQ(token({{"CREDENTIALS_DIRECTORY", folder.path()}, {"HF_TOKEN", "hf_a"}}), "hf_credential");
  EXPECT_EQ(token({{"HF_HUB_DISABLE_IMPLICIT_TOKEN", "1"}, {"HF_TOKEN", "hf_a"}}), "");
}

TEST(Config, FindsTheDatabase) {
  Config config;
  const auto environment = variables({{"HOME", "/home/ada"}, {"STATE_DIRECTORY", "/var/lib/x"}, {"MODELWATCH_DB", "/env.db"}});
  EXPECT_EQ(find_database("/given.db", config, environment), "/given.db");
  EXPECT_EQ(find_database("", config, environment), "/env.db");
  EXPECT_EQ(find_database("", config, variables({{"HOME", "/home/ada"}, {"STATE_DIRECTORY", "/var/lib/x"}})), "/var/lib/x/modelwatch.db");
  EXPECT_EQ(find_database("", config, variables({{"XDG_STATE_HOME", "/s"}, {"HOME", "/home/ada"}})), "/s/modelwatch/modelwatch.db");
  EXPECT_EQ(find_database("", config, variables({{"HOME", "/home/ada"}})), "/home/ada/.local/state/modelwatch/modelwatch.db");
  config.database = "/configured.db";
  EXPECT_EQ(find_database("", config, variables({{"STATE_DIRECTORY", "/var/lib/x"}})), "/configured.db");
}

TEST(Config, RepositoryNames) {
  for (const char* good : {"org/name", "gpt2", "a-b/c.d_e-1", "01-ai/Yi-1.5"}) EXPECT_TRUE(is_repository_name(good)) << good;
  for (const char* bad : {"", "/", "org/", "/name", "a/b/c", "a b/c", "../c", "a/..", "a/b@main", "-a/b", "a/b."}) {
    EXPECT_FALSE(is_repository_name(bad)) << bad;
  }
}

}  // namespace
}  // namespace modelwatch
