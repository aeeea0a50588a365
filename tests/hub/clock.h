#pragma once
#include <chrono>

namespace modelwatch::testhub {

/// The hub's own time: commit dates, quota windows and expiry of signed URLs follow it. It starts at the real
/// time and runs with it, until a test moves it.
class Clock {
 public:
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;

  Time now() const {
    const auto real = std::chrono::steady_clock::now() - anchor_;
    return base_ + std::chrono::duration_cast<std::chrono::milliseconds>(real * scale_);
  }
  std::chrono::sys_seconds seconds() const { return std::chrono::floor<std::chrono::seconds>(now()); }

  void advance(std::chrono::milliseconds by) { base_ += by; }
  /// Sets the time; `scale` is hub seconds per real second, 0 stands still.
  void set(Time at, double scale) {
    base_ = at;
    scale_ = scale;
    anchor_ = std::chrono::steady_clock::now();
  }
  double scale() const { return scale_; }

 private:
  Time base_ = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  std::chrono::steady_clock::time_point anchor_ = std::chrono::steady_clock::now();
  double scale_ = 1;
};

}  // namespace modelwatch::testhub
