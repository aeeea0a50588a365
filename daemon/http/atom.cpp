#include "advisories/feed/atom.h"

#include "daemon/http/handlers.h"
#include "estimator/json/reader.h"

namespace modelwatch::http {
namespace {

using advisories::Impact;

constexpr int kMostEntries = 100;

Reply atom(const Call& call, const std::string& what, const std::string& title, std::string_view repository, Impact at_least) {
  if (const auto allowed = Parameters(call).allow({}); !allowed) return error_reply(allowed.error());
  const auto rows = call.backend.store.news(repository, at_least, kMostEntries);
  if (!rows) return error_reply(rows.error());
  std::vector<advisories::Advisory> news;
  for (const storage::DocumentRow& row : *rows) {
    const auto document = json::read(row.document);
    auto advisory = document ? advisories::from_osv(document->value) : fail(ErrorKind::database, "stored broken");
    if (!advisory) return error_reply({ErrorKind::database, row.id + ": " + advisory.error().message, "modelwatch db check"});
    news.push_back(std::move(*advisory));
  }
  const advisories::FeedIdentity& feed = call.backend.feed;
  Reply reply;
  reply.content_type = "application/atom+xml; charset=utf-8";
  reply.body = advisories::atom_feed({advisories::atom_feed_id(feed, what), title, call.request.path}, std::move(news), feed, kMostEntries);
  return reply;
}

}  // namespace

Reply atom_of_all(const Call& call) { return atom(call, "all", "All advisories", "", Impact::cosmetic); }

Reply atom_of_repository(const Call& call) {
  const std::string& asked = call.path.at("repo");
  if (const auto known = call.backend.store.find(asked); !known) return error_reply(known.error());
  return atom(call, "repository:" + asked, asked, asked, Impact::cosmetic);
}

Reply atom_of_impact(const Call& call) {
  const auto impact = advisories::impact_named(call.path.at("impact"));
  if (!impact) return error_reply({ErrorKind::not_found, "there is no such impact", "/feed/impact/breaking.atom"});
  const std::string at_least(name(*impact));
  return atom(call, "impact:" + at_least, at_least + " and graver", "", *impact);
}

}  // namespace modelwatch::http
