#include "tests/hub/scenario/files.h"

#include <charconv>
#include <stdexcept>

#include "tests/hub/git/digest.h"
#include "tests/hub/git/safetensors.h"

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
  for (int i = first; i <= last; ++i) names.push_back(pattern.substr(0, open) + std::to_string(i) + pattern.substr(close + 1));
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
    for (const json::Value& dimension : *shape.array()) tensor.shape.push_back(static_cast<std::uint64_t>(dimension.integer().value_or(0)));
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
    for (const json::Value& dimension : *entry.find("shape")->array()) tensor.shape.push_back(static_cast<std::uint64_t>(*dimension.integer()));
    tensors.push_back(std::move(tensor));
  }
  return safetensors_file(tensors, seed);
}

NewFile read_file(const std::string& path, const json::Value& value, const FileSources& sources) {
  if (value.string()) return NewFile(*value.string());
  Arguments spec(path, value);
  const std::optional<bool> lfs = spec.flag("lfs");
  std::optional<Content> content;
  if (const auto text = spec.optional_text("text")) content = Content(*text);
  if (const auto encoded = spec.optional_text("base64")) content = Content(base64_decode(*encoded));
  if (const auto file = spec.optional_text("path")) content = Content::file(sources.folder / *file);
  if (const auto size = spec.integer("hollow")) content = Content::hollow({}, static_cast<std::uint64_t>(*size));
  if (const json::Array* edits = spec.array("edit")) content = edited(sources, path, *edits);
  if (const auto seed = spec.integer("reseed")) content = reseeded(present_file(sources, path).content, static_cast<std::uint64_t>(*seed));
  if (const json::Value* tensors = spec.value("safetensors")) content = read_safetensors(Arguments(path, *tensors));
  if (const auto name = spec.optional_text("same_as")) content = present_file(sources, *name).content;
  spec.done();
  if (!content)
    throw std::invalid_argument(path + ": one of text, path, base64, safetensors, hollow, edit, reseed, same_as is expected");
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
        files.insert_or_assign(entry.path().lexically_relative(root).generic_string(), NewFile(Content::file(entry.path())));
  }
  if (const json::Object* table = arguments.object("files"))
    for (const auto& [path, value] : *table) files.insert_or_assign(path, read_file(path, value, sources));
  return files;
}

}  // namespace modelwatch::testhub
