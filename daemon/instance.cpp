#include "daemon/instance.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace modelwatch {

Result<Instance> Instance::claim(const std::string& database) {
  const std::string path = database + "-daemon";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0660);
  if (fd < 0) return fail(ErrorKind::database, "cannot open " + path + ": " + std::strerror(errno));
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    close(fd);
    return fail(ErrorKind::database, "another modelwatchd works on " + database, "modelwatchd --db FILE, or stop the other one");
  }
  return Instance(fd);
}

Instance::Instance(Instance&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Instance::~Instance() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace modelwatch
