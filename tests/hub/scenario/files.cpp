#include "tests/hub/scenario/files.h"

#include <charconv>
#include <stdexcept>

#include "estimator/json/reader.h"
#include "tests/hub/git/digest.h"
#include "tests/hub/git/safetensors.h"
#include "tests/hub/scenario/weights.h"

namespace modelwatch::testhub {
namespace {

/// "model.layers.{0..3}.mlp" is four names; a name without a range is itself.
std::vector<std::string> expand_range(const std::string& pattern) {
  const std::size_t open = pattern.find('{');
  const std::size_t dots = pattern.find("..", open);
  const std::size_t close = pattern.find('}', dots);
  if (open == std::string::npos || dots == std::string::npos || close == std::string::npos) return {pattern};
  const int first = std::stoi(pattern.substr(open + 1, dots - open - 1));
  const int last = std::stoi(pattern.substr(dots + 2, close - dots - 2));
  std::vector<std::string> names;
  for (int i = first; i <= last; ++i)
    names.push_back(pattern.substr(0, open) + std::to_string(i) + pattern.substr(close + 1));
  return names;
}

Content read_safetensors(Arguments spec) {
  const std::string dtype = spec.optional_text("dtype").value_or("BF16");
  const auto seed = static_cast<std::uint64_t>(spec.integer("seed").value_or(0));
  const json::Object* table = spec.object("tensors");
  if (!table) spec.wrong("tensors", "a table of shapes");
  spec.done();
  std::vector<Tensor> tensors;
  for (const auto& [pattern, shape] : *table) {
    if (!shape.array()) spec.wrong(pattern, "a shape");
    Tensor tensor{"", dtype, {}};
    for (const json::Value& dimension : *shape.array())
      tensor.shape.push_back(static_cast<std::uint64_t>(dimension.integer().value_or(0)));
    for (const std::string& name : expand_range(pattern)) {
      tensor.name = name;
      tensors.push_back(tensor);
    }
  }
  return safetensors_file(tensors, seed);
}

const Blob& present_file(const FileSources& sources, const std::string& path) {
  const BlobPtr* blob = sources.present ? sources.present->tree->find(path) : nullptr;
  if (!blob) throw std::invalid_argument(path + ": no such file yet");
  return **blob;
}

Content edited(const FileSources& sources, const std::string& path, const json::Array& edits) {
  std::string text(present_file(sources, path).content.bytes());
  for (const json::Value& edit : edits) {
    const json::Array* pair = edit.array();
    if (!pair || pair->size() != 2 || !(*pair)[0].string() || !(*pair)[1].string())
      throw std::invalid_argument(path + ": edit: a list of [old, new] is expected");
    const std::string& before = *(*pair)[0].string();
    const std::size_t at = text.find(before);
    if (at == std::string::npos || text.find(before, at + 1) != std::string::npos)
      throw std::invalid_argument(path + ": edit: does not occur exactly once: " + before);
    text.replace(at, before.size(), *(*pair)[1].string());
  }
  return Content(std::move(text));
}

/// Other weights under the same header, at the same size.
Content reseeded(const Content& content, std::uint64_t seed) {
  const auto header = safetensors_header(content);
  if (!header) throw std::invalid_argument("reseed: not a safetensors file");
  std::vector<Tensor> tensors;
  for (const auto& [name, entry] : *header->object()) {
    if (name == "__metadata__") continue;
    Tensor tensor{name, *entry.find("dtype")->string(), {}};
    for (const json::Value& dimension : *entry.find("shape")->array())
      tensor.shape.push_back(static_cast<std::uint64_t>(*dimension.integer()));
    tensors.push_back(std::move(tensor));
  }
  return safetensors_file(tensors, seed);
}

json::Value read_config(const std::string& name, const Files& known, const FileSources& sources) {
  const auto pushed = known.find(name);
  const auto read = json::read(pushed != known.end() ? pushed->second.content.bytes()
                                                     : present_file(sources, name).content.bytes());
  if (!read) throw std::invalid_argument(name + ": " + read.error().to_string());
  return read->value;
}

bool is_derived(const json::Value& value) {
  return value.find("weights_for") || value.find("index_for");
}

/// Weights and their index, as the config says that goes with them: it may be pushed beside them.
NewFile derive_file(const std::string& path, const json::Value& value, const Files& known,
                    const FileSources& sources) {
  Arguments spec(path, value);
  const std::int64_t of = spec.integer("of").value_or(1);
  if (const auto config = spec.optional_text("index_for")) {
    spec.done();
    return NewFile(shard_index(decoder_tensors(read_config(*config, known, sources)), of));
  }
  const json::Value config = read_config(spec.text("weights_for"), known, sources);
  const std::int64_t shard = spec.integer("shard").value_or(1);
  const auto seed = static_cast<std::uint64_t>(spec.integer("seed").value_or(0));
  spec.done();
  return NewFile(safetensors_file(shard_of(decoder_tensors(config), shard, of), seed));
}

NewFile read_file(const std::string& path, const json::Value& value, const FileSources& sources) {
  if (value.string()) return NewFile(*value.string());
  Arguments spec(path, value);
  const std::optional<bool> lfs = spec.flag("lfs");
  std::optional<Content> content;
  if (const auto text = spec.optional_text("text")) content = Content(*text);
  if (const auto encoded = spec.optional_text("base64")) content = Content(base64_decode(*encoded));
  if (const auto file = spec.optional_text("path")) content = Content::file(sources.folder / *file);
  if (const auto size = spec.integer("hollow"))
    content = Content::hollow({}, static_cast<std::uint64_t>(*size));
  if (const json::Array* edits = spec.array("edit")) content = edited(sources, path, *edits);
  if (const auto seed = spec.integer("reseed"))
    content = reseeded(present_file(sources, path).content, static_cast<std::uint64_t>(*seed));
  if (const json::Value* tensors = spec.value("safetensors"))
    content = read_safetensors(Arguments(path, *tensors));
  if (const auto name = spec.optional_text("same_as")) content = present_file(sources, *name).content;
  spec.done();
  if (!content)
    throw std::invalid_argument(path +
                                ": one of text, path, base64, safetensors, weights_for, index_for, hollow, "
                                "edit, reseed, same_as is expected");
  return NewFile(*content, lfs);
}

}  // namespace

Files read_files(Arguments& arguments, const FileSources& sources) {
  Files files;
  if (const auto name = arguments.optional_text("folder")) {
    const std::filesystem::path root = sources.folder / *name;
    if (!std::filesystem::is_directory(root)) arguments.wrong("folder", "a folder (" + root.string() + ")");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
      if (entry.is_regular_file())
        files.insert_or_assign(entry.path().lexically_relative(root).generic_string(),
                               NewFile(Content::file(entry.path())));
  }
  const json::Object* table = arguments.object("files");
  if (!table) return files;
  for (const auto& [path, value] : *table)
    if (!is_derived(value)) files.insert_or_assign(path, read_file(path, value, sources));
  for (const auto& [path, value] : *table)
    if (is_derived(value)) files.insert_or_assign(path, derive_file(path, value, files, sources));
  return files;
}

}  // namespace modelwatch::testhub
