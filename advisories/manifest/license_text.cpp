#include "advisories/manifest/license_text.h"

#include <algorithm>
#include <string>

namespace modelwatch::advisories {

std::string_view recognised_license(std::string_view text) {
  struct Known {
    std::string_view words, name;
  };
  static constexpr Known known[] = {
      {"apache license", "Apache-2.0"},          {"mit license", "MIT"},                       {"attribution-noncommercial", "CC BY-NC"},
      {"llama 4 community", "Llama 4 Community"}, {"llama 3.3 community", "Llama 3.3 Community"}, {"llama 3.2 community", "Llama 3.2 Community"},
      {"llama 3.1 community", "Llama 3.1 Community"}, {"meta llama 3 community", "Llama 3 Community"}, {"llama 2 community", "Llama 2 Community"},
      {"gemma terms of use", "Gemma"},           {"responsible ai license", "OpenRAIL"},       {"openrail", "OpenRAIL"},
      {"tongyi qianwen", "Tongyi Qianwen"},      {"qwen research", "Qwen Research"},           {"deepseek license", "DeepSeek"},
      {"mistral ai research", "Mistral Research"}, {"attribution 4.0 international", "CC BY 4.0"}, {"gnu affero", "AGPL"},
      {"gnu lesser", "LGPL"},                    {"gnu general public", "GPL"},                {"redistribution and use in source and binary", "BSD"},
      {"permission is hereby granted, free of charge", "MIT"}};
  std::string head(text.substr(0, 4000));
  std::transform(head.begin(), head.end(), head.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  for (const Known& row : known)
    if (head.find(row.words) != head.npos) return row.name;
  return {};
}

}  // namespace modelwatch::advisories
