#include "daemon/cli/plan_text.h"

#include <array>
#include <cstdio>
#include <ostream>

#include "daemon/cli/table.h"
#include "estimator/units.h"

namespace modelwatch::cli {
namespace {

using estimator::bytes_text;
using estimator::grouped;
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
  std::string title = printable(plan.facts.source);
  if (!plan.facts.model_type.empty()) title += "  " + printable(plan.facts.model_type, 60);
  out.title(title);
  for (const estimator::Note& note : plan.facts.notes) out.line(note.id + ": " + printable(note.text, 240));
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
  out.row("peak", bytes_text(t.peak().real()), "in the " + std::string(estimator::phase_name(t.phase)) + " phase");
  const std::pair<const char*, estimator::Count> rows[] = {
      {"weights", c.weights},         {"gradients", c.gradients}, {"optimizer", c.optimizer}, {"cast weights", c.cast_weights},
      {"activations", c.activations}, {"loss", c.loss},           {"temporary", c.temporary}, {"overhead", c.overhead}};
  for (const auto& [label, bytes] : rows)
    if (bytes) out.row(std::string("  ") + label, bytes_text(bytes.real()));
}

void print_serving(const estimator::Serving& s, Printer& out) {
  out.heading("Serving");
  out.row("weights, 16 bit", bytes_text(s.weights.real()));
  if (s.weights_stored) out.row("weights as stored", bytes_text(s.weights_stored->real()));
  for (std::size_t i = 0; i < estimator::kEngines.size(); ++i) {
    const std::string engine(estimator::engine_name(estimator::kEngines[i]));
    out.row("cache, " + engine, bytes_text(s.kv[i].real()),
            grouped(s.kv_per_token[i].value()) + " B a token, at " + grouped(s.tokens) + " tokens");
    if (s.state[i]) out.row("  state", bytes_text(s.state[i].real()), "a sequence");
  }
}

std::string batch_text(std::int64_t batch, bool borderline) {
  if (batch == 0) return "does not fit";
  return "batch " + grouped(batch) + (borderline ? ", borderline" : "");
}

std::string full_text(const estimator::CardFit& fit) {
  if (!fit.two_cards) return batch_text(fit.full, fit.full_borderline);
  return "2 cards at batch 1 (" + std::to_string(fit.two_cards->first) + " + " + std::to_string(fit.two_cards->second) + " layers)";
}

void print_cards(const Plan& plan, Printer& out, Console& console) {
  out.heading("Largest batch a card, " + std::string("training at ") + grouped(plan.tokens) + " tokens, serving at " + grouped(plan.serve_tokens));
  Table table({"  card", "full fine-tune", "LoRA", "serve"});
  for (const estimator::CardFit& fit : plan.fits->cards)
    table.add({"  " + fit.card.name, full_text(fit), batch_text(fit.lora, fit.lora_borderline), batch_text(fit.serve, false)});
  for (const estimator::Sharded& s : plan.fits->sharded)
    table.add({"  sharded over " + s.card, "at least " + grouped(s.full), "at least " + grouped(s.lora), "at least " + grouped(s.serve)});
  table.print(console.out, false);
}

std::string money(double usd) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "$%.2f", usd);
  return text.data();
}

void print_price(const Plan& plan, Printer& out) {
  const estimator::Price& p = *plan.price;
  const estimator::PlanOptions& o = plan.options;
  out.heading("One run: " + grouped(o.epochs) + " epochs of " + grouped(o.samples) + " samples at batch " + grouped(o.cost_batch));
  out.row("on " + p.card, money(p.usd), std::string(p.compute_bound ? "compute" : "memory") + " bound" + (p.fits ? "" : "; the job does not fit this card"));
}

void print_findings(const Plan& plan, Printer& out) {
  if (plan.findings.empty()) return;
  out.heading("What the verifier says");
  for (const estimator::Finding& f : plan.findings)
    out.line(std::string(estimator::severity_name(f.severity)) + "  " + f.rule + ": " + printable(f.text, 400));
}

}  // namespace

void print_plan(const Plan& plan, Console& console) {
  Printer out(console);
  print_facts(plan, out);
  if (!plan.model) return;
  out.line(plan.fits->headline);
  print_parameters(plan, out);
  print_training(plan.memory->full, "Full fine-tune", out);
  print_training(plan.memory->lora, "LoRA r=" + grouped(plan.memory->lora.rank), out);
  print_serving(plan.memory->serve, out);
  print_cards(plan, out, console);
  print_price(plan, out);
  print_findings(plan, out);
}

}  // namespace modelwatch::cli
