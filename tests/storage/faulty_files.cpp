#include "tests/storage/faulty_files.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cstring>
#include <map>

namespace modelwatch::storage {

namespace {

FaultyFiles::Fault planned = FaultyFiles::Fault::none;
int operation = 0, failing_from = 0;

/// SQLITE_OK, or how the operation at hand goes wrong.
int next_operation() {
  ++operation;
  if (planned == FaultyFiles::Fault::none || operation < failing_from) return SQLITE_OK;
  switch (planned) {
    case FaultyFiles::Fault::full: return SQLITE_FULL;
    case FaultyFiles::Fault::broken: return SQLITE_IOERR_WRITE;
    case FaultyFiles::Fault::killed: _exit(9);
    case FaultyFiles::Fault::none: break;
  }
  return SQLITE_OK;
}

/// SQLite's own methods of a file, and ours that go before them. A file keeps its class; only the methods are changed.
struct Methods {
  sqlite3_io_methods ours{};
  const sqlite3_io_methods* theirs = nullptr;
};
std::map<const sqlite3_io_methods*, Methods>& methods() {
  static std::map<const sqlite3_io_methods*, Methods> all;
  return all;
}
const sqlite3_io_methods* theirs(sqlite3_file* file) {
  for (const auto& [original, wrapped] : methods())
    if (&wrapped.ours == file->pMethods) return original;
  return file->pMethods;
}

int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  if (const int code = next_operation(); code != SQLITE_OK) return code;
  return theirs(file)->xWrite(file, bytes, size, offset);
}
int sync(sqlite3_file* file, int flags) {
  if (const int code = next_operation(); code != SQLITE_OK) return code == SQLITE_FULL ? SQLITE_OK : SQLITE_IOERR_FSYNC;
  return theirs(file)->xSync(file, flags);
}
int truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (const int code = next_operation(); code != SQLITE_OK) return code == SQLITE_FULL ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
  return theirs(file)->xTruncate(file, size);
}

sqlite3_vfs* real = nullptr;
sqlite3_vfs faulty{};

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
  const int code = real->xOpen(real, name, file, flags, out);
  if (code != SQLITE_OK || !file->pMethods) return code;
  Methods& wrapped = methods()[file->pMethods];
  if (!wrapped.theirs) {
    wrapped.theirs = file->pMethods;
    wrapped.ours = *file->pMethods;
    wrapped.ours.xWrite = write;
    wrapped.ours.xSync = sync;
    wrapped.ours.xTruncate = truncate;
  }
  file->pMethods = &wrapped.ours;
  return code;
}

}  // namespace

FaultyFiles::FaultyFiles() {
  if (!real) {
    real = sqlite3_vfs_find(nullptr);
    faulty = *real;
    faulty.zName = "faulty";
    faulty.xOpen = open_file;
    faulty.pNext = nullptr;
  }
  heal();
  sqlite3_vfs_register(&faulty, 1);
}

FaultyFiles::~FaultyFiles() {
  heal();
  sqlite3_vfs_register(real, 1);
}

void FaultyFiles::fail(Fault fault, int at_operation) {
  planned = fault;
  failing_from = at_operation;
  operation = 0;
}

int FaultyFiles::operations() const { return operation; }

}  // namespace modelwatch::storage
