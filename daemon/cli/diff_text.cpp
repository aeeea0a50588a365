#include "daemon/cli/diff_text.h"

#include <algorithm>
#include <ostream>

#include "daemon/cli/table.h"
#include "estimator/json/writer.h"

namespace modelwatch::cli {
namespace {

using advisories::Change;
using advisories::Diff;
using advisories::Finding;
using advisories::Impact;

constexpr std::size_t kWidth = 100, kIndent = 13;  // under the sentence, past the widest impact

/// Words of a text in lines; the first begins at the current column, the rest are indented.
void print_wrapped(std::ostream& out, std::string_view text) {
  std::size_t column = kIndent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (column > kIndent && column + 1 + width_of(word) > kWidth) {
      out << '\n' << std::string(kIndent, ' ');
      column = kIndent;
    } else if (column > kIndent) {
      out << ' ';
      ++column;
    }
    out << word;
    column += width_of(word);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  out << '\n';
}

std::string place_of(const Finding& finding) {
  std::string place = finding.path;
  if (finding.pointer && !finding.pointer->empty()) place += " " + *finding.pointer;
  return place;
}

/// Where the findings of one cause are, "config.json /a, /b; other.json /a".
std::string places_of(const std::vector<const Finding*>& findings) {
  std::string places;
  std::string_view path;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (i == 8) return places + ", and " + std::to_string(findings.size() - i) + " more";
    const Finding& finding = *findings[i];
    const bool same_file = i > 0 && finding.path == path;
    places += i == 0 ? "" : same_file ? ", " : "; ";
    places += same_file && finding.pointer ? *finding.pointer : place_of(finding);
    path = finding.path;
  }
  return places;
}

class Printer {
 public:
  explicit Printer(Console& console) : out_(console.out), color_(console.color) {}

  void change(const Change& change, const Diff& diff) {
    out_ << bold(std::string(name(change.part))) << (change.kind == "modified" ? "" : " (" + change.kind + ")") << '\n';
    std::size_t cosmetic = 0;
    for (const Finding& finding : change.findings) {
      if (!finding.cause.empty() && std::find(told_.begin(), told_.end(), finding.cause) != told_.end()) continue;
      if (!finding.cause.empty()) told_.push_back(finding.cause);
      if (finding.impact == Impact::cosmetic && change.impact != Impact::cosmetic && ++cosmetic > 5) continue;
      print(finding, diff);
    }
    if (cosmetic > 5) out_ << std::string(kIndent, ' ') << dim("and " + std::to_string(cosmetic - 5) + " more cosmetic ones") << '\n';
  }

  void fault(const Finding& finding) { print(finding, {}); }

  void plan(const json::Value& plan) {
    out_ << bold("plan") << '\n';
    const json::Value *before = plan.find("before"), *after = plan.find("after"), *unknown = plan.find("unknown");
    for (const auto& [key, label] : {std::pair{"family", "family"}, {"derived", "parameters"}, {"active", "active parameters"}, {"context", "context, tokens"},
                                     {"weights_bytes", "weights, bytes"}, {"full_peak", "full training, bytes"}, {"lora_peak", "LoRA training, bytes"}})
      figure(label, before ? before->find(key) : nullptr, after ? after->find(key) : nullptr);
    const json::Value *kv_before = before ? before->find("kv_per_token") : nullptr, *kv_after = after ? after->find("kv_per_token") : nullptr;
    figure("KV cache a token, bytes", kv_before ? kv_before->find("vllm") : nullptr, kv_after ? kv_after->find("vllm") : nullptr);
    if (unknown && unknown->string()) out_ << "  " << dim("not planned: " + printable(*unknown->string(), kWidth)) << '\n';
  }

  void unreadable(const std::vector<advisories::Unreadable>& files) {
    out_ << bold("could not be read") << '\n';
    for (const auto& file : files)
      out_ << "  " << printable(file.path, kWidth) << " " << dim("(" + file.side + ")") << ": " << printable(file.reason, kWidth) << '\n';
  }

 private:
  std::string bold(const std::string& text) const { return color_ ? "\x1b[1m" + text + "\x1b[0m" : text; }
  std::string dim(const std::string& text) const { return color_ ? "\x1b[2m" + text + "\x1b[0m" : text; }

  void print(const Finding& finding, const Diff& diff) {
    const std::size_t width = name(finding.impact).size();
    out_ << "  " << colored(finding.impact, color_) << std::string(kIndent - 2 - std::min(width, kIndent - 3), ' ');
    print_wrapped(out_, printable(finding.meaning, 1000));
    std::vector<const Finding*> places{&finding};
    if (!finding.cause.empty()) {
      places.clear();
      for (const Change& change : diff.parts)
        for (const Finding& other : change.findings)
          if (other.cause == finding.cause) places.push_back(&other);
    }
    if (const std::string where = places_of(places); !where.empty()) out_ << std::string(kIndent, ' ') << dim(printable(where, 400)) << '\n';
  }

  void figure(std::string_view label, const json::Value* before, const json::Value* after) {
    if ((!before && !after) || (before && after && *before == *after)) return;
    const auto text = [](const json::Value* value) {
      return !value ? std::string("unknown") : value->string() ? printable(*value->string()) : grouped(json::write(*value));
    };
    out_ << "  " << label << std::string(26 - std::min<std::size_t>(label.size(), 25), ' ') << text(before) << " → " << text(after) << '\n';
  }

  /// 8030261248 as 8,030,261,248.
  static std::string grouped(std::string digits) {
    if (digits.find_first_not_of("0123456789") != digits.npos) return digits;
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
  }

  std::ostream& out_;
  bool color_;
  std::vector<std::string> told_;  ///< causes already said
};

}  // namespace

void print_diff(const Diff& diff, Console& console) {
  Printer printer(console);
  for (const Change& change : diff.parts) {
    printer.change(change, diff);
    console.out << '\n';
  }
  if (!diff.plan.is_null()) {
    printer.plan(diff.plan);
    console.out << '\n';
  }
  if (!diff.unreadable.empty()) {
    printer.unreadable(diff.unreadable);
    console.out << '\n';
  }
  if (diff.parts.empty()) console.out << "no difference\n";
  else console.out << colored(diff.impact, console.color) << ": " << diff.parts.size() << (diff.parts.size() == 1 ? " part changed\n" : " parts changed\n");
}

void print_faults(const std::vector<Finding>& faults, Console& console) {
  Printer printer(console);
  for (const Finding& finding : faults) printer.fault(finding);
  console.out << (faults.empty() ? "nothing contradicts itself\n" : std::to_string(faults.size()) + (faults.size() == 1 ? " fault\n" : " faults\n"));
}

}  // namespace modelwatch::cli
