#include <algorithm>

#include "advisories/pins/formats.h"
#include "advisories/pins/model_url.h"

namespace modelwatch::advisories {

PinFile gitmodules_pins(std::string_view text) {
  PinFile file;
  for (std::size_t line = 1; !text.empty(); ++line) {
    std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole.size() + 1));
    const auto begin = whole.find_first_not_of(" \t");
    const auto equals = whole.find('=');
    if (begin == whole.npos || equals == whole.npos || whole[begin] == '#' || whole[begin] == ';') continue;
    const std::string_view key = whole.substr(begin, whole.find_last_not_of(" \t", equals - 1) + 1 - begin);
    const auto value_at = whole.find_first_not_of(" \t\"", equals + 1);
    if (key != "url" || value_at == whole.npos) continue;
    const std::string_view value = whole.substr(value_at, whole.find_last_not_of(" \t\r\"") + 1 - value_at);
    if (const auto model = parse_model_url(value))
      file.pins.push_back({model->repository, std::string(kPublicHub), model->revision, {line, value_at + 1}, "submodule", {}, {}});
  }
  return file;
}

}  // namespace modelwatch::advisories
