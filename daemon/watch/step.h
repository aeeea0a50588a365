#pragma once
#include <tl/expected.hpp>
#include <variant>

#include "daemon/hub/client.h"
#include "estimator/error.h"

namespace modelwatch::watch {

/// Another process checks the same repository.
struct Busy {};

/// Why a check ended early: the Hub, our own database, or somebody else at work.
using Ended = std::variant<hub::Trouble, Error, Busy>;

/// A step of the pipeline: its value, or why the check ends here. What was committed before stays.
template <class T>
using Step = tl::expected<T, Ended>;

template <class T, class E>
tl::unexpected<Ended> ended(tl::expected<T, E>& failed) {
  return tl::unexpected<Ended>(std::move(failed.error()));
}

}  // namespace modelwatch::watch
