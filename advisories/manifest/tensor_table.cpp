#include "advisories/manifest/tensor_table.h"

#include <algorithm>
#include <simdjson.h>

#include "advisories/manifest/padded_text.h"

namespace modelwatch::advisories {
namespace {

using namespace simdjson;

constexpr std::size_t kMaxName = 4096, kMaxRank = 32, kMaxDtypes = 64, kMaxNames = 1u << 30;
constexpr std::uint64_t kMaxHeader = 100'000'000;  // the format's own cap

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::string with(std::uint64_t a, std::string_view words, std::uint64_t b) { return std::to_string(a) + std::string(words) + std::to_string(b); }

}  // namespace

class HeaderReader {
 public:
  HeaderReader(TensorTable& table, std::uint32_t file) : table_(table), file_(file) {}

  /// Reads all tensors; the error of the reader, or of ours in `trouble`.
  error_code read(ondemand::document& document) {
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) return error;
    for (auto field : object) {
      std::string_view key;
      ondemand::object entry;
      if (const auto error = field.unescaped_key().get(key)) return error;
      if (key == "__metadata__") continue;
      if (key.size() > kMaxName || table_.rows_.size() >= TensorTable::kMaxTensors || table_.names_.size() > kMaxNames) return refuse("too many or too long tensor names");
      const auto name = static_cast<std::uint32_t>(table_.names_.size());
      table_.names_.append(key);
      if (const auto error = field.value().get_object().get(entry)) return error;
      TensorTable::Row row{0, name, static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(table_.shapes_.size()), file_, 0, 0};
      if (const auto error = read_entry(entry, row)) return error;
      table_.rows_.push_back(row);
    }
    const char* behind = nullptr;
    return document.current_location().get(behind) ? SUCCESS : refuse("text behind the object");
  }

  std::uint64_t end() const { return end_; }
  std::string trouble;

 private:
  error_code refuse(std::string reason) {
    trouble = std::move(reason);
    return TAPE_ERROR;
  }

  error_code read_entry(ondemand::object& entry, TensorTable::Row& row) {
    for (auto field : entry) {
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      error_code error = SUCCESS;
      if (key == "dtype") error = read_dtype(field.value(), row);
      else if (key == "shape") error = read_shape(field.value(), row);
      else if (key == "data_offsets") error = read_offsets(field.value(), row);
      if (error) return error;
    }
    return SUCCESS;
  }

  error_code read_dtype(simdjson_result<ondemand::value> value, TensorTable::Row& row) {
    std::string_view text;
    if (const auto error = value.get_string().get(text)) return error;
    auto found = std::find(table_.dtypes_.begin(), table_.dtypes_.end(), text);
    if (found == table_.dtypes_.end()) {
      if (table_.dtypes_.size() >= kMaxDtypes || text.size() > 32) return refuse("unlikely data types");
      found = table_.dtypes_.emplace(found, text);
    }
    row.dtype = static_cast<std::uint16_t>(found - table_.dtypes_.begin());
    return SUCCESS;
  }

  error_code read_shape(simdjson_result<ondemand::value> value, TensorTable::Row& row) {
    ondemand::array shape;
    if (const auto error = value.get_array().get(shape)) return error;
    row.rank = 0;
    for (auto dimension : shape) {
      std::uint64_t length = 0;
      if (const auto error = dimension.get_uint64().get(length)) return error;
      if (++row.rank > kMaxRank) return refuse("more than 32 dimensions");
      table_.shapes_.push_back(length);
    }
    return SUCCESS;
  }

  error_code read_offsets(simdjson_result<ondemand::value> value, TensorTable::Row& row) {
    ondemand::array pair;
    std::array<std::uint64_t, 2> offsets{};
    std::size_t count = 0;
    if (const auto error = value.get_array().get(pair)) return error;
    for (auto offset : pair) {
      if (count == 2) return refuse("data_offsets are no pair");
      if (const auto error = offset.get_uint64().get(offsets[count++])) return error;
    }
    if (count != 2 || offsets[1] < offsets[0]) return refuse("data_offsets are no pair");
    row.bytes = offsets[1] - offsets[0];
    end_ = std::max(end_, offsets[1]);
    return SUCCESS;
  }

  TensorTable& table_;
  std::uint32_t file_;
  std::uint64_t end_ = 0;
};

std::uint64_t Tensor::elements() const {
  std::uint64_t product = 1;
  for (const std::uint64_t length : shape)
    if (__builtin_mul_overflow(product, length, &product)) return UINT64_MAX;
  return product;
}

std::string TensorTable::read(const Bytes& header, std::uint64_t file_size, std::uint32_t file) {
  const std::string_view bytes = *header;
  if (bytes.starts_with("version https://git-lfs")) return "an LFS pointer was committed in place of the file";
  if (file_size == 0) return "the file is empty";
  if (bytes.size() < 8) return "the file has " + std::to_string(bytes.size()) + " bytes, too few for a header";
  const std::uint64_t length = little_endian(bytes);
  if (length > kMaxHeader || length + 8 > file_size) return with(length, " bytes of header do not fit into a file of ", file_size);
  if (length + 8 > bytes.size()) return with(length, " bytes of header, of which were read ", bytes.size() - 8);
  const auto text_bytes = std::make_shared<std::string>();
  text_bytes->reserve(length + PaddedText::kSpare);
  text_bytes->assign(bytes.substr(8, length));
  const PaddedText text(text_bytes);
  ondemand::parser parser;
  ondemand::document document;
  HeaderReader reader(*this, file);
  auto error = parser.iterate(padded_string_view(text.text().data(), text.text().size(), text.capacity())).get(document);
  const bool begun = !error;  // a document that was refused at once, as an empty one, has no place to ask for
  if (begun) error = reader.read(document);
  if (error) {
    const char* where = nullptr;
    if (!begun || document.current_location().get(where)) where = text.text().data();
    return "header, " + text.problem(where, reader.trouble.empty() ? error_message(error) : reader.trouble.c_str());
  }
  if (reader.end() > file_size - 8 - length) return with(8 + length + reader.end(), " bytes by its header, ", file_size) + " in the listing: it is cut";
  if (reader.end() < file_size - 8 - length) return with(8 + length + reader.end(), " bytes by its header, ", file_size) + " in the listing";
  return {};
}

void TensorTable::finish() {
  const std::string_view names = names_;
  std::sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) { return names.substr(a.name, a.name_size) < names.substr(b.name, b.name_size); });
}

Tensor TensorTable::operator[](std::size_t i) const {
  const Row& row = rows_[i];
  return {std::string_view(names_).substr(row.name, row.name_size), dtypes_[row.dtype], std::span(shapes_).subspan(row.shape, row.rank), row.bytes, row.file};
}

std::optional<Tensor> TensorTable::find(std::string_view name) const {
  const std::string_view names = names_;
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), name, [&](const Row& row, std::string_view wanted) { return names.substr(row.name, row.name_size) < wanted; });
  if (at == rows_.end() || names.substr(at->name, at->name_size) != name) return std::nullopt;
  return (*this)[static_cast<std::size_t>(at - rows_.begin())];
}

}  // namespace modelwatch::advisories
