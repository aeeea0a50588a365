#include "estimator/json/reader.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_set>

#include "estimator/json/utf8.h"

namespace modelwatch::json {
namespace {

constexpr std::size_t kMaxProblems = 100;

/// One recursive-descent reader for both uses: strict stops at the first problem, tolerant notes it and goes on.
class Reader {
 public:
  Reader(std::string_view text, Limits limits, bool tolerant) : text_(text), limits_(limits), tolerant_(tolerant) {}

  Document document;
  std::vector<Problem> problems;

  void run() {
    if (text_.starts_with("\xEF\xBB\xBF")) {
      problem("byte order mark");
      at_ = 3;
    }
    if (go()) document.value = value(0, "");
    if (go()) {
      skip_space();
      if (at_ < text_.size()) problem("text after the end of the document");
    }
  }

 private:
  bool go() const { return !stopped_; }

  void problem(std::string reason) { problem_at(at_, std::move(reason)); }

  void problem_at(std::size_t offset, std::string reason) {
    if (stopped_) return;
    if (problems.size() < kMaxProblems) problems.push_back(locate(offset, std::move(reason)));
    if (!tolerant_) stopped_ = true;
  }

  void give_up(std::string reason) {
    problem(std::move(reason));
    stopped_ = true;
  }

  Problem locate(std::size_t offset, std::string reason) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t newline = before.rfind('\n');
    return {line, before.size() - (newline == before.npos ? 0 : newline + 1) + 1, std::move(reason)};
  }

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool end() const { return at_ >= text_.size(); }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void skip_space() {
    while (go() && !end()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else if (c == '#' || (c == '/' && (peek(1) == '/' || peek(1) == '*'))) {
        problem("comment");
        if (!go()) return;
        const bool block = c == '/' && peek(1) == '*';
        const std::size_t stop = text_.find(block ? "*/" : "\n", at_ + 1);
        at_ = stop == text_.npos ? text_.size() : stop + (block ? 2 : 1);
      } else {
        return;
      }
    }
  }

  Value value(std::size_t depth, const std::string& pointer) {
    if (depth > limits_.depth) give_up("nested deeper than " + std::to_string(limits_.depth));
    if (++count_ > limits_.values) give_up("more than " + std::to_string(limits_.values) + " values");
    skip_space();
    if (!go()) return {};
    const char c = peek();
    if (c == '{') return object(depth, pointer);
    if (c == '[') return array(depth, pointer);
    if (c == '"') return string('"');
    if (c == '\'' && tolerant_) {
      problem("single quotes");
      return string('\'');
    }
    if (c == '-' || (c >= '0' && c <= '9')) return number();
    return word();
  }

  Value word() {
    if (take("null")) return {};
    if (take("true")) return true;
    if (take("false")) return false;
    if (take("NaN")) {
      document.non_finite = true;
      return std::numeric_limits<double>::quiet_NaN();
    }
    if (take("Infinity")) {
      document.non_finite = true;
      return std::numeric_limits<double>::infinity();
    }
    if (end()) {
      problem("the document ends where a value should be");
      return {};
    }
    problem("expected a value");
    if (!go()) return {};
    if (take("None")) return {};
    if (take("True")) return true;
    if (take("False")) return false;
    std::size_t stop = text_.find_first_of(",]}\n", at_);
    if (stop == text_.npos) stop = text_.size();
    std::string bare(text_.substr(at_, stop - at_));
    at_ = stop;
    return bare;
  }

  Value number() {
    const std::size_t start = at_;
    if (peek() == '-') {
      ++at_;
      if (take("Infinity")) {
        document.non_finite = true;
        return -std::numeric_limits<double>::infinity();
      }
    }
    const auto digits = [&] {
      const std::size_t from = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      return at_ - from;
    };
    const std::size_t whole = at_;
    if (digits() == 0) {
      problem_at(start, "expected digits");
      return {};
    }
    if (text_[whole] == '0' && at_ - whole > 1) {
      problem_at(start, "leading zero");
      if (!go()) return {};
    }
    bool real = false;
    if (peek() == '.' && peek(1) >= '0' && peek(1) <= '9') {
      real = true;
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
      if (peek(sign) >= '0' && peek(sign) <= '9') {
        real = true;
        at_ += sign;
        digits();
      }
    }
    const std::string_view text = text_.substr(start, at_ - start);
    return real ? real_number(text) : whole_number(text, whole - start);
  }

