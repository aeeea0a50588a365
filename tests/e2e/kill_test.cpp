#include <gmock/gmock.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "estimator/json/writer.h"
#include "tests/e2e/dump.h"
#include "tests/e2e/scene.h"
#include "tests/hub/git/safetensors.h"

namespace modelwatch::e2e {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr int kRepositories = 5, kPushes = 9;

std::string name_of(int i) { return "acme/busy-" + std::to_string(i); }

/// What happens upstream: the same every time it is played. Configurations that move the plan, templates that come and go
/// back, weights replaced at equal size, files that stop parsing.
testhub::Push push_of(int repository, int i) {
  testhub::Files files;
  switch ((repository + i) % 6) {
    case 0: files = {{"config.json", config_with(1 << (i % 4))}}; break;
    case 1: files = {{"generation_config.json", R"({"eos_token_id":[2,)" + std::to_string(100 + i) + "]}"}}; break;
    case 2: files = {{"chat_template.jinja", i % 4 < 2 ? "{{ messages }}" : "{{ bos_token }}{{ messages }}"}}; break;
    case 3: files = {{"model.safetensors", testhub::safetensors_file({{"w", "BF16", {64, 64}}}, static_cast<std::uint64_t>(i))}}; break;
    case 4: files = {{"config.json", "{\"model_type\": \"llama\",}"}, {"notes.txt", std::to_string(i)}}; break;
    case 5: files = {{"modeling_x.py", "x = " + std::to_string(i) + "\n"}, {"README.md", "---\nlicense: mit\n---\n" + std::to_string(i)}}; break;
  }
  return {.files = std::move(files), .title = "Push " + std::to_string(i), .date = std::chrono::sys_seconds{seconds{1'780'000'000 + 60 * i}}};
}

/// The repositories with so many pushes each, on a Hub that does not count requests.
void play_upstream(Scene& scene, int pushes) {
  for (const testhub::Bucket bucket : {testhub::Bucket::api, testhub::Bucket::resolvers})
    scene.hub()->quotas.set_limit(testhub::Plan::anonymous, bucket, 1'000'000'000);
  for (int r = 0; r < kRepositories; ++r) {
    scene.hub()->create(name_of(r), {.files = small_model(), .date = std::chrono::sys_seconds{seconds{1'779'000'000}},
                                     .id = std::string(22, 'b') + "0" + std::to_string(r)});
    for (int i = 0; i < pushes; ++i) scene.hub()->push(name_of(r), push_of(r, i));
  }
}

void track_all(Scene& scene) {
  for (int r = 0; r < kRepositories; ++r) ASSERT_EQ(scene.run({"repo", "add", name_of(r), "--history", "full"}).code, 0);
}

/// The daemon until every repository's history is stored.
void finish(Scene& scene) {
  const auto daemon = scene.daemon();
  for (int r = 0; r < kRepositories; ++r) {
    const std::string head = scene.hub()->repository(name_of(r)).head()->id;
    while (true) {
      const json::Value listed = scene.run({"repo", "list", "--json"}).json();
      bool there = false;
      for (const json::Value& row : *listed.find("repositories")->array())
        there |= at(row, "/id") == name_of(r) && at(row, "/head") == head;
      if (there) break;
      ASSERT_NE(daemon->wait_for({name_of(r)}, seconds{60}), "") << daemon->err();
    }
  }
  daemon->signal(SIGTERM);
  ASSERT_EQ(daemon->wait(), 0) << daemon->err();
}

// Killed at random moments while upstream goes on, the daemon leaves exactly the rows of an undisturbed run, columns of our
// own clock aside.
TEST(Kill, NothingIsLostAndNothingTwice) {
  const int kills = std::getenv("MODELWATCH_LONG") ? 100 : 10;
  Scene calm, killed;
  play_upstream(calm, kPushes + kills / kRepositories);
  play_upstream(killed, kPushes);
  track_all(calm);
  track_all(killed);
  ASSERT_NO_FATAL_FAILURE(finish(calm));

  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < kills; ++i) {
    const auto daemon = killed.daemon();
    const std::uint64_t mark = killed.log().last();
    killed.hub()->push(name_of(i % kRepositories), push_of(i % kRepositories, kPushes + i / kRepositories));
    // A push costs about a dozen requests, the first reading of everything some hundreds.
    const std::size_t more = std::uniform_int_distribution<std::size_t>(1, i < kills / 2 ? 40 : 12)(random);
    killed.log().wait_for({.after = mark}, more, std::chrono::milliseconds{1500});
    std::this_thread::sleep_for(microseconds(std::uniform_int_distribution<int>(0, 20'000)(random)));  // the random moment itself
    daemon->signal(SIGKILL);
    ASSERT_EQ(daemon->wait(), 128 + SIGKILL) << daemon->err();
  }
  ASSERT_NO_FATAL_FAILURE(finish(killed));
  const std::string expected = dump(calm.database());
  EXPECT_THAT(expected, testing::AllOf(testing::HasSubstr("\nadvisory | "), testing::HasSubstr("\nchange | ")));
  EXPECT_EQ(difference(dump(killed.database()), expected), "");
  EXPECT_EQ(integrity(killed.database()), "ok");
}

}  // namespace
}  // namespace modelwatch::e2e
