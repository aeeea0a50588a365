#include "tests/e2e/scene.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "tests/hub/git/safetensors.h"

namespace modelwatch::e2e {

Scene::Scene(const testhub::Addresses& addresses) : hub_(std::make_unique<testhub::TestHub>(addresses)) {
  static std::atomic<int> scenes{0};
  folder_ = testing::TempDir() + "modelwatch_e2e_" + std::to_string(getpid()) + "_" + std::to_string(scenes++);
  std::filesystem::create_directories(folder_);
  environment = {{"HOME", folder_}, {"HF_ENDPOINT", hub_->url()}, {"MODELWATCH_DB", database()}, {"MODELWATCH_CONFIG", config()}};
  configure("");
}

Scene::~Scene() {
  std::error_code ignored;
  if (!testing::Test::HasFailure()) std::filesystem::remove_all(folder_, ignored);
}

void Scene::configure(const std::string& toml) {
  std::ofstream(config()) << "[http]\nport = 0\n[schedule]\ninterval = \"1s\"\nlongest = \"1s\"\n" << toml;
}

json::Value Scene::Result::json() const {
  auto document = json::read(out);
  EXPECT_TRUE(document) << out << err;
  return document ? std::move(document->value) : json::Value();
}

std::vector<json::Value> Scene::Result::lines() const {
  std::vector<json::Value> all;
  std::istringstream in(out);
  for (std::string line; std::getline(in, line);) {
    auto document = json::read(line);
    EXPECT_TRUE(document) << line;
    if (document) all.push_back(std::move(document->value));
  }
  return all;
}

Scene::Result Scene::run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), MODELWATCH_CLI);
  Process process(std::move(arguments), {environment, {}});
  const int code = process.wait(std::chrono::seconds{120});
  return {code, process.out(), process.err()};
}

std::unique_ptr<Process> Scene::daemon(Process::Options options) {
  for (const auto& variable : environment) options.environment.insert(variable);
  return std::make_unique<Process>(std::vector<std::string>{MODELWATCH_DAEMON}, std::move(options));
}

std::string http_get(std::uint16_t port, const std::string& path) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(send(fd, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  std::string answer;
  char block[65536];
  for (ssize_t count; (count = recv(fd, block, sizeof block, 0)) > 0;) answer.append(block, static_cast<std::size_t>(count));
  close(fd);
  return answer;
}

std::string at(const json::Value& document, const std::string& pointer) {
  const json::Value* value = json::at_pointer(document, pointer);
  if (!value) return "null";
  return value->string() ? *value->string() : json::write(*value);
}

std::string config_with(int kv_heads) {
  return R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","vocab_size":256,"hidden_size":64,"intermediate_size":128,)"
         R"("num_hidden_layers":2,"num_attention_heads":8,"num_key_value_heads":)" +
         std::to_string(kv_heads) + R"(,"max_position_embeddings":512,"rms_norm_eps":1e-05,"tie_word_embeddings":false,)"
         R"("torch_dtype":"bfloat16","bos_token_id":1,"eos_token_id":2})";
}

testhub::Files small_model() {
  return {{"config.json", config_with(8)},
          {"generation_config.json", R"({"bos_token_id":1,"eos_token_id":2,"temperature":0.6})"},
          {"tokenizer_config.json", R"({"tokenizer_class":"LlamaTokenizer","eos_token":"</s>","chat_template":"{% for m in messages %}{{ m['content'] }}{% endfor %}"})"},
          {"README.md", "---\nlicense: mit\n---\n# A small model\n"},
          {"model.safetensors", testhub::safetensors_file({{"model.embed_tokens.weight", "BF16", {256, 64}}, {"lm_head.weight", "BF16", {256, 64}}})}};
}

}  // namespace modelwatch::e2e
