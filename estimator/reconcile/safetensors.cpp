#include "estimator/json/reader.h"
#include "estimator/reconcile/stored_tensor.h"

namespace modelwatch::estimator {
namespace {

constexpr std::uint64_t kLongestHeader = 100'000'000;  // the format's own limit
constexpr std::int64_t kLargestTensor = std::int64_t{1} << 40;  // so that sums over any table fit into 64 bits

Result<StoredTensor> read_entry(const std::string& name, const json::Value& entry) {
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorKind::bad_input, "safetensors header: " + name + ": " + std::string(what));
  };
  StoredTensor tensor;
  tensor.name = name;
  const json::Value* dtype = entry.find("dtype");
  const json::Value* shape = entry.find("shape");
  const json::Value* offsets = entry.find("data_offsets");
  if (!dtype || !dtype->string()) return wrong("no dtype");
  if (!shape || !shape->array()) return wrong("no shape");
  tensor.dtype = *dtype->string();
  for (const json::Value& size : *shape->array()) {
    if (!size.integer() || *size.integer() < 0) return wrong("a size that is no size");
    tensor.shape.push_back(*size.integer());
  }
  if (offsets && offsets->array() && offsets->array()->size() == 2) {
    const auto begin = (*offsets->array())[0].integer(), end = (*offsets->array())[1].integer();
    if (!begin || !end || *begin < 0 || *end < *begin || *end - *begin > 8 * kLargestTensor) return wrong("data_offsets that are none");
    tensor.bytes = *end - *begin;
  }
  return tensor;
}

}  // namespace

std::int64_t StoredTensor::scalars() const {
  std::int64_t product = 1;
  for (const std::int64_t size : shape)
    if (__builtin_mul_overflow(product, size, &product)) return 0;
  return product <= kLargestTensor ? product : 0;
}

Result<std::vector<StoredTensor>> read_safetensors_header(std::string_view bytes) {
  if (bytes.size() < 8) return fail(ErrorKind::bad_input, "safetensors header: shorter than eight bytes");
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  if (length > kLongestHeader) return fail(ErrorKind::bad_input, "safetensors header: longer than 100 MB");
  if (bytes.size() - 8 < length) return fail(ErrorKind::bad_input, "safetensors header: cut off");
  const auto document = json::read(bytes.substr(8, static_cast<std::size_t>(length)), {.depth = 8, .values = 16'000'000});
  if (!document) return fail(ErrorKind::bad_input, "safetensors header: " + document.error().to_string());
  const json::Object* table = document->value.object();
  if (!table) return fail(ErrorKind::bad_input, "safetensors header: no table");
  std::vector<StoredTensor> tensors;
  for (const auto& [name, entry] : *table) {
    if (name == "__metadata__") continue;
    auto tensor = read_entry(name, entry);
    if (!tensor) return tl::unexpected(tensor.error());
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

}  // namespace modelwatch::estimator
