#include "estimator/reconcile/reconcile.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "estimator/graph/parameters.h"
#include "estimator/graph/patterns.h"
#include "estimator/reconcile/names.h"

namespace modelwatch::estimator {
namespace {

enum class Origin { parameter, buffer, mtp };

struct Derived {
  std::int64_t scalars = 0;
  Origin origin = Origin::parameter;
  bool seen = false;
};

constexpr std::size_t kMostNames = 4'000'000;

std::string sentence(const std::string& cls) {
  static const std::map<std::string, std::string> texts = {
      {"scales", "scales of quantised weights, stored beside them"},
      {"zero-points", "zero points of quantised weights"},
      {"indices", "group indices and shapes of quantised weights"},
      {"cache-scales", "scales for a quantised cache"},
      {"packing", "weights stored several to an element"},
      {"buffers", "buffers in the file that are no parameters"},
      {"tied-head", "a tied matrix that is stored a second time"},
      {"mtp", "modules for multi-token prediction, which the class does not load"},
      {"head-dropped", "the output matrix is not in the file"},
      {"missing", "parameters of the class that are not in the file"},
      {"shape", "tensors stored in another size than derived"},
  };
  const auto it = texts.find(cls);
  return it == texts.end() ? cls : it->second;
}

class Matcher {
 public:
  explicit Matcher(const Model& model) : model_(model) {
    add(TensorSet::parameters, Origin::parameter);
    add(TensorSet::buffers, Origin::buffer);
    add(TensorSet::mtp, Origin::mtp);
    for (const auto& [name, to] : model.tied) tied_.emplace(name, to);
  }

  Reconciliation run(const std::vector<StoredTensor>& stored) {
    for (const StoredTensor& tensor : stored) take(tensor);
    settle_experts();
    settle_missing();
    return finish();
  }

 private:
  void add(TensorSet set, Origin origin) {
    for_each_name(model_, set, [&](std::string name, const Tensor& tensor) {
      derived_.try_emplace(std::move(name), Derived{tensor.shape.scalars().value(), origin, false});
      if (origin == Origin::parameter) total_ += tensor.shape.scalars().value();
    });
  }

  Derived* find(const std::string& name) {
    if (const auto it = derived_.find(name); it != derived_.end()) return &it->second;
    for (const std::string& alias : aliases(name))
      if (const auto it = derived_.find(alias); it != derived_.end()) return &it->second;
    return nullptr;
  }

  bool is_tied(const std::string& name) const {
    if (tied_.contains(name)) return true;
    for (const std::string& alias : aliases(name))
      if (tied_.contains(alias)) return true;
    return false;
  }

  void explain(const std::string& cls, std::int64_t scalars, std::int64_t tensors = 1) {
    Explanation& e = explained_[cls];
    e.cls = cls;
    e.tensors += tensors;
    e.scalars += scalars;
  }

  /// A stored tensor that is, or packs, the derived one.
  void match(Derived& derived, const StoredTensor& tensor, std::int64_t scalars, bool packed) {
    if (derived.seen) return explain("tied-head", -scalars);
    derived.seen = true;
    ++result_.matched;
    if (derived.origin == Origin::buffer) return explain("buffers", -scalars);
    if (derived.origin == Origin::mtp) return explain("mtp", -scalars);
    if (derived.scalars == scalars) return;
    const bool bytes = tensor.dtype == "U8" || tensor.dtype == "I8" || tensor.dtype == "I32" || tensor.dtype == "U32";
    explain(packed || bytes ? "packing" : "shape", derived.scalars - scalars);
  }

  void take(const StoredTensor& tensor) {
    const std::int64_t scalars = tensor.scalars();
    result_.checkpoint += scalars;
    result_.stored_bytes += tensor.bytes;
    if (Derived* exact = find(tensor.name)) return match(*exact, tensor, scalars, false);
    const StoredName name = read_stored_name(tensor.name);
    switch (name.companion) {
      case Companion::scale: return explain("scales", -scalars);
      case Companion::zero_point: return explain("zero-points", -scalars);
      case Companion::index: return explain("indices", -scalars);
      case Companion::cache_scale: return explain("cache-scales", -scalars);
      case Companion::packed:
        if (Derived* weight = find(name.weight)) return match(*weight, tensor, scalars, true);
        break;
      case Companion::none: break;
    }
    if (is_tied(tensor.name)) return explain("tied-head", -scalars);
    if (is_stored_buffer(tensor.name)) return explain("buffers", -scalars);
    if (const std::string group = expert_group(name.weight); !group.empty()) {
      experts_[group].push_back({tensor.name, tensor.dtype, scalars, name.companion == Companion::packed});
      return;
    }
    only_stored(tensor.name, scalars);
  }

