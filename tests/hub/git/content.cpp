#include "tests/hub/git/content.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace modelwatch::testhub {
namespace {

constexpr std::array<char, 1 << 16> zeros{};

}  // namespace

struct Content::Storage {
  std::string text;
  void* mapping = nullptr;
  std::string_view bytes;
  std::uint64_t size = 0;
  std::string stand_in;

  Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (mapping) ::munmap(mapping, bytes.size());
  }
};

Content::Content(std::string text) {
  auto storage = std::make_shared<Storage>();
  storage->text = std::move(text);
  storage->bytes = storage->text;
  storage->size = storage->bytes.size();
  storage_ = std::move(storage);
}

Content Content::file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw std::runtime_error(path.string() + ": " + std::strerror(errno));
  struct stat status {};
  void* mapping = nullptr;
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (regular && size > 0) mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  ::close(descriptor);
  if (!regular || mapping == MAP_FAILED) throw std::runtime_error(path.string() + ": not a readable file");
  auto storage = std::make_shared<Storage>();
  storage->mapping = mapping;
  storage->bytes = mapping ? std::string_view(static_cast<const char*>(mapping), size) : std::string_view();
  storage->size = size;
  return Content(std::move(storage));
}

Content Content::hollow(std::string prefix, std::uint64_t size, std::uint64_t seed) {
  if (size < prefix.size()) throw std::runtime_error("hollow content smaller than its prefix");
  auto storage = std::make_shared<Storage>();
  storage->text = std::move(prefix);
  storage->bytes = storage->text;
  storage->size = size;
  storage->stand_in = "hollow " + std::to_string(size) + " " + std::to_string(seed) + "\n" + storage->text;
  return Content(std::move(storage));
}

std::uint64_t Content::size() const {
  return storage_->size;
}

std::string_view Content::read(std::uint64_t offset, std::uint64_t most) const {
  if (offset >= storage_->size) return {};
  most = std::min(most, storage_->size - offset);
  if (offset < storage_->bytes.size()) return storage_->bytes.substr(offset, most);
  return {zeros.data(), static_cast<std::size_t>(std::min<std::uint64_t>(most, zeros.size()))};
}

std::string_view Content::bytes() const {
  return storage_->bytes;
}
const std::string& Content::stand_in() const {
  return storage_->stand_in;
}

}  // namespace modelwatch::testhub
