#include "daemon/hub/transport.h"

#include <algorithm>

namespace modelwatch::hub {

namespace {

template <class Headers>
const std::string* find(const Headers& headers, std::string_view name) {
  const auto at = std::find_if(headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; });
  return at == headers.end() ? nullptr : &at->second;
}

}  // namespace

const std::string* Request::header(std::string_view lower_case_name) const { return find(headers, lower_case_name); }
const std::string* Response::header(std::string_view lower_case_name) const { return find(headers, lower_case_name); }

}  // namespace modelwatch::hub
