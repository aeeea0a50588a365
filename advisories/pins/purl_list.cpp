#include <algorithm>

#include "advisories/pins/formats.h"

namespace modelwatch::advisories {

PinFile purl_list_pins(std::string_view text) {
  PinFile file;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole.size() + 1));
    const auto begin = whole.find_first_not_of(" \t\r");
    if (begin == whole.npos || whole[begin] == '#') continue;
    // A '#' inside a purl is its subpath: a comment has a space before it.
    std::string_view purl = whole.substr(begin, whole.find(" #") == whole.npos ? whole.npos : whole.find(" #") - begin);
    purl = purl.substr(0, purl.find_last_not_of(" \t\r") + 1);
    const std::string type = purl_type(purl);
    const Position at{line, begin + 1};
    if (type == "huggingface") {
      const auto model = parse_model_purl(purl);
      if (model) file.pins.push_back({model->repository, model->hub, model->version, at, "purl", {}, {}});
      else file.problems.push_back({at, model.error().message});
    } else if (type.empty()) {
      file.problems.push_back({at, "not a purl"});
    }
  }
  return file;
}

}  // namespace modelwatch::advisories
