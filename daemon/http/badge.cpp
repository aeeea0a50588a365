#include <algorithm>
#include <cmath>
#include <string>

#include "daemon/http/handlers.h"
#include "daemon/http/text_width.h"
#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

using advisories::Impact;
using storage::RevisionRow;

constexpr int kLookedThrough = 1000;  // revisions back from the head

struct Badge {
  std::string message;
  std::string color;
  bool is_error = false;
};

std::string color_of(Impact impact) {
  switch (impact) {
    case Impact::security: return "#8a2be2";
    case Impact::breaking: return "#c5221f";
    case Impact::behaviour: return "#b45309";
    case Impact::resource: return "#0b7285";
    case Impact::legal: return "#1c5fb0";
    case Impact::cosmetic: return "#2e7d32";
    case Impact::unknown: break;
  }
  return "#5f6368";
}

/// Of a repository: the newest revision in which something changed that a loader sees.
Badge latest(const std::vector<RevisionRow>& newest_first) {
  for (const RevisionRow& row : newest_first)
    if (!row.baseline && row.impact != Impact::cosmetic)
      return {std::string(name(row.impact)) + " " + storage::to_text(row.committed).substr(0, 10), color_of(row.impact)};
  return {"no change seen", color_of(Impact::cosmetic)};
}

/// Of a pin: how far the head has gone from it, and the gravest change on the way.
Badge behind(const std::vector<RevisionRow>& newest_first, const std::string& pin) {
  const auto at = std::find_if(newest_first.begin(), newest_first.end(), [&](const RevisionRow& row) { return row.sha.starts_with(pin); });
  if (at == newest_first.end()) return {"revision unknown", color_of(Impact::unknown), true};
  if (at == newest_first.begin()) return {"current", color_of(Impact::cosmetic)};
  Impact gravest = Impact::cosmetic;
  std::for_each(newest_first.begin(), at, [&](const RevisionRow& row) { gravest = std::max(gravest, row.impact); });
  return {std::to_string(at - newest_first.begin()) + " behind, " + std::string(name(gravest)), color_of(gravest)};
}

/// What is not tracked gets a badge too: it stands in somebody's README.
Result<Badge> badge_of(const Call& call) {
  const Parameters parameters(call);
  if (const auto allowed = parameters.allow({"ref", "rev"}); !allowed) return tl::unexpected(allowed.error());
  const std::string ref = call.request.parameter("ref").value_or("main"), pin = parameters.text("rev");
  if (!pin.empty() && pin.size() < 7) return fail(ErrorKind::usage, "rev needs at least 7 digits of a sha");
  const auto tracked = call.backend.store.find(call.path.at("repo"), ref);
  if (!tracked) {
    if (tracked.error().kind != ErrorKind::not_found) return tl::unexpected(tracked.error());
    return Badge{"not tracked", color_of(Impact::unknown), true};
  }
  if (tracked->access == "gone" || tracked->access == "taken-over" || tracked->access == "disabled")
    return Badge{tracked->access, color_of(Impact::security)};
  if (tracked->head.empty()) return Badge{"not read yet", color_of(Impact::unknown), true};
  const auto rows = call.backend.store.revisions(call.path.at("repo"), tracked->ref, kLookedThrough);
  if (!rows) return tl::unexpected(rows.error());
  return pin.empty() ? latest(*rows) : behind(*rows, pin);
}

std::string number(double value) { return std::to_string(static_cast<int>(std::lround(value))); }

/// Flat, with an accessible title. Every text in it is ours; no upstream word reaches a badge.
std::string svg(const Badge& badge) {
  const std::string label = "upstream";
  const double left = text_width(label) + 10, right = text_width(badge.message) + 10;
  const std::string width = number(left + right), title = label + ": " + badge.message;
  const auto text = [](double x, double length, const std::string& words) {
    return "<text x=\"" + number(x) + "\" y=\"14\" textLength=\"" + number(length) + "\">" + words + "</text>";
  };
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"20\" role=\"img\" aria-label=\"" + title +
         "\"><title>" + title + "</title><rect width=\"" + width + "\" height=\"20\" rx=\"3\" fill=\"#444\"/><path d=\"M" + number(left) +
         " 0h" + number(right - 3) + "a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H" + number(left) + "z\" fill=\"" + badge.color +
         "\"/><g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">" + text(5, left - 10, label) +
         text(left + 5, right - 10, badge.message) + "</g></svg>";
}

}  // namespace

Reply badge_svg(const Call& call) {
  const auto badge = badge_of(call);
  if (!badge) return error_reply(badge.error());
  Reply reply;
  reply.content_type = "image/svg+xml";
  reply.headers.emplace_back("Cache-Control", "max-age=300");
  reply.body = svg(*badge);
  return reply;
}

/// The endpoint format of shields.io.
Reply badge_json(const Call& call) {
  const auto badge = badge_of(call);
  if (!badge) return error_reply(badge.error());
  Reply reply = json_reply(json::Object{{"schemaVersion", 1}, {"label", "upstream"}, {"message", badge->message}, {"color", badge->color.substr(1)}, {"isError", badge->is_error}});
  reply.headers.emplace_back("Cache-Control", "max-age=300");
  return reply;
}

}  // namespace modelwatch::http
