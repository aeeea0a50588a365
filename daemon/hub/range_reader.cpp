#include "daemon/hub/range_reader.h"

#include <charconv>

#include "daemon/hub/client_impl.h"

namespace modelwatch::hub {

namespace {

using Kind = Trouble::Kind;

tl::unexpected<Trouble> failed(Kind kind, std::string_view what, std::string_view why) {
  return tl::unexpected(trouble(kind, what, why));
}

/// `"<hex>"` or `W/"<hex>"`, bare.
std::string_view bare_etag(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"') etag = etag.substr(1, etag.size() - 2);
  return etag;
}

/// `bytes 0-100000/548105171`
struct ContentRange {
  std::uint64_t begin = 0, last = 0;
  std::optional<std::uint64_t> total;
};

std::optional<ContentRange> read_content_range(const Response& response) {
  const std::string* header = response.header("content-range");
  if (!header || !header->starts_with("bytes ")) return {};
  ContentRange range;
  const char* const end = header->data() + header->size();
  const auto first = std::from_chars(header->data() + 6, end, range.begin);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return {};
  const auto last = std::from_chars(first.ptr + 1, end, range.last);
  if (last.ec != std::errc() || last.ptr == end || *last.ptr != '/') return {};
  std::uint64_t total = 0;
  if (std::from_chars(last.ptr + 1, end, total).ec == std::errc()) range.total = total;
  return range;
}

}  // namespace

std::optional<Trouble> contradiction(const Response& redirect, const advisories::ListedFile& file, std::string_view what) {
  const std::string* size = redirect.header("x-linked-size");
  if (size && *size != std::to_string(file.size)) return trouble(Kind::malformed, what, "the Hub names another size than its listing");
  const std::string* etag = redirect.header("x-linked-etag");
  const bool other = etag && file.lfs && !file.lfs->sha256.empty() && bare_etag(*etag).size() == 64 && bare_etag(*etag) != file.lfs->sha256;
  if (other) return trouble(Kind::malformed, what, "the Hub names another sha256 than its listing");
  return {};
}

RangeReader::RangeReader(Session& session, std::string_view name, std::string_view sha, const advisories::ListedFile& file)
    : session_(session), file_(file) {
  bare_.what = std::string(name) + ": " + file.path;
  bare_.name = name;
  bare_.target = resolve_target(name, sha, file.path);
}

Outcome<std::string> RangeReader::read(std::uint64_t begin, std::uint64_t end, std::stop_token stop) {
  if (begin >= end || end > file_.size) return failed(Kind::malformed, bare_.what, "announces a header longer than the file");
  Ask question = bare_;
  question.range = "bytes=" + std::to_string(begin) + "-" + std::to_string(end - 1);
  question.max_body = end;  // for a server that starts at 0 in spite of the range
  question.stop_at_max = true;
  for (;;) {
    if (!resolved_) {
      if (auto resolved = resolve(stop); !resolved) return tl::unexpected(std::move(resolved.error()));
    }
    auto response = ask(question, stop);
    if (!response) return tl::unexpected(std::move(response.error()));
    if (response->status != 403 || elsewhere_.empty() || !may_resolve_again_) return bytes_of(std::move(*response), begin, end);
    may_resolve_again_ = false;
    resolved_ = false;
  }
}

Outcome<void> RangeReader::resolve(const std::stop_token& stop) {
  Ask question = bare_;
  question.method = "HEAD";
  auto answer = session_.ask(question, stop);
  if (!answer) return tl::unexpected(std::move(answer.error()));
  if (answer->elsewhere.empty() && answer->response.status != 200) return tl::unexpected(session_.classify_answer(*answer, question));
  if (auto wrong = contradiction(answer->response, file_, bare_.what)) return tl::unexpected(std::move(*wrong));
  elsewhere_ = std::move(answer->elsewhere);
  resolved_ = true;
  return {};
}

Outcome<Response> RangeReader::ask(const Ask& question, const std::stop_token& stop) {
  if (!elsewhere_.empty()) return session_.fetch(question, elsewhere_, stop);
  auto answer = session_.ask(question, stop);
  if (!answer) return tl::unexpected(std::move(answer.error()));
  // The endpoint serves a HEAD itself but sends a GET away: the same range goes there, and only there.
  if (!answer->elsewhere.empty()) return session_.fetch(question, answer->elsewhere, stop);
  if (answer->response.status >= 400 && answer->response.status != 416) return tl::unexpected(session_.classify_answer(*answer, question));
  return std::move(answer->response);
}

Outcome<std::string> RangeReader::bytes_of(Response response, std::uint64_t begin, std::uint64_t end) const {
  const std::string_view what = bare_.what;
  if (response.status == 416) return failed(Kind::malformed, what, "shorter than the listing says");
  if (response.status == 200) {
    if (response.body.size() < end) return failed(Kind::malformed, what, "shorter than the listing says");
    return response.body.substr(begin, end - begin);
  }
  if (response.status != 206) return tl::unexpected(session_.classify_fetched(response, bare_));
  const auto range = read_content_range(response);
  if (range && (range->begin != begin || range->last != end - 1)) return failed(Kind::malformed, what, "another range than the one asked for");
  if (range && range->total && *range->total != file_.size) return failed(Kind::malformed, what, "another size than the listing says");
  if (response.body.size() != end - begin) return failed(Kind::malformed, what, "a range of another length than asked for");
  return std::move(response.body);
}

}  // namespace modelwatch::hub
