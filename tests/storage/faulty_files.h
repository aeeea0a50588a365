#pragma once

namespace modelwatch::storage {

/// The file system under SQLite with faults on demand: what SQLite does to files of Stores opened while it is there is
/// counted, and the n-th write, sync or truncation goes wrong.
class FaultyFiles {
 public:
  enum class Fault {
    none,
    full,     ///< SQLITE_FULL, as of a disk without space; every write from then on
    broken,   ///< SQLITE_IOERR, as of a disk that died; every write from then on
    killed,   ///< the process ends at once, as by kill -9
  };
  FaultyFiles();
  ~FaultyFiles();

  void fail(Fault fault, int at_operation);
  void heal() { fail(Fault::none, 0); }
  int operations() const;
};

}  // namespace modelwatch::storage
