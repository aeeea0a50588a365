#pragma once
#include <string>

#include "daemon/hub/client.h"

namespace modelwatch::hub {

/// "ok", or the kind of trouble: readable in a failed comparison.
template <class T>
std::string kind_of(const Outcome<T>& outcome) {
  if (outcome) return "ok";
  static constexpr const char* names[] = {"missing",      "gated",   "disabled",  "no_revision", "no_entry",
                                          "rate_limited", "refused", "malformed", "offline",     "interrupted"};
  return names[static_cast<std::size_t>(outcome.error().kind)];
}
template <class T>
std::string message_of(const Outcome<T>& outcome) {
  return outcome ? "ok" : outcome.error().message;
}

/// The bytes, or why there are none.
inline std::string text_of(const Outcome<advisories::Bytes>& outcome) { return outcome ? **outcome : outcome.error().message; }

}  // namespace modelwatch::hub
