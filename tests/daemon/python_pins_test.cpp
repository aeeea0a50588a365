#include "daemon/cli/python_pins.h"

#include <gtest/gtest.h>

namespace modelwatch::cli {
namespace {

/// One helper for all sources, as check does it.
std::vector<std::string> found(const std::vector<std::string>& sources) {
  std::vector<PythonFile> files;
  for (std::size_t i = 0; i < sources.size(); ++i) files.push_back({std::to_string(i), sources[i]});
  const auto read = python_pins(files);
  if (!read) return std::vector<std::string>(sources.size(), read.error().message);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& file = read->at(std::to_string(i));
    std::string& text = texts.emplace_back(file ? "" : file.error().message);
    if (!file) continue;
    for (const advisories::Pin& pin : file->pins)
      text += std::to_string(pin.at.line) + ":" + std::to_string(pin.at.column) + " " + pin.repository + "@" + pin.revision + " " + pin.form + "\n";
    for (const advisories::PinProblem& problem : file->problems) text += std::to_string(problem.at.line) + " ! " + problem.reason + "\n";
  }
  return texts;
}

TEST(PythonPins, AreTheCallsThatLoadModels) {
  const struct {
    const char *source, *pins;
  } rows[] = {
      {"", ""},
      {"AutoModel.from_pretrained('org/name')", "1:27 org/name@ from_pretrained\n"},
      {"AutoModel.from_pretrained('org/name', revision='abc')", "1:48 org/name@abc from_pretrained\n"},
      {"AutoModel.from_pretrained(\n    pretrained_model_name_or_path='org/name',\n    revision=\"abc\")", "3:14 org/name@abc from_pretrained\n"},
      {"NAME = 'org/name'\nREV: str = 'abc'\nsnapshot_download(repo_id=NAME, revision=REV)", "3:42 org/name@abc snapshot_download\n"},
      {"NAME = 'org/a'\nNAME = 'org/b'\nsnapshot_download(NAME)", ""},
      {"def f(NAME='x'):\n    snapshot_download(NAME)\nNAME = 'org/name'", ""},
      {"huggingface_hub.hf_hub_download('org/name', 'config.json')", "1:33 org/name@ hf_hub_download\n"},
      {"hf_hub_download('org/data', 'x', repo_type='dataset')", ""},
      {"load_dataset('org/data')", ""},
      {"pipeline('text-generation', model='org/name', revision='v1')", "1:56 org/name@v1 pipeline\n"},
      {"LLM(model='org/name')", "1:11 org/name@ LLM\n"},
      {"SentenceTransformer('all-MiniLM-L6-v2')", ""},
      {"AutoModel.from_pretrained('gpt2', revision='abc')", "1:44 gpt2@abc from_pretrained\n"},
      {"AutoModel.from_pretrained('./local/model')", ""},
      {"AutoModel.from_pretrained('https://huggingface.co/org/name/tree/abc')", "1:27 org/name@abc from_pretrained\n"},
      {"AutoModel.from_pretrained('org/name', revision=args.rev)", "1:27 org/name@ from_pretrained\n1 ! the revision of org/name is not known before it runs\n"},
      {"# AutoModel.from_pretrained('org/name')\nx = \"AutoModel.from_pretrained('org/name')\"", ""},
      {"f(", "line 1, column 2: '(' was never closed"},
  };
  std::vector<std::string> sources;
  for (const auto& row : rows) sources.push_back(row.source);
  const auto texts = found(sources);
  for (std::size_t i = 0; i < sources.size(); ++i) EXPECT_EQ(texts[i], rows[i].pins) << sources[i];
}

TEST(PythonPins, OfHostileFilesEnd) {
  std::string deep = "x = ";
  for (int i = 0; i < 5000; ++i) deep += "(";
  std::string chain = "x = 1";
  for (int i = 0; i < 50'000; ++i) chain += "+1";
  for (const std::string& text : found({deep, chain, std::string("a\0b", 3)})) EXPECT_NE(text.find("line"), std::string::npos) << text;
}

}  // namespace
}  // namespace modelwatch::cli
