#include "daemon/cli/diff_text.h"

#include <ostream>

namespace modelwatch::cli {

void print_diff(const advisories::Diff& diff, Console& console) {
  for (const advisories::Change& change : diff.parts) {
    console.out << name(change.part) << "  " << name(change.impact) << '\n';
    for (const advisories::Finding& finding : change.findings)
      console.out << "  " << name(finding.impact) << "  " << finding.meaning << '\n';
  }
}

}  // namespace modelwatch::cli
