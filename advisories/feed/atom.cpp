#include "advisories/feed/atom.h"

#include <algorithm>

#include "advisories/osv/details.h"

namespace modelwatch::advisories {
namespace {

constexpr std::size_t kMostMeanings = 5, kLongestMeaning = 300;  // of an entry's summary

/// Text for an element or an attribute. Control characters were written out before (plain_line); what is left that XML
/// 1.0 has no place for are the two noncharacters of the first plane.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "\xEF\xBF\xBE" || text.substr(i, 3) == "\xEF\xBF\xBF") {
      out += "\xEF\xBF\xBD";
      i += 2;
      continue;
    }
    switch (text[i]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += text[i];
    }
  }
  return out;
}

std::string element(const char* name, std::string_view text) {
  return std::string("<") + name + ">" + escaped(text) + "</" + name + ">\n";
}

std::string link(const char* relation, const char* type, const std::string& target) {
  return std::string("<link rel=\"") + relation + "\" type=\"" + type + "\" href=\"" + escaped(target) + "\"/>\n";
}

std::string summary(const Advisory& a) {
  std::string text;
  for (std::size_t i = 0; i < std::min(a.findings.size(), kMostMeanings); ++i) {
    if (!text.empty()) text += "; ";
    text += plain_line(a.findings[i].meaning, kLongestMeaning);
  }
  const std::size_t total = std::max(a.findings_total, a.findings.size());
  if (total > kMostMeanings) text += "; and " + std::to_string(total - kMostMeanings) + " more";
  return text;
}

std::string entry(const Advisory& a, const FeedIdentity& feed) {
  std::string out = "<entry>\n" + element("id", "urn:modelwatch:advisory:" + a.id) + element("title", summary_of(a)) +
                    element("published", rfc3339(a.published)) + element("updated", rfc3339(a.significant_at));
  if (!feed.public_url.empty()) {
    out += link("alternate", "text/html", feed.public_url + "/advisories/" + a.id);
    out += link("related", "application/json", feed.public_url + "/v1/vulns/" + a.id);
  }
  for (const std::string_view term : {name(a.part), name(a.impact)}) out += "<category term=\"" + escaped(term) + "\"/>\n";
  out += "<summary type=\"text\">" + escaped(summary(a)) + "</summary>\n";
  return out + "</entry>\n";
}

}  // namespace

std::string atom_feed_id(const FeedIdentity& feed, std::string_view what) {
  return "urn:modelwatch:feed:" + feed.id_prefix + ":" + std::string(what);
}

std::string atom_feed(const AtomHead& head, std::vector<Advisory> advisories, const FeedIdentity& feed, std::size_t most) {
  std::sort(advisories.begin(), advisories.end(), [](const Advisory& a, const Advisory& b) {
    return a.significant_at != b.significant_at ? a.significant_at > b.significant_at : a.id < b.id;
  });
  if (advisories.size() > most) advisories.resize(most);
  const Time updated = advisories.empty() ? Time() : advisories.front().significant_at;
  std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n" +
                    element("id", head.id) + element("title", plain_line(head.title, 200)) + element("updated", rfc3339(updated)) +
                    "<author><name>modelwatch</name></author>\n" + element("rights", feed.license);
  if (!feed.public_url.empty())
    out += link("self", "application/atom+xml", feed.public_url + head.path) + link("alternate", "text/html", feed.public_url + "/");
  for (const Advisory& a : advisories) out += entry(a, feed);
  return out + "</feed>\n";
}

}  // namespace modelwatch::advisories
