// Two tokenizer.json of tens of megabytes: parsed and compared, beside simdjson's bare parse of both; an edit of each
// kind that costs most; and the memory it takes.
// usage: tokenizer_bench TOKENIZER_JSON

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <simdjson.h>
#include <string>

#include "advisories/diff/diff.h"
#include "advisories/manifest/digest.h"
#include "advisories/manifest/padded_text.h"

namespace {

using namespace modelwatch::advisories;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 5;

std::string read_file(const char* path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) {
    std::cerr << "tokenizer_bench: cannot read " << path << "\n";
    std::exit(2);
  }
  std::string text(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

double milliseconds(const std::function<void()>& work) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto from = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - from).count());
  }
  return best;
}

/// Reads the file from disk each time it is asked, as the daemon does.
class OnDisk : public Contents {
 public:
  explicit OnDisk(std::string path) : path_(std::move(path)) {}
  std::variant<Bytes, NotRead> read(const ListedFile& file) const override {
    auto text = std::make_shared<std::string>();
    text->reserve(file.size + PaddedText::kSpare);
    text->resize(file.size);
    std::ifstream(path_, std::ios::binary).read(text->data(), static_cast<std::streamsize>(file.size));
    return text;
  }

 private:
  std::string path_;
};

Snapshot snapshot(const std::string& path, const std::string& text) {
  return {Listing({{"tokenizer.json", git_blob_oid(text), text.size(), {}}}), std::make_shared<OnDisk>(path)};
}

/// The vocabulary with every id one higher and a token put in at 0.
std::string shifted(const std::string& text) {
  const std::size_t open = text.find('{', text.find("\"vocab\""));
  std::string out = text.substr(0, open + 1) + "\"<<new token>>\":0,";
  bool string = false;
  std::size_t at = open + 1;
  for (; at < text.size() && (string || text[at] != '}'); ++at) {
    if (string && text[at] == '\\') {
      out += text[at++];
    } else if (text[at] == '"') {
      string = !string;
    } else if (!string && text[at] >= '0' && text[at] <= '9') {
      std::size_t end = at;
      while (text[end] >= '0' && text[end] <= '9') ++end;
      out += std::to_string(std::stoul(text.substr(at, end - at)) + 1);
      at = end - 1;
      continue;
    }
    out += text[at];
  }
  return out + text.substr(at);
}

/// The last merge first.
std::string rotated(const std::string& text) {
  const std::size_t list = text.find('[', text.find("\"merges\""));
  const std::size_t end = text.rfind(']');
  const std::size_t first = text[text.find_first_not_of(" \n", list + 1)] == '[' ? text.rfind('[', end) : text.rfind('"', text.rfind('"', end) - 1);
  const std::size_t comma = text.rfind(',', first);
  return text.substr(0, list + 1) + text.substr(first, end - first) + "," + text.substr(list + 1, comma - list - 1) + text.substr(end);
}

void line(const char* what, double figure, const char* unit, double limit) {
  std::printf("%-58s %9.1f %-3s limit %7.1f  %s\n", what, figure, unit, limit, figure <= limit ? "ok" : "MISSED");
}

/// What a child that does nothing but this work takes at its peak, above what a child that only reads the file would.
void edited(const char* what, const std::string& path, const std::string& before, const std::string& after, double bare) {
  const std::string other = "/tmp/tokenizer_bench." + std::to_string(Clock::now().time_since_epoch().count()) + ".json";
  std::ofstream(other, std::ios::binary) << after;
  const Snapshot a = snapshot(path, before), b = snapshot(other, after);
  std::string told;
  const double spent = milliseconds([&] {
    const Diff found = diff(a, b);
    told = found.parts.empty() ? "nothing found" : found.parts[0].findings[0].meaning.substr(0, 120);
  });
  std::remove(other.c_str());
  line(what, spent, "ms", std::min(1000.0, 6 * bare));
  std::printf("    %s\n", told.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: tokenizer_bench TOKENIZER_JSON\n";
    return 2;
  }
  const std::string path = argv[1], text = read_file(argv[1]);
  rusage before{}, after{};
  {
    std::string last = text;
    last.back() = last.back() == '\n' ? ' ' : '\n';
    const Snapshot a = snapshot(path, text), b = snapshot(path, last);
    getrusage(RUSAGE_SELF, &before);
    diff(a, b);
    getrusage(RUSAGE_SELF, &after);
  }
  const double file_mb = static_cast<double>(text.size()) / 1e6;
  std::printf("%s: %.1f MB\n", argv[1], file_mb);
  line("peak memory of a comparison above what was held", static_cast<double>(after.ru_maxrss - before.ru_maxrss) * 1024 / 1e6, "MB", 4 * file_mb);
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text);
  const double bare = 2 * milliseconds([&] { (void)parser.parse(padded).error(); });
  std::printf("%-58s %9.1f ms\n", "simdjson, bare parse of both (buffers kept)", bare);
  edited("equal but for white space: parsed and compared", path, text, text + "\n", bare);
  edited("every id shifted by one: parsed and compared", path, text, shifted(text), bare);
  edited("the last merge put first: parsed and compared", path, text, rotated(text), bare);
  return 0;
}
