#include <cmath>
#include <string>

#include "daemon/http/handlers.h"
#include "daemon/http/text_width.h"
#include "storage/row_json.h"

namespace modelwatch::http {
namespace {

/// What a badge says of a repository: its last change, by impact and date.
struct Badge {
  std::string message;
  std::string color;
};

std::string color_of(advisories::Impact impact) {
  using advisories::Impact;
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

/// The newest revision in which something changed; a baseline alone is "no change seen".
Result<Badge> badge_of(const Call& call) {
  const auto tracked = call.backend.store.find(call.repository);
  if (!tracked) return tl::unexpected(tracked.error());
  if (tracked->access == "gone" || tracked->access == "taken-over") return Badge{tracked->access, color_of(advisories::Impact::security)};
  if (tracked->head.empty()) return Badge{"not read yet", color_of(advisories::Impact::unknown)};
  const auto rows = call.backend.store.revisions(call.repository, tracked->ref, 100);
  if (!rows) return tl::unexpected(rows.error());
  for (const storage::RevisionRow& row : *rows)
    if (!row.baseline && row.impact != advisories::Impact::cosmetic)
      return Badge{std::string(name(row.impact)) + " " + storage::to_text(row.committed).substr(0, 10), color_of(row.impact)};
  return Badge{"no change seen", color_of(advisories::Impact::cosmetic)};
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
  Reply reply = json_reply(json::Object{{"schemaVersion", 1}, {"label", "upstream"}, {"message", badge->message}, {"color", badge->color.substr(1)}});
  reply.headers.emplace_back("Cache-Control", "max-age=300");
  return reply;
}

}  // namespace modelwatch::http
