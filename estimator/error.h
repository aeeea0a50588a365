#pragma once
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace modelwatch {

/// What kind of trouble it is; one table maps it to the exit code (daemon/cli), another to the HTTP status (daemon/http).
enum class ErrorKind {
  usage,        ///< the command or request itself is wrong
  bad_input,    ///< a document that was given cannot be used; `message` names the file and the key or line
  not_found,    ///< what was asked for is not there
  upstream,     ///< the Hub could not be reached, or refused
  database,     ///< SQLite said no, or the schema is newer than this program
  interrupted,  ///< stopped by a signal or a stop_token before it was done
};

/// An expected failure, passed as a value. `message` is one line: what failed and why. `hint` is what the user
/// can do about it (printed after "try:"), empty where there is nothing to say.
struct Error {
  ErrorKind kind = ErrorKind::bad_input;
  std::string message;
  std::string hint = {};
};

/// A value, or why there is none. Exceptions are kept for broken invariants.
template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(message), std::move(hint)});
}

}  // namespace modelwatch
