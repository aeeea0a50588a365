#include "daemon/http/ecosystems.h"

#include <algorithm>

namespace modelwatch::http {
namespace {

// The ecosystems of OSV schema 1.9.0.
constexpr std::string_view kEcosystems[] = {
    "AlmaLinux", "Alpaquita", "Alpine", "Android", "Azure Linux", "BellSoft Hardened Containers", "Bioconductor", "Bitnami",
    "CRAN", "Chainguard", "CleanStart", "ConanCenter", "Debian", "Docker Hardened Images", "Echo", "FreeBSD", "GHC", "GIT",
    "GitHub Actions", "Go", "Hackage", "Hex", "Homebrew", "Julia", "Kubernetes", "Linux", "Mageia", "Maven", "MinimOS", "NuGet",
    "OSS-Fuzz", "Packagist", "Photon OS", "Pub", "PyPI", "Red Hat", "Rocky Linux", "Root", "RubyGems", "SUSE", "SwiftURL",
    "TuxCare", "Ubuntu", "VSCode", "Wolfi", "WordPress", "crates.io", "npm", "opam", "openEuler", "openSUSE", "vcpkg"};
static_assert(std::ranges::is_sorted(kEcosystems));

}  // namespace

bool is_ecosystem(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon != name.npos && colon + 1 == name.size()) return false;
  return std::ranges::binary_search(kEcosystems, name.substr(0, colon));
}

}  // namespace modelwatch::http
