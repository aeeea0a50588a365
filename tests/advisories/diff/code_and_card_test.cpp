#include <gtest/gtest.h>

#include "advisories/diff/diff.h"
#include "estimator/json/writer.h"
#include "tests/support/snapshots.h"

namespace modelwatch::advisories {
namespace {

using testing::Files;
using testing::snapshot_of;

Finding only(const Files& before, const Files& after) {
  const Diff found = diff(snapshot_of(before), snapshot_of(after));
  EXPECT_EQ(found.parts.size(), 1u);
  if (found.parts.empty() || found.parts[0].findings.empty()) return {};
  EXPECT_EQ(found.parts[0].findings.size(), 1u) << json::write(to_json(found), json::Style::pretty);
  return found.parts[0].findings[0];
}

TEST(Code, APythonFileIsSecurityAndSaysWhatItNewlyReaches) {
  const Finding added = only({}, {{"modeling_x.py", "import torch\nimport requests\nrequests.get('http://x')\n"}});
  EXPECT_EQ(added.impact, Impact::security);
  EXPECT_EQ(added.rule, "code.python.added");
  EXPECT_NE(added.meaning.find("network"), std::string::npos) << added.meaning;
  const Finding changed = only({{"handler.py", "x = 1\n"}}, {{"handler.py", "x = 1\nmodel = load('a/b', trust_remote_code = True)\n"}});
  EXPECT_NE(changed.meaning.find("remote code"), std::string::npos) << changed.meaning;
  EXPECT_EQ(only({{"x.py", "a"}}, {}).impact, Impact::security);
}

TEST(Code, WordsInCommentsAndMethodsOfOthersAreNoReach) {
  const Finding finding = only({{"m.py", "model.train()\n"}}, {{"m.py", "# subprocess\nmodel.eval()\n'''eval( in a text'''\n"}});
  EXPECT_EQ(finding.evidence.find("reaches_added"), nullptr) << json::write(finding.evidence);
}

TEST(Code, ANewPackageIsCodeAnotherVersionIsBehaviour) {
  EXPECT_EQ(only({{"requirements.txt", "torch\n"}}, {{"requirements.txt", "torch\nevil\n"}}).impact, Impact::security);
  EXPECT_EQ(only({{"requirements.txt", "torch==1\n"}}, {{"requirements.txt", "torch==2\n"}}).impact, Impact::behaviour);
}

TEST(Code, AFileThatIsNotAtHandIsStillSecurity) {
  const Diff found = diff(snapshot_of({}, {{"a.py", "aa", 9, {}}}), snapshot_of({}, {{"a.py", "bb", 9, {}}}));
  EXPECT_EQ(found.impact, Impact::security);
  EXPECT_EQ(found.unreadable.size(), 1u);
}

TEST(Card, TermsAreLegalDescriptionIsCosmetic) {
  const Finding license = only({{"README.md", "---\nlicense: mit\n---\n"}}, {{"README.md", "---\nlicense: cc-by-nc-4.0\n---\n"}});
  EXPECT_EQ(license.rule, "card.license.replaced");
  EXPECT_EQ(license.impact, Impact::legal);
  EXPECT_EQ(license.pointer, "/license");
  EXPECT_NE(license.meaning.find("commercial use is no longer permitted"), std::string::npos);
  EXPECT_NE(only({{"README.md", "---\nlicense: cc-by-nc-4.0\n---\n"}}, {{"README.md", "---\nlicense: apache-2.0\n---\n"}}).meaning.find("from cc-by-nc-4.0 to apache-2.0"), std::string::npos);
  EXPECT_EQ(only({{"README.md", "---\na: 1\n---\n"}}, {{"README.md", "---\na: 1\nextra_gated_prompt: agree\n---\n"}}).impact, Impact::legal);
  EXPECT_EQ(only({{"README.md", "---\nbase_model: a/b\n---\n"}}, {{"README.md", "---\nbase_model: [a/b, c/d]\n---\n"}}).impact, Impact::cosmetic);
  EXPECT_EQ(only({{"README.md", "a\n"}}, {{"README.md", "b\n"}}).rule, "card.body.changed");
}

TEST(Card, MetadataThatNoLongerParsesLosesTheLicence) {
  const Finding finding = only({{"README.md", "---\nlicense: mit\n---\n"}}, {{"README.md", "---\nlicense: [mit\n---\n"}});
  EXPECT_EQ(finding.rule, "card.front_matter.unparsable");
  EXPECT_EQ(finding.impact, Impact::legal);
}

TEST(License, TheTextIsRecognised) {
  const Finding finding = only({{"LICENSE", "MIT License\nCopyright"}}, {{"LICENSE", "Apache License\nVersion 2.0"}});
  EXPECT_EQ(finding.impact, Impact::legal);
  EXPECT_NE(finding.meaning.find("MIT became Apache-2.0"), std::string::npos) << finding.meaning;
  EXPECT_EQ(only({{"LICENSE", "MIT License"}}, {{"LICENSE.txt", "MIT License"}}).impact, Impact::cosmetic);
}

TEST(Other, FilesThatNobodyReadsAreCosmetic) {
  EXPECT_EQ(only({{".gitattributes", "a"}}, {{".gitattributes", "b"}}).impact, Impact::cosmetic);
  EXPECT_EQ(only({{"mlc-chat-config.json", R"({"conv_template":"a"})"}}, {{"mlc-chat-config.json", R"({"conv_template":"b"})"}}).impact, Impact::breaking);
}

}  // namespace
}  // namespace modelwatch::advisories