  /// Experts stored apart where the class fuses them, or the reverse: compared as one sum a layer.
  void settle_experts() {
    std::map<std::string, std::vector<std::pair<const std::string*, Derived*>>> open;
    for (auto& [name, derived] : derived_)
      if (!derived.seen && derived.origin != Origin::buffer)
        if (const std::string group = expert_group(name); !group.empty()) open[group].emplace_back(&name, &derived);
    for (const auto& [group, stored] : experts_) {
      auto it = open.find(group);
      for (const std::string& alias : aliases(group))
        if (it == open.end()) it = open.find(alias);
      if (it == open.end()) {
        for (const LooseExpert& expert : stored) only_stored(expert.name, expert.scalars);
        continue;
      }
      settle_group(stored, it->second);
      open.erase(it);
    }
  }

  struct LooseExpert {
    std::string name, dtype;
    std::int64_t scalars;
    bool packed;
  };

  void settle_group(const std::vector<LooseExpert>& stored, std::vector<std::pair<const std::string*, Derived*>>& open) {
    std::int64_t have = 0, want = 0;
    bool packed = false, mtp = false;
    for (const LooseExpert& expert : stored) {
      have += expert.scalars;
      packed = packed || expert.packed || expert.dtype == "U8" || expert.dtype == "I32";
    }
    for (auto& [name, derived] : open) {
      want += derived->scalars;
      mtp = mtp || derived->origin == Origin::mtp;
      derived->seen = true;
    }
    const auto tensors = static_cast<std::int64_t>(stored.size());
    result_.matched += tensors;
    if (mtp) return explain("mtp", -have, tensors);
    if (want != have) explain(packed ? "packing" : "shape", want - have, tensors);
  }

  void settle_missing() {
    for (const auto& [name, derived] : derived_) {
      if (derived.seen || derived.origin != Origin::parameter) continue;
      const bool head = name.ends_with("lm_head.weight") || name.ends_with("output.weight");
      explain(head ? "head-dropped" : "missing", derived.scalars);
      leave(derived_only_, name, derived.scalars);
    }
  }

  void only_stored(const std::string& name, std::int64_t scalars) {
    result_.unexplained -= scalars;
    leave(stored_only_, name, scalars);
  }

  static void leave(std::map<std::string, Leftover>& to, const std::string& name, std::int64_t scalars) {
    Leftover& leftover = to[star_indices(name)];
    ++leftover.tensors;
    leftover.scalars += scalars;
  }

  static std::vector<Leftover> listed(std::map<std::string, Leftover>& from) {
    std::vector<Leftover> list;
    for (auto& [pattern, leftover] : from) {
      leftover.pattern = pattern;
      list.push_back(leftover);
    }
    return list;
  }

  Reconciliation finish() {
    for (auto& [cls, e] : explained_) {
      e.text = sentence(cls);
      result_.explained.push_back(e);
    }
    result_.source = "headers";
    result_.delta = total_ - result_.checkpoint;
    result_.only_stored = listed(stored_only_);
    result_.only_derived = listed(derived_only_);
    return std::move(result_);
  }

  const Model& model_;
  std::unordered_map<std::string, Derived> derived_;
  std::map<std::string, std::string> tied_;
  std::map<std::string, std::vector<LooseExpert>> experts_;
  std::map<std::string, Explanation> explained_;
  std::map<std::string, Leftover> stored_only_, derived_only_;
  std::int64_t total_ = 0;
  Reconciliation result_;
};

}  // namespace

Reconciliation reconcile(const Model& model, const std::vector<StoredTensor>& stored) {
  const Parameters p = count_parameters(model);
  if (p.tensors > Count(static_cast<std::int64_t>(kMostNames))) {
    Reconciliation r;
    r.source = "headers";
    for (const StoredTensor& tensor : stored) r.checkpoint += tensor.scalars(), r.stored_bytes += tensor.bytes;
    r.delta = r.unexplained = p.derived.value() - r.checkpoint;
    return r;
  }
  return Matcher(model).run(stored);
}

}  // namespace modelwatch::estimator
