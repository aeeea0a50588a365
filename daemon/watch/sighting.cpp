#include "daemon/watch/sighting.h"

#include <algorithm>
#include <string_view>

namespace modelwatch::watch {

namespace {

using advisories::Impact;
using storage::RepositoryEvent;
using storage::Time;
using storage::Tracked;

struct Entering {
  std::string_view access, kind;
  Impact impact;
  std::string_view meaning;
};
constexpr Entering kEntering[] = {
    {"gated", "gated", Impact::legal, "Access now needs an account and the owner's conditions accepted"},
    {"private", "private", Impact::breaking, "The repository is now private: others cannot read it"},
    {"disabled", "disabled", Impact::breaking, "The Hub has disabled the repository: its files cannot be read"},
    {"gone", "gone", Impact::breaking, "The repository is deleted, or private to others: the Hub no longer finds it"},
};
constexpr Entering kLeaving[] = {
    {"gated", "ungated", Impact::legal, "Access no longer needs an account or conditions accepted"},
    {"private", "public", Impact::cosmetic, "The repository is public again"},
    {"disabled", "enabled", Impact::cosmetic, "The repository is enabled again"},
    {"gone", "back", Impact::cosmetic, "The repository is found again"},
};

/// The event of going from one access to another; the graver side speaks.
std::optional<RepositoryEvent> access_event(const std::string& before, const std::string& after, Time now) {
  if (before == after) return {};
  json::Object detail = {{"before", before}, {"after", after}};
  const auto find = [](const auto& table, const std::string& access) {
    const auto at = std::find_if(std::begin(table), std::end(table), [&](const Entering& e) { return e.access == access; });
    return at == std::end(table) ? nullptr : &*at;
  };
  const Entering* event = find(kEntering, after);
  if (!event) event = find(kLeaving, before);
  if (!event) return {};
  return RepositoryEvent{std::string(event->kind), now, std::move(detail), event->impact, std::string(event->meaning)};
}

Sighting enter(Tracked tracked, const std::string& access, Time now) {
  Sighting sighting{std::move(tracked), {}};
  if (auto event = access_event(sighting.tracked.access, access, now)) sighting.events.push_back(std::move(*event));
  sighting.tracked.access = access;
  return sighting;
}

std::string text_fact(const json::Object& facts, std::string_view key) {
  const json::Value* value = facts.find(key);
  return value && value->string() ? *value->string() : std::string();
}

/// Gated automatically or by hand: both need an account, so the access stays "gated".
void compare_gate(Sighting& sighting, const hub::RepositoryInfo& info, Time now) {
  const std::string before = text_fact(sighting.tracked.facts, "gated");
  if (before.empty() || info.gated.empty() || before == info.gated) return;
  sighting.events.push_back({"gated", now, {{"before", before}, {"after", info.gated}}, Impact::legal,
                             "Access is now granted " + std::string(info.gated == "auto" ? "automatically" : "by hand")});
}

/// The licence is written in the card, so a commit usually carries its change; this is for when none did.
void compare_license(Sighting& sighting, const hub::RepositoryInfo& info, Time now) {
  const json::Object& facts = sighting.tracked.facts;
  const std::string before = text_fact(facts, "license");
  if (text_fact(facts, "sha") != info.sha || before == info.license) return;
  sighting.events.push_back({"license-changed", now, {{"before", before}, {"after", info.license}}, Impact::legal,
                             "The licence the Hub shows changed without a commit: " + (before.empty() ? "none" : before) +
                                 " → " + (info.license.empty() ? "none" : info.license)});
}

void compare_tags(Sighting& sighting, const json::Object& before, const json::Object& after, Time now) {
  const auto is_tag = [](const std::string& ref) { return ref.starts_with("refs/tags/"); };
  for (const auto& [ref, sha] : before) {
    if (!is_tag(ref)) continue;
    const json::Value* moved_to = after.find(ref);
    const std::string name = ref.substr(std::string_view("refs/tags/").size());
    if (!moved_to) {
      sighting.events.push_back({"tag-removed", now, {{"tag", name}, {"sha", sha}}, Impact::breaking,
                                 "Tag " + name + " was removed: pins at it no longer resolve"});
    } else if (!(*moved_to == sha)) {
      sighting.events.push_back({"tag-moved", now, {{"tag", name}, {"before", sha}, {"after", *moved_to}}, Impact::unknown,
                                 "Tag " + name + " moved to another commit: pins at it now load other files"});
    }
  }
  for (const auto& [ref, sha] : after) {
    if (!is_tag(ref) || before.find(ref)) continue;
    const std::string name = ref.substr(std::string_view("refs/tags/").size());
    sighting.events.push_back({"tag-added", now, {{"tag", name}, {"sha", sha}}, Impact::cosmetic, "Tag " + name + " was added"});
  }
}

constexpr std::size_t kMostTags = 500, kMostRefs = 2000;  // kept as facts; upstream's lists have no bound of their own

json::Object refs_as_facts(const std::vector<hub::Ref>& refs) {
  json::Object facts;
  for (const hub::Ref& ref : refs) {
    if (facts.size() == kMostRefs) break;
    facts.append(ref.ref, ref.sha);
  }
  return facts;
}

json::Array tags_as_facts(const std::vector<std::string>& tags) {
  return {tags.begin(), tags.begin() + static_cast<std::ptrdiff_t>(std::min(tags.size(), kMostTags))};
}

}  // namespace

Sighting seen(Tracked before, const hub::RepositoryInfo& info, const std::vector<hub::Ref>* refs, Time now) {
  const bool known = before.facts.find("sha") != nullptr;
  const std::string access = info.disabled ? "disabled" : info.is_private ? "private" : info.gated.empty() ? "open" : "gated";
  Sighting sighting = known || before.access == "gone" ? enter(std::move(before), access, now) : Sighting{std::move(before), {}};
  Tracked& row = sighting.tracked;
  row.access = access;
  row.misses = 0;
  row.first_miss.reset();
  if (known) compare_gate(sighting, info, now);
  if (known) compare_license(sighting, info, now);
  json::Object& facts = row.facts;
  facts.set("sha", info.sha);
  facts.set("gated", info.gated);
  facts.set("license", info.license);
  facts.set("base_model", info.base_model);
  facts.set("tags", tags_as_facts(info.tags));
  facts.set("downloads", info.downloads);
  facts.set("safetensors_total", info.safetensors_total);
  if (refs) {
    json::Object now_there = refs_as_facts(*refs);
    const json::Value* were = facts.find("refs");
    if (were && were->object()) compare_tags(sighting, *were->object(), now_there, now);
    facts.set("refs", std::move(now_there));
  }
  return sighting;
}

Tracked missed(Tracked before, Time now) {
  if (before.misses++ == 0) before.first_miss = now;
  return before;
}

bool may_be_gone(const Tracked& tracked, int misses, std::chrono::seconds after, Time now) {
  return tracked.access != "gone" && tracked.misses >= misses && tracked.first_miss && now - *tracked.first_miss >= after;
}

Sighting gone(Tracked before, Time now) { return enter(std::move(before), "gone", now); }

Sighting disabled(Tracked before, Time now) { return enter(std::move(before), "disabled", now); }

std::string full_ref(const Tracked& tracked) {
  if (tracked.ref.starts_with("refs/")) return tracked.ref;
  const json::Value* refs = tracked.facts.find("refs");
  for (const char* prefix : {"refs/heads/", "refs/tags/", "refs/convert/"}) {
    const std::string ref = prefix + tracked.ref;
    if (refs && refs->find(ref)) return ref;
  }
  return "refs/heads/" + tracked.ref;
}

}  // namespace modelwatch::watch
