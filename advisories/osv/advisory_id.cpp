#include <cstdio>

#include "advisories/manifest/digest.h"
#include "advisories/osv/advisory.h"

namespace modelwatch::advisories {

std::string advisory_id(std::string_view prefix, int year, std::string_view repository, std::string_view sha, Part part,
                        std::size_t digits) {
  std::string preimage = "hf-change/1\nmodel\n";
  preimage.append(repository).append("\n").append(sha).append("\n").append(name(part));
  char number[16];
  std::snprintf(number, sizeof number, "-%04d-", year);
  return std::string(prefix) + number + sha256(preimage).substr(0, digits);
}

}  // namespace modelwatch::advisories
