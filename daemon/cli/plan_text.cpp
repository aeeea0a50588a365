#include "daemon/cli/plan_text.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace modelwatch::cli {
namespace {

using estimator::Plan;

class Printer {
 public:
  explicit Printer(Console& console) : console_(console) {}

  void title(const std::string& text) { console_.out << bold() << text << plain() << '\n'; }
  void heading(const std::string& text) { console_.out << '\n' << bold() << text << plain() << '\n'; }
  void row(const std::string& label, const std::string& value, const std::string& note = {}) {
    console_.out << "  " << padded(label, 24) << padded_left(value, 20);
    if (!note.empty()) console_.out << "  " << dim() << note << plain();
    console_.out << '\n';
  }
  void line(const std::string& text) { console_.out << "  " << text << '\n'; }

 private:
  const char* bold() const { return console_.color ? "\x1b[1m" : ""; }
  const char* dim() const { return console_.color ? "\x1b[2m" : ""; }
  const char* plain() const { return console_.color ? "\x1b[0m" : ""; }
  static std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
  }
  static std::string padded_left(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
  }

  Console& console_;
};

std::string percent_text(double percent) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%+.2f %%", percent);
  return text.data();
}

void print_facts(const Plan& plan, Printer& out) {
  std::string title = plan.facts.source;
  if (!plan.facts.model_type.empty()) title += "  " + plan.facts.model_type;
  out.title(title);
  for (const estimator::Note& note : plan.facts.notes) out.line(note.id + ": " + note.text);
}

void print_parameters(const Plan& plan, Printer& out) {
  const estimator::Parameters& p = plan.parameters;
  out.heading("Parameters");
  out.row("derived", grouped(p.derived.value()), grouped(p.tensors.value()) + " tensors");
  if (p.active != p.derived) out.row("active per token", grouped(p.active.value()));
  if (p.buffers) out.row("buffers", grouped(p.buffers.value()), "in the state dict, no parameters");
  if (p.mtp) out.row("multi-token prediction", grouped(p.mtp.value()), "declared modules, not loaded by the class");
  for (const auto& [kind, scalars] : p.by_kind) out.row("  " + kind, grouped(scalars.value()));
  if (!plan.checkpoint) return;
  const estimator::Reconciliation& r = *plan.checkpoint;
  out.row("checkpoint", grouped(r.checkpoint), r.source == "hub" ? "the Hub's total" : "from the headers");
  out.row("difference", grouped(r.delta), r.checkpoint ? percent_text(100.0 * static_cast<double>(r.delta) / static_cast<double>(r.checkpoint)) : "");
  for (const estimator::Explanation& e : r.explained) out.row("  " + e.cls, grouped(e.scalars), e.text);
  if (r.unexplained) out.row("  unexplained", grouped(r.unexplained));
}

void print_training(const estimator::Training& t, const std::string& name, Printer& out) {
  const estimator::Components& c = t.at_peak();
  out.heading(name + ", batch " + grouped(t.batch) + " of " + grouped(t.tokens) + " tokens");
  out.row("peak", bytes_text(t.peak().value()), "in the " + std::string(estimator::phase_name(t.phase)) + " phase");
  const std::pair<const char*, estimator::Count> rows[] = {
      {"weights", c.weights},         {"gradients", c.gradients}, {"optimizer", c.optimizer}, {"cast weights", c.cast_weights},
      {"activations", c.activations}, {"loss", c.loss},           {"temporary", c.temporary}, {"overhead", c.overhead}};
  for (const auto& [label, bytes] : rows)
    if (bytes) out.row(std::string("  ") + label, bytes_text(bytes.value()));
}

void print_serving(const estimator::Serving& s, Printer& out) {
  out.heading("Serving");
  out.row("weights, 16 bit", bytes_text(s.weights.value()));
  if (s.weights_stored) out.row("weights as stored", bytes_text(s.weights_stored->value()));
  for (std::size_t i = 0; i < estimator::kEngines.size(); ++i) {
    const std::string engine(estimator::engine_name(estimator::kEngines[i]));
    out.row("cache, " + engine, bytes_text(s.kv[i].value()),
            grouped(s.kv_per_token[i].value()) + " B a token, at " + grouped(s.tokens) + " tokens");
    if (s.state[i]) out.row("  state", bytes_text(s.state[i].value()), "a sequence");
  }
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (std::fabs(value) >= 999.995 && unit + 1 < units.size()) value /= 1000, ++unit;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text.data();
}

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

void print_plan(const Plan& plan, Console& console) {
  Printer out(console);
  print_facts(plan, out);
  if (!plan.model) return;
  print_parameters(plan, out);
  print_training(plan.memory->full, "Full fine-tune", out);
  print_training(plan.memory->lora, "LoRA r=" + grouped(plan.memory->lora.rank), out);
  print_serving(plan.memory->serve, out);
}

}  // namespace modelwatch::cli
