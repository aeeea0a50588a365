#include "advisories/manifest/padded_text.h"

#include <algorithm>

#include "estimator/json/reader.h"

namespace modelwatch::advisories {

PaddedText::PaddedText(Bytes bytes, std::size_t from) : bytes_(std::move(bytes)) {
  const std::string_view wanted = std::string_view(*bytes_).substr(std::min(from, bytes_->size()));
  if (bytes_->capacity() >= bytes_->size() + kSpare) {
    text_ = wanted;
    return;
  }
  copy_.reserve(wanted.size() + kSpare);
  copy_.assign(wanted);
  text_ = copy_;
  bytes_.reset();
}

std::string PaddedText::problem(const char* where, std::string_view reason) const {
  json::Problem problem;
  problem.reason = reason;
  const std::size_t offset = where >= text_.data() && where <= text_.data() + text_.size() ? static_cast<std::size_t>(where - text_.data()) : text_.size();
  const std::string_view before = text_.substr(0, offset);
  problem.line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  problem.column = offset - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
  return problem.to_string();
}

}  // namespace modelwatch::advisories
