#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tests/hub/clock.h"

namespace modelwatch::testhub {

enum class Bucket { api, resolvers, pages };
std::string_view to_string(Bucket bucket);

enum class Plan { anonymous, free, pro, team, enterprise };

/// One request's place in its window.
struct Allowance {
  std::int64_t limit = 0;
  std::int64_t remaining = 0;
  std::int64_t seconds_left = 0;
  bool allowed = true;
};

/// Fixed windows per (who, bucket): one opens with its first request and lasts `window` of the hub's time.
class Quotas {
 public:
  std::chrono::seconds window{300};

  std::int64_t limit(Plan plan, Bucket bucket) const { return limits_[index(plan)][index(bucket)]; }
  void set_limit(Plan plan, Bucket bucket, std::int64_t requests) {
    limits_[index(plan)][index(bucket)] = requests;
  }

  /// Counts one request of `who` (a user name or an address).
  Allowance charge(const std::string& who, Plan plan, Bucket bucket, Clock::Time now);

 private:
  struct Window {
    Clock::Time opened;
    std::int64_t used = 0;
  };
  template <class E>
  static std::size_t index(E value) {
    return static_cast<std::size_t>(value);
  }

  std::array<std::array<std::int64_t, 3>, 5> limits_ = {{{500, 3'000, 100},
                                                         {1'000, 5'000, 200},
                                                         {2'500, 12'000, 400},
                                                         {3'000, 20'000, 400},
                                                         {6'000, 50'000, 600}}};
  std::map<std::pair<std::string, Bucket>, Window> windows_;
};

}  // namespace modelwatch::testhub
