#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/error.h"
#include "estimator/graph/count.h"
#include "estimator/json/value.h"

namespace modelwatch::estimator {

/// A config.json, or a nested part of it, read as transformers' class of its model type would: under its own names and
/// their synonyms; a key that is absent has the class's default; a key that is null has none.
///
/// The first value that cannot be used is kept as `problem()` and every later reading goes on with harmless numbers, so
/// that a family reads without checking each step; whoever builds a model asks once, at the end. A view: the JSON value
/// must outlive it.
class Config {
 public:
  explicit Config(const json::Value& root);

  const std::string& type() const { return type_; }  ///< model_type, "" where none is said
  bool exists() const { return object_ != nullptr; }

  /// The nested object at `key`, read as the type the outer class gives it (whatever it says itself: published vision
  /// parts repeat the outer model_type), else as its own model_type, else as `fallback`.
  /// Where the key is absent or null, a part with nothing but its type's defaults; `exists()` tells.
  Config part(std::string_view key, std::string_view fallback = {}) const;
  /// The same where the outer class fills a missing part with `defaults`, which must outlive the result.
  Config part(std::string_view key, std::string_view fallback, const json::Value& defaults) const;
  /// The first nested text configuration (text_config, llm_config, language_config, thinker_config), or this one.
  Config text() const;
  /// The same keys read under another type's names and defaults.
  Config as(std::string_view type) const;

  bool has(std::string_view key) const;  ///< written and not null
  const json::Value* raw(std::string_view key) const;

  Count size(std::string_view key) const;                    ///< at least 1; absent without default is a problem
  Count size(std::string_view key, Count fallback) const;    ///< at least 1 where given
  Count count(std::string_view key, Count fallback) const;   ///< at least 0 where given
  std::optional<Count> maybe(std::string_view key) const;    ///< at least 0; null, absent without default: none
  double real(std::string_view key, double fallback) const;  ///< a factor, as expand or mlp_ratio
  bool flag(std::string_view key, bool fallback = false) const;
  std::string word(std::string_view key, std::string_view fallback = {}) const;
  std::vector<std::string> words(std::string_view key) const;  ///< empty where absent
  std::vector<Count> counts(std::string_view key) const;       ///< empty where absent; a scalar is a list of one

  /// The first architecture's name, "" where none is given (asked of the root).
  std::string architecture() const;

  /// Makes `reason` the problem, unless there is one already. `key` may be "" for the whole part.
  void refuse(std::string_view key, std::string reason) const;
  const std::optional<Error>& problem() const { return state_->problem; }
  /// Pointer of the largest number read so far: the one to blame when sizes overflow.
  const std::string& largest_key() const { return state_->largest_key; }

 private:
  struct State {
    std::optional<Error> problem;
    std::string largest_key;
    std::int64_t largest = 0;
  };
  struct Found {
    std::optional<json::Value> value;  ///< none where absent; null where null was written
    std::string pointer;
  };

  Config(const json::Value* value, std::string pointer, std::string type, std::shared_ptr<State> state);
  Found find(std::string_view key) const;
  std::optional<Count> number(std::string_view key, std::int64_t at_least) const;
  Count to_count(const json::Value& value, const std::string& pointer, std::int64_t at_least) const;
  void refuse_at(const std::string& pointer, std::string reason) const;

  const json::Object* object_ = nullptr;
  std::string pointer_;
  std::string type_;
  std::shared_ptr<State> state_;
};

}  // namespace modelwatch::estimator