  static Value real_number(std::string_view text) {
    double d = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), d);
    if (read.ec == std::errc::result_out_of_range) {
      // from_chars leaves the value alone; Python gives 0.0 or an infinity, by the exponent's sign.
      const std::size_t e = text.find_first_of("eE");
      const bool tiny = e != text.npos && text.substr(e + 1).starts_with('-');
      d = tiny ? 0.0 : std::numeric_limits<double>::infinity();
      if (text.front() == '-') d = -d;
    }
    return d;
  }

  static Value whole_number(std::string_view text, std::size_t sign) {
    std::int64_t i = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), i);
    if (read.ec == std::errc()) return i;
    const std::size_t first = std::min(text.find_first_not_of('0', sign), text.size() - 1);
    return BigInteger{std::string(text.substr(0, sign)) + std::string(text.substr(first))};
  }

  std::string string(char quote) {
    const std::size_t start = at_++;
    std::string out;
    while (true) {
      // The common run is copied at once.
      std::size_t run = at_;
      while (run < text_.size() && text_[run] != quote && text_[run] != '\\' && static_cast<unsigned char>(text_[run]) >= 0x20 &&
             static_cast<unsigned char>(text_[run]) < 0x80)
        ++run;
      out.append(text_, at_, run - at_);
      at_ = run;
      if (end()) {
        problem_at(start, "unterminated string");
        return out;
      }
      const char c = peek();
      if (c == quote) {
        ++at_;
        return out;
      }
      if (c == '\\') {
        escape(out);
      } else if (static_cast<unsigned char>(c) < 0x20) {
        problem("control character in a string");
        if (go()) {
          out += c;
          ++at_;
        }
      } else if (const std::size_t length = utf8_length(text_.substr(at_))) {
        out.append(text_, at_, length);
        at_ += length;
      } else {
        problem("not UTF-8");
        if (go()) {
          out += "\xEF\xBF\xBD";
          ++at_;
        }
      }
      if (!go()) return out;
    }
  }

  void escape(std::string& out) {
    static constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
    const char c = peek(1);
    if (const std::size_t i = from.find(c); i != from.npos && c != '\0') {
      out += to[i];
      at_ += 2;
      return;
    }
    if (c != 'u') {
      problem("invalid escape");
      if (go()) {
        out += '\\';
        ++at_;
      }
      return;
    }
    const auto unit = [&](std::size_t offset) -> std::int64_t {
      if (offset + 4 > text_.size()) return -1;
      unsigned u = 0;
      const auto read = std::from_chars(text_.data() + offset, text_.data() + offset + 4, u, 16);
      return read.ec == std::errc() && read.ptr == text_.data() + offset + 4 ? static_cast<std::int64_t>(u) : -1;
    };
    const std::int64_t high = unit(at_ + 2);
    if (high < 0) {
      problem("invalid \\u escape");
      if (go()) {
        out += "\\u";
        at_ += 2;
      }
      return;
    }
    at_ += 6;
    std::uint32_t code = static_cast<std::uint32_t>(high);
    if (code >= 0xD800 && code < 0xDC00 && peek() == '\\' && peek(1) == 'u') {
      const std::int64_t low = unit(at_ + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<std::uint32_t>(low) - 0xDC00);
        at_ += 6;
      }
    }
    append_utf8(code >= 0xD800 && code < 0xE000 ? 0xFFFD : code, out);
  }

  Value array(std::size_t depth, const std::string& pointer) {
    ++at_;
    Array items;
    for (bool first = true; go(); first = false) {
      if (!next(first, ']')) break;
      items.push_back(value(depth + 1, tolerant_ ? pointer : child_pointer(pointer, std::to_string(items.size()))));
    }
    return items;
  }

  Value object(std::size_t depth, const std::string& pointer) {
    ++at_;
    Object members;
    // A set of the keys seen, so that an object with a million members stays linear.
    std::unordered_set<std::string> seen;
    for (bool first = true; go(); first = false) {
      if (!next(first, '}')) break;
      std::string key;
      if (!member_key(key)) break;
      Value member = value(depth + 1, tolerant_ ? pointer : child_pointer(pointer, key));
      if (!go() && !tolerant_) break;
      if (seen.insert(key).second) {
        members.append(std::move(key), std::move(member));
      } else {
        document.duplicates.push_back(child_pointer(pointer, key));
        members.set(std::move(key), std::move(member));
      }
    }
    return members;
  }

  /// Steps over the comma before the next item. False at the closing bracket, or where nothing more can be read.
  bool next(bool first, char close) {
    skip_space();
    if (!go()) return false;
    if (peek() == close && !end()) {
      ++at_;
      return false;
    }
    if (end()) {
      problem(close == '}' ? "unclosed object" : "unclosed array");
      return false;
    }
    if (first) return true;
    if (peek() != ',') {
      problem("missing comma");
      if (peek() == ']' || peek() == '}') return false;  // tolerant: a bracket of the wrong kind closes this
      return go();
    }
    const std::size_t comma = at_++;
    skip_space();
    if (go() && peek() == close) {
      problem_at(comma, "trailing comma");
      if (go()) ++at_;
      return false;
    }
    return go();
  }

  bool member_key(std::string& key) {
    const char c = peek();
    if (c == '"' || (c == '\'' && tolerant_)) {
      if (c == '\'') problem("single quotes");
      key = string(c);
    } else {
      problem("expected a key in double quotes");
      if (!go()) return false;
      const std::size_t stop = std::min(text_.find_first_of(":,}\n", at_), text_.size());
      if (stop == at_) {  // not even a bare word: step over it, so that the loop always moves on
        ++at_;
        return !end();
      }
      key = text_.substr(at_, stop - at_);
      at_ = stop;
    }
    skip_space();
    if (!go()) return false;
    if (peek() == ':') {
      ++at_;
      return true;
    }
    problem("expected ':'");
    return go();
  }

  std::string_view text_;
  Limits limits_;
  bool tolerant_;
  bool stopped_ = false;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

std::string Problem::to_string() const {
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + reason;
}

tl::expected<Document, Problem> read(std::string_view text, Limits limits) {
  Reader reader(text, limits, false);
  reader.run();
  if (!reader.problems.empty()) return tl::unexpected(std::move(reader.problems.front()));
  return std::move(reader.document);
}

Salvaged salvage(std::string_view text, Limits limits) {
  Reader reader(text, limits, true);
  reader.run();
  return {std::move(reader.document.value), std::move(reader.problems)};
}

}  // namespace modelwatch::json
