#include "daemon/cli/command.h"

namespace modelwatch::cli {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::bad_input: return 2;
    case ErrorKind::not_found: return 3;
    case ErrorKind::upstream: return 4;
    case ErrorKind::database: return 5;
    case ErrorKind::interrupted: return 130;
  }
  return 2;
}

}  // namespace modelwatch::cli
