#include "advisories/manifest/vocabulary_files.h"

#include <charconv>
#include <simdjson.h>

#include "advisories/manifest/padded_text.h"
#include "advisories/manifest/sentencepiece.h"

namespace modelwatch::advisories {
namespace {

using namespace simdjson;
using Kind = VocabularyFile::Kind;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

error_code read_object(ondemand::document& document, Vocabulary& tokens) {
  ondemand::object object;
  if (const auto error = document.get_object().get(object)) return error;
  for (auto field : object) {
    std::string_view token;
    std::uint64_t id = 0;
    if (const auto error = field.unescaped_key().get(token)) return error;
    if (const auto error = field.value().get_uint64().get(id)) return error;
    if (id > UINT32_MAX || !tokens.add(token, static_cast<std::uint32_t>(id))) return NUMBER_OUT_OF_RANGE;
  }
  return SUCCESS;
}

void read_json(const Bytes& bytes, VocabularyFile& file) {
  const PaddedText text(bytes);
  ondemand::parser parser;
  ondemand::document document;
  auto error = parser.iterate(padded_string_view(text.text().data(), text.text().size(), text.capacity())).get(document);
  const bool begun = !error;  // a document that was refused at once, as an empty one, has no place to ask for
  if (begun) error = read_object(document, file.tokens);
  const char* where = nullptr;
  const bool more = begun && !document.current_location().get(where);
  if (error) file.trouble = text.problem(more ? where : nullptr, error_message(error));
  else if (more) file.trouble = text.problem(where, "text behind the object");
}

/// Each line without its ending; the number counts from 0. Stops where `each` says false.
template <class Each>
bool each_line(std::string_view text, Each each) {
  for (std::size_t from = 0, number = 0; from < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string_view line = text.substr(from, end - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!each(line, number)) return false;
    from = end + 1;
  }
  return true;
}

void read_lines(std::string_view text, VocabularyFile& file) {
  if (!each_line(text, [&](std::string_view line, std::size_t number) { return file.tokens.add(line, static_cast<std::uint32_t>(number)); }))
    file.trouble = "too many lines";
}

void read_ranked(std::string_view text, VocabularyFile& file) {
  each_line(text, [&](std::string_view line, std::size_t number) {
    const std::size_t space = line.find(' ');
    std::uint32_t rank = 0;
    if (line.empty()) return true;
    const bool good = space != std::string_view::npos &&
                      std::from_chars(line.data() + space + 1, line.data() + line.size(), rank).ptr == line.data() + line.size() &&
                      file.tokens.add(line.substr(0, space), rank);
    if (!good) file.trouble = "line " + std::to_string(number + 1) + ": not a token and its rank";
    return good;
  });
}

void read_merges(std::string_view text, VocabularyFile& file) {
  each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.empty() || (number == 0 && line.starts_with("#"))) return true;
    const bool good = file.merges.add(line);
    if (!good) file.trouble = "line " + std::to_string(number + 1) + ": a merge is not two tokens";
    return good;
  });
}

void read_pieces(const Bytes& bytes, VocabularyFile& file) {
  SentencePieceModel model = read_sentencepiece(bytes);
  file.tokens = std::move(model.pieces);
  file.trouble = std::move(model.trouble);
  file.settings = model.model_type + "\n" + model.normalizer + "\n" + std::string(model.types.begin(), model.types.end());
}

}  // namespace

Kind vocabulary_file_kind(std::string_view path) {
  const std::string_view name = base_name(path);
  if (name == "vocab.json" || name == "encoder.json" || name == "vocab.txt" || name.ends_with(".tiktoken")) return Kind::tokens;
  if (name == "merges.txt" || name == "vocab.bpe") return Kind::merges;
  if (name.ends_with(".model") || name.ends_with(".spm")) return Kind::pieces;
  return Kind::unknown;
}

VocabularyFile read_vocabulary_file(std::string_view path, const Bytes& bytes) {
  VocabularyFile file;
  file.kind = vocabulary_file_kind(path);
  const std::string_view name = base_name(path);
  if (file.kind == Kind::merges) read_merges(*bytes, file);
  else if (file.kind == Kind::pieces) read_pieces(bytes, file);
  else if (name.ends_with(".json")) read_json(bytes, file);
  else if (name.ends_with(".tiktoken")) read_ranked(*bytes, file);
  else if (file.kind == Kind::tokens) read_lines(*bytes, file);
  return file;
}

}  // namespace modelwatch::advisories
