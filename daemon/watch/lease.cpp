#include "daemon/watch/lease.h"

#include <utility>

namespace modelwatch::watch {

namespace {
constexpr std::chrono::seconds kLasts{120};
}

Lease::Lease(storage::Store& store, std::int64_t tracked, std::string holder, storage::Time now)
    : store_(store), tracked_(tracked), holder_(std::move(holder)), now_(now) {}

Lease::~Lease() {
  // Where even this fails the lease ends by itself.
  if (until_ != storage::Time{}) (void)store_.release(tracked_, holder_);
}

Result<bool> Lease::hold() {
  const auto gone_on = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began_);
  const storage::Time present = now_ + gone_on;
  if (present + kLasts / 2 < until_) return true;
  const auto held = store_.lease(tracked_, holder_, present, present + kLasts);
  until_ = held && *held ? present + kLasts : storage::Time{};
  return held;
}

}  // namespace modelwatch::watch
