#pragma once
#include <stop_token>
#include <thread>

namespace modelwatch::cli {

/// INT and TERM ask a long command to stop, for as long as this lives; a second one ends the program at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread waiter_;
};

}  // namespace modelwatch::cli
