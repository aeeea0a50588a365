#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "daemon/cli/command.h"
#include "daemon/cli/plan_text.h"
#include "daemon/cli/snapshot.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"
#include "estimator/plan.h"
#include "estimator/plan_arguments.h"

namespace modelwatch::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestConfig = 64u << 20;

/// A config.json, and the tensor tables that lie beside it where SOURCE is a folder or a repository.
struct Input {
  std::string name;
  std::string config;
  std::vector<estimator::StoredTensor> stored;
};

Result<std::string> read_all(std::istream& in, const std::string& name) {
  std::string text;
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestConfig) return fail(ErrorKind::bad_input, name + ": larger than 64 MB, no config.json is");
  }
  return text;
}

/// The first 8 + N bytes of a safetensors file.
Result<std::vector<estimator::StoredTensor>> read_header_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::not_found, path.string() + ": cannot be read");
  std::string bytes(8, '\0');
  if (!file.read(bytes.data(), 8)) return fail(ErrorKind::bad_input, path.string() + ": shorter than a safetensors header");
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  bytes.resize(8 + static_cast<std::size_t>(std::min<std::uint64_t>(length, 100'000'000)));
  file.read(bytes.data() + 8, static_cast<std::streamsize>(bytes.size() - 8));
  bytes.resize(8 + static_cast<std::size_t>(file.gcount()));
  auto table = estimator::read_safetensors_header(bytes);
  if (!table) return fail(ErrorKind::bad_input, path.string() + ": " + table.error().message);
  return table;
}

Result<void> add_headers_of(const fs::path& path, std::vector<estimator::StoredTensor>& to) {
  std::error_code error;
  std::vector<fs::path> files{path};
  if (fs::is_directory(path, error)) {
    files.clear();
    for (const auto& entry : fs::directory_iterator(path, error))
      if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  }
  if (files.empty()) return fail(ErrorKind::not_found, path.string() + ": no *.safetensors in it");
  for (const fs::path& file : files) {
    auto table = read_header_file(file);
    if (!table) return tl::unexpected(table.error());
    to.insert(to.end(), std::make_move_iterator(table->begin()), std::make_move_iterator(table->end()));
  }
  return {};
}

/// The tensor tables of a snapshot as far as they were fetched: safetensors files at its top level.
std::vector<estimator::StoredTensor> snapshot_headers(const advisories::Snapshot& snapshot) {
  std::vector<estimator::StoredTensor> all;
  for (const advisories::ListedFile& file : snapshot.listing) {
    if (!file.path.ends_with(".safetensors") || file.path.find('/') != std::string::npos) continue;
    const auto content = snapshot.contents->read(file);
    const auto* bytes = std::get_if<advisories::Bytes>(&content);
    if (!bytes) return {};
    auto table = estimator::read_safetensors_header(**bytes);
    if (!table) return {};
    all.insert(all.end(), std::make_move_iterator(table->begin()), std::make_move_iterator(table->end()));
  }
  return all;
}

Result<Input> read_snapshot(const Program& program, const std::string& source) {
  auto snapshot = open_snapshot(program, source);
  if (!snapshot) return tl::unexpected(snapshot.error());
  const advisories::ListedFile* file = snapshot->listing.find("config.json");
  if (!file) return fail(ErrorKind::not_found, source + ": no config.json in it");
  const auto content = snapshot->contents->read(*file);
  if (const auto* reason = std::get_if<advisories::NotRead>(&content))
    return fail(ErrorKind::bad_input, source + ": config.json: " + reason->reason);
  return Input{source, *std::get<advisories::Bytes>(content), snapshot_headers(*snapshot)};
}

Result<Input> read_input(const Program& program, const std::string& source) {
  std::error_code error;
  if (source == "-") {
    auto text = read_all(std::cin, "standard input");
    if (!text) return tl::unexpected(text.error());
    return Input{"standard input", std::move(*text), {}};
  }
  if (!fs::is_regular_file(source, error)) return read_snapshot(program, source);
  std::ifstream file(source, std::ios::binary);
  auto text = read_all(file, source);
  if (!text) return tl::unexpected(text.error());
  return Input{source, std::move(*text), {}};
}

Result<int> run_plan(const Program& program, estimator::PlanRequest request, Console& console) {
  auto input = read_input(program, request.source);
  if (!input) return tl::unexpected(input.error());
  const auto document = json::read(input->config);
  if (!document) return fail(ErrorKind::bad_input, input->name + ": " + document.error().to_string(), "a valid config.json");
  request.options.source = input->name;
  auto plan = estimator::plan(document->value, request.options);
  if (!plan) {
    if (plan.error().kind == ErrorKind::bad_input) plan.error().message = input->name + ": " + plan.error().message;
    return tl::unexpected(plan.error());
  }
  if (!request.headers.empty()) input->stored.clear();
  for (const std::string& path : request.headers)
    if (auto added = add_headers_of(path, input->stored); !added) return tl::unexpected(added.error());
  if (!input->stored.empty()) estimator::add_headers(*plan, input->stored);
  if (program.json) {
    console.out << json::write(estimator::to_json(*plan)) << '\n';
  } else {
    print_plan(*plan, console);
  }
  return 0;
}

void add_option(CLI::App& verb, const estimator::PlanOptionRow& row, const std::shared_ptr<estimator::PlanRequest>& request) {
  const std::string name(row.name), help(row.help);
  const auto set = [&row, request](const std::string& value) {
    if (auto done = row.set(request->options, value); !done)
      throw CLI::ValidationError(std::string(row.name), done.error().message + (done.error().hint.empty() ? "" : " (" + done.error().hint + ")"));
  };
  if (row.value.empty()) {
    verb.add_flag_callback(name, [set] { set(""); }, help);
  } else {
    verb.add_option_function<std::vector<std::string>>(
            name, [set](const std::vector<std::string>& values) { for (const std::string& value : values) set(value); }, help)
        ->option_text(std::string(row.value))
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

}  // namespace

void add_plan(CLI::App& app, Program& program) {
  auto request = std::make_shared<estimator::PlanRequest>();
  CLI::App* verb = app.add_subcommand("plan", "Parameters, memory and cost of a model, from its config.json");
  verb->add_option("SOURCE", request->source, "config.json, a folder, - for standard input, or org/name[@rev]")->required();
  verb->add_option("--headers", request->headers, "safetensors files, or folders of them, to reconcile the count with");
  for (const estimator::PlanOptionRow& row : estimator::plan_option_rows()) add_option(*verb, row, request);
  verb->callback([request, &program] {
    program.run = [request, &program](Console& console) { return run_plan(program, *request, console); };
  });
}

}  // namespace modelwatch::cli
