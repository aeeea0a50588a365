#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "advisories/diff/diff.h"
#include "advisories/diff/lint.h"
#include "estimator/json/writer.h"
#include "tests/support/snapshots.h"

// Two texts, parted by the first line of its own "----", as each file that the differ reads key by key: it ends, its document
// can be written, and findings read back as they were.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace modelwatch;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find("\n----\n");
  const std::string before(text.substr(0, cut)), after(cut == text.npos ? std::string_view() : text.substr(cut + 6));
  testing::Files olds, news;
  for (const char* path : {"config.json", "generation_config.json", "tokenizer_config.json", "special_tokens_map.json", "adapter_config.json",
                           "preprocessor_config.json", "1_Pooling/config.json", "modules.json", "quantize_config.json", "README.md", "modeling_x.py", "requirements.txt", "LICENSE"}) {
    olds[path] = before;
    news[path] = after;
  }
  const advisories::Snapshot was = testing::snapshot_of(olds), is = testing::snapshot_of(news);
  const advisories::Diff found = advisories::diff(was, is);
  json::write(advisories::to_json(found));
  for (const auto& change : found.parts)
    for (const auto& finding : change.findings) {
      const json::Value written = advisories::to_json(finding);
      if (finding.meaning.empty() || json::write(advisories::to_json(advisories::finding_from_json(written))) != json::write(written)) std::abort();
    }
  if (before == after && !found.parts.empty()) std::abort();
  advisories::states(is);
  advisories::lint(is);
  return 0;
}
