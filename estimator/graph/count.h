#pragma once
#include <cstdint>
#include <limits>

namespace modelwatch::estimator {

/// A 64-bit size in checked arithmetic. What does not fit (or divides by zero) becomes `overflowed` and stays it through
/// every further operation, so that a whole plan is computed first and judged once.
class Count {
 public:
  constexpr Count() = default;
  constexpr Count(std::int64_t value) : value_(value) {}

  constexpr std::int64_t value() const { return value_; }
  constexpr bool overflowed() const { return value_ == kOverflowed; }
  constexpr double real() const { return static_cast<double>(value_); }
  constexpr explicit operator bool() const { return value_ != 0; }

  friend constexpr Count operator+(Count a, Count b) {
    std::int64_t sum = 0;
    return bad(a, b) || __builtin_add_overflow(a.value_, b.value_, &sum) ? Count(kOverflowed) : Count(sum);
  }
  friend constexpr Count operator-(Count a, Count b) {
    std::int64_t difference = 0;
    return bad(a, b) || __builtin_sub_overflow(a.value_, b.value_, &difference) ? Count(kOverflowed) : Count(difference);
  }
  friend constexpr Count operator*(Count a, Count b) {
    std::int64_t product = 0;
    return bad(a, b) || __builtin_mul_overflow(a.value_, b.value_, &product) ? Count(kOverflowed) : Count(product);
  }
  friend constexpr Count operator/(Count a, Count b) {  // rounds towards zero, as // does for sizes
    return bad(a, b) || b.value_ == 0 ? Count(kOverflowed) : Count(a.value_ / b.value_);
  }
  friend constexpr Count operator%(Count a, Count b) {
    return bad(a, b) || b.value_ == 0 ? Count(kOverflowed) : Count(a.value_ % b.value_);
  }
  Count& operator+=(Count b) { return *this = *this + b; }
  Count& operator*=(Count b) { return *this = *this * b; }
  friend constexpr bool operator==(Count a, Count b) { return a.value_ == b.value_; }
  friend constexpr auto operator<=>(Count a, Count b) { return a.value_ <=> b.value_; }

 private:
  static constexpr std::int64_t kOverflowed = std::numeric_limits<std::int64_t>::min();
  static constexpr bool bad(Count a, Count b) { return a.overflowed() || b.overflowed(); }

  std::int64_t value_ = 0;
};

constexpr Count max(Count a, Count b) { return a.overflowed() || b.overflowed() ? (a.overflowed() ? a : b) : (a < b ? b : a); }
constexpr Count min(Count a, Count b) { return a < b ? a : b; }
constexpr Count ceil_div(Count a, Count b) { return (a + b - 1) / b; }
constexpr Count round_up(Count a, Count multiple) { return ceil_div(a, multiple) * multiple; }

}  // namespace modelwatch::estimator
