#include "samples.h"

#include <cstdio>
#include <limits>

#include "advisories/osv/ledger.h"

namespace modelwatch::advisories::testing {

std::string sha(unsigned number) {
  char text[41];
  std::snprintf(text, sizeof text, "%08x%032x", number * 2654435761u, number);
  return text;
}

Time at(const char* text) { return *parse_rfc3339(text); }

FeedIdentity sample_feed() { return {"x_MODELWATCH", "https://feed.example.org", "CC0-1.0"}; }

namespace {

Advisory base(Part part, unsigned commit) {
  Advisory a;
  a.id = advisory_id("x_MODELWATCH", 2026, kRepository, sha(commit), part);
  a.repository = {"https://huggingface.co", kRepository, "65d0f1e2c3b4a59687f0e1d2"};
  a.part = part;
  a.impact = Impact::behaviour;
  a.from = {sha(commit - 1), "sha256:" + std::string(64, 'a')};
  a.to = {sha(commit), "sha256:" + std::string(64, 'b')};
  a.introduced = sha(commit);
  a.versions = {sha(commit)};
  a.published = a.modified = a.significant_at = at("2026-08-20T09:12:04Z");
  Finding finding;
  finding.rule = "config.eos_token_id.replaced";
  finding.impact = Impact::behaviour;
  finding.path = "config.json";
  finding.pointer = "/eos_token_id";
  finding.before = 128001;
  finding.after = json::Array{128001, 128009};
  finding.meaning = "generation stops at 128009 too";
  a.findings = {finding};
  a.findings_total = 1;
  a.files = {{"config.json", std::nullopt, std::string(64, 'c'), std::string(64, 'd')}};
  a.files_total = 1;
  return a;
}

Advisory closed(Advisory a, const char* by, const std::string& closing_advisory) {
  a.closings = {{sha(9), by, closing_advisory}};
  if (!closing_advisory.empty()) a.related = {closing_advisory};
  a.modified = a.significant_at = at("2026-08-24T16:40:31Z");
  return a;
}

/// Text that would be markup, a terminal's escape or a broken string somewhere.
Advisory hostile() {
  Advisory a = base(Part::tokenizer, 30);
  Finding& finding = a.findings.front();
  finding.path = "a`b``c<script>.json";
  finding.meaning = "token </s><img src=x onerror=alert(1)> ```` [x](javascript:y)\x1b[31m\r\n# heading \xE2\x80\xAE reversed \xFF raw";
  finding.before = std::string("nul \0 byte", 10);
  finding.after = std::numeric_limits<double>::infinity();
  finding.evidence = {{"size", std::int64_t{1} << 60}, {"limit", json::BigInteger{"1000000000000000019884624838656"}},
                      {"nan", std::numeric_limits<double>::quiet_NaN()}, {"exact", std::int64_t{1} << 53}};
  a.files.front().path = finding.path;
  return a;
}

}  // namespace

std::vector<std::pair<std::string, Advisory>> every_shape() {
  std::vector<std::pair<std::string, Advisory>> out;
  const auto add = [&](const char* name, Advisory a) { out.emplace_back(name, std::move(a)); };
  const std::string next = advisory_id("x_MODELWATCH", 2026, kRepository, sha(9), Part::config);

  add("open", base(Part::config, 2));
  add("superseded", closed(base(Part::config, 3), "superseded", next));
  add("superseded_without_advisory", closed(base(Part::config, 4), "superseded", ""));
  add("reverted", closed(base(Part::tokenizer, 5), "reverted", next));
  Advisory removed = closed(base(Part::adapter, 6), "removed", next);
  removed.kind = "added";
  removed.from.state.clear();
  add("added_then_removed", removed);
  Advisory gone = base(Part::code, 7);
  gone.kind = "removed";
  gone.impact = Impact::breaking;
  gone.to.state.clear();
  add("part_removed", gone);
  Advisory revert = base(Part::chat_template, 8);
  revert.reverts = next;
  revert.equals_revision = sha(1);
  revert.files = {{"tokenizer_config.json", "/chat_template", std::string(64, 'c'), ""}};
  add("revert", revert);
  add("withdrawn", withdrawn(base(Part::weights, 10), "false detection: the old file was read truncated", at("2026-08-22T12:00:00Z")));
  Advisory squashed = base(Part::config, 11);
  squashed.reintroduced = {sha(12)};
  squashed.versions.push_back(sha(12));
  squashed.history_rewritten = true;
  add("history_squashed", squashed);
  Advisory back = closed(base(Part::config, 13), "rewritten", "");
  back.closings.front().fixed = false;
  back.history_rewritten = true;
  add("pushed_back", back);
  Advisory two_refs = closed(base(Part::config, 14), "superseded", next);
  two_refs.closings.push_back({sha(15), "reverted", ""});
  add("closed_on_two_refs", two_refs);
  add("renamed", renamed({base(Part::config, 16)}, "new-org/example-chat-7b", at("2026-08-25T00:00:00Z")).front());
  const RepositoryIdentity newcomer{"https://huggingface.co", kRepository, "aaaaaaaaaaaaaaaaaaaaaaaa"};
  add("taken_over", taken_over({newcomer, {sha(17), "", "refs/heads/main", at("2026-08-19T00:00:00Z"), false, ""},
                                "65d0f1e2c3b4a59687f0e1d2", sha(16), at("2026-08-20T09:12:04Z")}, sample_feed()));
  Advisory moved = base(Part::config, 18);
  moved.plan = json::Object{{"before", json::Object{{"kv_per_token", 98304}}},
                            {"after", json::Object{{"derived", std::int64_t{9007199254740993}}}},
                            {"moved", json::Array{"kv_per_token"}}};
  add("plan_moves", moved);
  Advisory elsewhere = base(Part::license, 19);
  elsewhere.repository.hub = "https://hub.example.org:8443";
  elsewhere.repository.hub_id.clear();
  add("another_hub", elsewhere);
  Advisory legacy = base(Part::card, 20);
  legacy.repository.name = "gpt2";
  add("legacy_name", legacy);
  Advisory cut = base(Part::weights, 21);
  cut.files_total = 1234;
  cut.findings_total = 567;
  add("lists_cut", cut);
  add("hostile_text", hostile());
  return out;
}

}  // namespace modelwatch::advisories::testing
