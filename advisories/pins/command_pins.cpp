// What command lines say of models: servers, downloaders, containers that run them, addresses.
#include <algorithm>
#include <array>
#include <optional>

#include "advisories/osv/package_name.h"
#include "advisories/pins/formats.h"
#include "advisories/pins/model_url.h"

namespace modelwatch::advisories {
namespace {

using Names = std::array<std::string_view, 4>;  // unused places are empty

/// A program that takes a model, and how.
struct Tool {
  std::string_view program;      ///< name of the executable, or of the module after "python -m"
  std::string_view subcommand;   ///< must follow; empty = none
  bool positional = false;       ///< the first word that is no option names the model
  Names model_options{}, revision_options{};
  std::string_view form;
};

constexpr Names kRevision = {"--revision"};
constexpr std::array kTools = {
    Tool{"vllm", "serve", true, {"--model"}, kRevision, "vllm serve"},
    Tool{"vllm.entrypoints.openai.api_server", "", false, {"--model"}, kRevision, "vllm api_server"},
    Tool{"vllm.entrypoints.api_server", "", false, {"--model"}, kRevision, "vllm api_server"},
    Tool{"sglang.launch_server", "", false, {"--model-path", "--model"}, kRevision, "sglang.launch_server"},
    Tool{"text-generation-launcher", "", false, {"--model-id"}, kRevision, "text-generation-launcher"},
    Tool{"text-embeddings-router", "", false, {"--model-id"}, kRevision, "text-embeddings-router"},
    Tool{"lmdeploy", "serve", false, {"--model-path"}, kRevision, "lmdeploy serve"},
    Tool{"llama-server", "", false, {"-hf", "-hfr", "--hf-repo"}, {}, "llama.cpp"},
    Tool{"llama-cli", "", false, {"-hf", "-hfr", "--hf-repo"}, {}, "llama.cpp"},
    Tool{"llama-bench", "", false, {"-hf", "-hfr", "--hf-repo"}, {}, "llama.cpp"},
    Tool{"llama-embedding", "", false, {"-hf", "-hfr", "--hf-repo"}, {}, "llama.cpp"},
    Tool{"hf", "download", true, {}, kRevision, "hf download"},
    Tool{"huggingface-cli", "download", true, {}, kRevision, "huggingface-cli download"},
};

/// Images whose entry point is one of the tools: arguments follow the image's name at once.
struct Image {
  std::string_view part;  ///< of the image's name
  std::string_view program;
};
constexpr std::array kImages = {
    Image{"vllm-openai", "vllm.entrypoints.openai.api_server"},     Image{"text-generation-inference", "text-generation-launcher"},
    Image{"text-embeddings-inference", "text-embeddings-router"},   Image{"llama.cpp", "llama-server"},
};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool among(std::string_view text, const Names& names) {
  return !text.empty() && std::find(names.begin(), names.end(), text) != names.end();
}

/// Options without a value that stand before the model in practice.
bool is_flag(std::string_view option) {
  constexpr std::array<std::string_view, 6> flags = {"--trust-remote-code", "--quiet", "--enforce-eager", "--force-download", "--dry-run", "-q"};
  return std::find(flags.begin(), flags.end(), option) != flags.end();
}

struct Arguments {
  std::optional<Word> model, revision;
  bool of_another_kind = false;  ///< --repo-type dataset
};

Arguments read_arguments(const Tool& tool, const std::vector<Word>& words, std::size_t at) {
  Arguments found;
  for (; at < words.size(); ++at) {
    const Word& word = words[at];
    if (!word.text.starts_with('-')) {
      if (tool.positional && !found.model) found.model = word;
      continue;
    }
    const auto equals = word.text.find('=');
    const std::string option = word.text.substr(0, equals);
    Word value;
    if (equals != word.text.npos) value = {word.text.substr(equals + 1), {word.at.line, word.at.column + equals + 1}, word.exact};
    else if (!is_flag(option) && at + 1 < words.size() && !words[at + 1].text.starts_with('-')) value = words[++at];
    if (among(option, tool.model_options)) found.model = value;
    if (among(option, tool.revision_options)) found.revision = value;
    if (option == "--repo-type" && value.text != "model") found.of_another_kind = true;
  }
  return found;
}

void add(PinFile& file, const std::optional<Word>& model, const std::optional<Word>& revision, std::string_view form) {
  if (!model) return;
  if (!model->exact) return file.problems.push_back({model->at, "the model's name is not known before it runs: " + std::string(form)});
  std::string repository = model->text;
  std::string said = revision ? revision->text : "";
  if (const auto url = parse_model_url(repository)) {
    repository = url->repository;
    if (said.empty()) said = url->revision;
  } else if (form == "llama.cpp") {
    repository = repository.substr(0, repository.find(':'));  // ":Q4_K_M" chooses a file
  }
  // A single word is as likely a folder; it counts where a revision says that it is none.
  if (!is_repository_name(repository) || (repository.find('/') == repository.npos && said.empty())) return;
  if (revision && !revision->exact) {
    file.problems.push_back({revision->at, "the revision of " + repository + " is not known before it runs"});
    said.clear();
  }
  file.pins.push_back({repository, std::string(kPublicHub), said, said.empty() || !revision ? model->at : revision->at, std::string(form), {}, {}});
}

const Tool* tool_at(const std::vector<Word>& words, std::size_t& at) {
  for (const Tool& tool : kTools) {
    if (base_name(words[at].text) != tool.program) continue;
    if (tool.subcommand.empty()) return ++at, &tool;
    if (at + 1 < words.size() && words[at + 1].text == tool.subcommand) return at += 2, &tool;
  }
  return nullptr;
}

const Tool* tool_of_image(std::string_view image) {
  for (const Image& known : kImages)
    if (image.find(known.part) != image.npos)
      for (const Tool& tool : kTools)
        if (tool.program == known.program) return &tool;
  return nullptr;
}

void addresses(const std::vector<Word>& words, PinFile& file) {
  const bool clones = words.size() > 2 && base_name(words[0].text) == "git" && words[1].text == "clone";
  std::string branch;
  for (std::size_t i = 0; clones && i + 1 < words.size(); ++i)
    if (words[i].text == "-b" || words[i].text == "--branch" || words[i].text == "--revision") branch = words[i + 1].text;
  for (const Word& word : words)
    if (const auto url = word.exact ? parse_model_url(word.text) : std::nullopt)
      file.pins.push_back({url->repository, std::string(kPublicHub), url->revision.empty() ? branch : url->revision, word.at,
                           clones ? "git clone" : "address", {}, {}});
}

}  // namespace

void environment_pins(const std::map<std::string, Word>& variables, PinFile& file) {
  const auto value = [&](std::initializer_list<const char*> names) -> std::optional<Word> {
    for (const char* name : names)
      if (const auto found = variables.find(name); found != variables.end()) return found->second;
    return std::nullopt;
  };
  add(file, value({"MODEL_ID", "HF_MODEL_ID"}), value({"REVISION", "HF_MODEL_REVISION"}), "environment");
}

void command_pins(const std::vector<Word>& words, std::string_view image, PinFile& file) {
  // Wrappers (sudo, env, uv run, python -m …) stand before the program, an image before its arguments.
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::size_t behind = at;
    const Tool* tool = tool_at(words, behind);
    if (!tool && at > 0) {
      tool = tool_of_image(words[at].text);
      behind = at + 1;
      if (tool && at + 1 < words.size() && !words[at + 1].text.starts_with('-')) continue;  // another entry point follows
    }
    if (!tool) continue;
    const Arguments arguments = read_arguments(*tool, words, behind);
    if (!arguments.of_another_kind) add(file, arguments.model, arguments.revision, tool->form);
    return;
  }
  if (const Tool* tool = image.empty() ? nullptr : tool_of_image(image)) {
    const Arguments arguments = read_arguments(*tool, words, 0);
    return add(file, arguments.model, arguments.revision, tool->form);
  }
  addresses(words, file);
}

void environment_file_pins(std::string_view text, PinFile& file) {
  std::map<std::string, Word> variables;
  for (Command& command : shell_commands(text))
    if (command.words.empty() || command.words.front().text == "export") variables.merge(command.assignments);
  environment_pins(variables, file);
}

void script_pins(std::string_view script, Position start, const Variables& variables, std::size_t indent, PinFile& file) {
  for (const Command& command : shell_commands(script, start, variables, indent)) {
    environment_pins(command.assignments, file);
    std::map<std::string, Word> passed;  // docker run -e NAME=value
    for (std::size_t i = 0; i + 1 < command.words.size(); ++i) {
      const Word& value = command.words[i + 1];
      const auto equals = value.text.find('=');
      if ((command.words[i].text == "-e" || command.words[i].text == "--env") && equals != value.text.npos)
        passed[value.text.substr(0, equals)] = {value.text.substr(equals + 1), {value.at.line, value.at.column + equals + 1}, value.exact};
    }
    environment_pins(passed, file);
    command_pins(command.words, "", file);
  }
}

}  // namespace modelwatch::advisories
