#include "daemon/hub/environment.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace modelwatch::hub {
namespace {

namespace fs = std::filesystem;

struct HubEnvironment : testing::Test {
  fs::path folder = fs::path(testing::TempDir()) / ("hub_environment_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::map<std::string, std::string> variables;

  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  Result<ClientOptions> read() const {
    return with_environment({}, [this](const char* name) -> std::optional<std::string> {
      const auto at = variables.find(name);
      return at == variables.end() || at->second.empty() ? std::nullopt : std::optional(at->second);
    });
  }
};

TEST_F(HubEnvironment, NothingSetChangesNothing) {
  const auto options = read();
  EXPECT_EQ(options->endpoint, "https://huggingface.co");
  EXPECT_EQ(options->token, "");
  EXPECT_FALSE(options->offline);
  EXPECT_EQ(options->user_agent, "modelwatch");
}

TEST_F(HubEnvironment, TheEndpoint) {
  variables["HF_ENDPOINT"] = "https://mirror.example//";
  EXPECT_EQ(read()->endpoint, "https://mirror.example");
  for (const char* wrong : {"mirror.example", "ftp://x", "https://ann:pw@mirror.example"}) {
    variables["HF_ENDPOINT"] = wrong;
    ASSERT_FALSE(read()) << wrong;
    EXPECT_TRUE(read().error().message.starts_with("HF_ENDPOINT")) << read().error().message;
  }
}

TEST_F(HubEnvironment, OfflineAsTheEcosystemWritesTruth) {
  for (const char* yes : {"1", "ON", "yes", "True"}) {
    variables = {{"HF_HUB_OFFLINE", yes}};
    EXPECT_TRUE(read()->offline) << yes;
    variables = {{"TRANSFORMERS_OFFLINE", yes}};
    EXPECT_TRUE(read()->offline) << yes;
  }
  for (const char* no : {"0", "off", "no", "false", "2", ""}) {
    variables = {{"HF_HUB_OFFLINE", no}};
    EXPECT_FALSE(read()->offline) << no;
  }
}

TEST_F(HubEnvironment, TheTokenByPrecedence) {
  variables["HOME"] = folder.string();
  write(".cache/huggingface/token", "hf_home\n");
  EXPECT_EQ(read()->token, "hf_home");
  variables["XDG_CACHE_HOME"] = (folder / "xdg").string();
  write("xdg/huggingface/token", "hf_xdg");
  EXPECT_EQ(read()->token, "hf_xdg");
  variables["HF_HOME"] = "~/hf";
  write("hf/token", "  hf_hfhome \r\n");
  EXPECT_EQ(read()->token, "hf_hfhome");
  variables["HF_TOKEN_PATH"] = write("named", "hf_named");
  EXPECT_EQ(read()->token, "hf_named");
  variables["HUGGING_FACE_HUB_TOKEN"] = "hf_old";
  EXPECT_EQ(read()->token, "hf_old");
  variables["HF_TOKEN"] = "hf_new\n";
  EXPECT_EQ(read()->token, "hf_new");
  variables["HF_HUB_DISABLE_IMPLICIT_TOKEN"] = "1";
  EXPECT_EQ(read()->token, "");
  variables["CREDENTIALS_DIRECTORY"] = folder.string();
  write("hf-token", "hf_service");
  EXPECT_EQ(read()->token, "hf_service") << "given to us in particular";
}

TEST_F(HubEnvironment, WhatIsNoTokenIsNone) {
  variables["HF_TOKEN"] = " \n";
  EXPECT_EQ(read()->token, "");
  variables["HF_TOKEN_PATH"] = write("huge", std::string(10'000, 'x'));
  EXPECT_EQ(read()->token, "");
  variables["HF_TOKEN_PATH"] = folder.string();  // a folder
  EXPECT_EQ(read()->token, "");
}

TEST_F(HubEnvironment, TimeOutsAndOrigin) {
  using namespace std::chrono_literals;
  variables = {{"HF_HUB_ETAG_TIMEOUT", "3"}, {"HF_HUB_DOWNLOAD_TIMEOUT", "45"}, {"HF_HUB_USER_AGENT_ORIGIN", "lab\r\nx: y"}};
  EXPECT_EQ(read()->connect_timeout, 3s);
  EXPECT_EQ(read()->idle_timeout, 45s);
  EXPECT_EQ(read()->user_agent, "modelwatch; origin/labx:y");
  variables = {{"HF_HUB_ETAG_TIMEOUT", "-3"}, {"HF_HUB_DOWNLOAD_TIMEOUT", "soon"}};
  EXPECT_EQ(read()->connect_timeout, 10s);
  EXPECT_EQ(read()->idle_timeout, 10s);
}

}  // namespace
}  // namespace modelwatch::hub
