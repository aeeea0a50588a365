#include "advisories/manifest/tokenizer_file.h"

#include <algorithm>
#include <simdjson.h>
#include <tuple>

#include "advisories/manifest/digest.h"
#include "advisories/manifest/padded_text.h"
#include "estimator/json/reader.h"
#include "estimator/json/writer.h"

namespace modelwatch::advisories {
namespace {

using namespace simdjson;

constexpr std::size_t kMaxAdded = 1'000'000, kMaxContent = 64 << 10;

class Reader {
 public:
  explicit Reader(TokenizerFile& file) : file_(file) {}

  error_code read(ondemand::document& document) {
    ondemand::object object;
    json::Object rest;
    if (const auto error = document.get_object().get(object)) return error;
    for (auto field : object) {
      std::string_view key;
      ondemand::value value;
      if (const auto error = field.unescaped_key().get(key)) return error;
      if (key == "added_tokens") {
        if (const auto error = read_added(field.value())) return error;
      } else if (key == "model") {
        json::Object model;
        const auto error = read_model(field.value(), model);
        rest.set("model", std::move(model));
        if (error) return settle(rest, error);
      } else if (const auto error = keep(std::string(key), field.value(), rest)) {
        return settle(rest, error);
      }
    }
    const char* behind = nullptr;
    return settle(rest, document.current_location().get(behind) ? SUCCESS : refuse("text behind the object"));
  }

  std::string trouble;

 private:
  error_code settle(json::Object& rest, error_code error) {
    file_.rest = std::move(rest);
    return error;
  }
  error_code refuse(std::string reason) {
    trouble = std::move(reason);
    return TAPE_ERROR;
  }

  /// A small member as a document.
  error_code keep(std::string name, simdjson_result<ondemand::value> member, json::Object& into) {
    ondemand::value value;
    std::string_view raw;
    if (const auto error = member.get(value)) return error;
    if (const auto error = to_json_string(value).get(raw)) return error;
    auto read = json::read(raw);
    if (!read) return refuse("under \"" + name + "\": " + read.error().reason);
    into.set(std::move(name), std::move(read->value));
    return SUCCESS;
  }

  error_code read_added(simdjson_result<ondemand::value> member) {
    ondemand::array list;
    if (const auto error = member.get_array().get(list)) return error;
    for (auto item : list) {
      ondemand::object entry;
      if (const auto error = item.get_object().get(entry)) return error;
      if (file_.added.size() >= kMaxAdded) return refuse("more than a million added tokens");
      if (const auto error = read_added_token(entry, file_.added.emplace_back())) return error;
    }
    return SUCCESS;
  }

  error_code read_added_token(ondemand::object& entry, AddedToken& token) {
    for (auto field : entry) {
      std::string_view key, content;
      if (const auto error = field.unescaped_key().get(key)) return error;
      error_code error = SUCCESS;
      if (key == "content") {
        if ((error = field.value().get_string().get(content))) return error;
        if (content.size() > kMaxContent) return refuse("an added token of more than 64 KB");
        token.content = content;
      } else if (key == "id") {
        error = read_id(field.value(), token.id);
      } else if (bool* flag = flag_of(key, token)) {
        error = field.value().get_bool().get(*flag);
      }
      if (error) return error;
    }
    return SUCCESS;
  }

  static bool* flag_of(std::string_view key, AddedToken& token) {
    if (key == "single_word") return &token.single_word;
    if (key == "lstrip") return &token.lstrip;
    if (key == "rstrip") return &token.rstrip;
    if (key == "normalized") return &token.normalized;
    return key == "special" ? &token.special : nullptr;
  }

  error_code read_id(simdjson_result<ondemand::value> value, std::uint32_t& id) {
    std::uint64_t number = 0;
    if (const auto error = value.get_uint64().get(number)) return error;
    if (number > UINT32_MAX) return refuse("an id beyond 32 bits");
    id = static_cast<std::uint32_t>(number);
    return SUCCESS;
  }

  error_code read_model(simdjson_result<ondemand::value> member, json::Object& model) {
    ondemand::object object;
    if (const auto error = member.get_object().get(object)) return error;
    for (auto field : object) {
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return error;
      error_code error = SUCCESS;
      if (key == "vocab") error = read_vocabulary(field.value());
      else if (key == "merges") error = read_merges(field.value());
      else error = keep(std::string(key), field.value(), model);
      if (error) return error;
    }
    return SUCCESS;
  }

  error_code read_vocabulary(simdjson_result<ondemand::value> member) {
    ondemand::value value;
    ondemand::json_type type{};
    if (const auto error = member.get(value)) return error;
    if (const auto error = value.type().get(type)) return error;
    if (type == ondemand::json_type::array) return read_scored(value);
    ondemand::object object;
    if (const auto error = value.get_object().get(object)) return error;
    for (auto field : object) {
      std::string_view token;
      std::uint32_t id = 0;
      if (const auto error = field.unescaped_key().get(token)) return error;
      if (const auto error = read_id(field.value(), id)) return error;
      if (!file_.vocabulary.add(token, id)) return refuse("a vocabulary beyond all bounds");
    }
    return SUCCESS;
  }

  /// Unigram: [[token, score], …], the place is the id.
  error_code read_scored(ondemand::value& value) {
    ondemand::array list;
    if (const auto error = value.get_array().get(list)) return error;
    for (auto item : list) {
      ondemand::array pair;
      if (const auto error = item.get_array().get(pair)) return error;
      std::string_view token;
      double score = 0;
      std::size_t place = 0;
      for (auto element : pair) {
        error_code error = SUCCESS;
        if (place == 0) error = element.get_string().get(token);
        else error = element.get_double().get(score);
        if (error) return error;
        if (++place > 2) return refuse("a token of a Unigram vocabulary is no [token, score]");
      }
      if (place != 2) return refuse("a token of a Unigram vocabulary is no [token, score]");
      if (!file_.vocabulary.add(token, static_cast<std::uint32_t>(file_.vocabulary.size()), static_cast<float>(score)))
        return refuse("a vocabulary beyond all bounds");
    }
    return SUCCESS;
  }

  error_code read_merges(simdjson_result<ondemand::value> member) {
    ondemand::array list;
    if (const auto error = member.get_array().get(list)) return error;
    for (auto item : list) {
      ondemand::value value;
      ondemand::json_type type{};
      if (const auto error = item.get(value)) return error;
      if (const auto error = value.type().get(type)) return error;
      if (type == ondemand::json_type::array) {
        if (const auto error = read_pair(value)) return error;
        continue;
      }
      std::string_view written;
      if (const auto error = value.get_string().get(written)) return error;
      if (!file_.merges.add(written)) return refuse("a merge is not two tokens");
    }
    return SUCCESS;
  }

  error_code read_pair(ondemand::value& value) {
    ondemand::array pair;
    std::array<std::string_view, 2> sides;
    std::size_t place = 0;
    if (const auto error = value.get_array().get(pair)) return error;
    for (auto element : pair) {
      if (place == 2) return refuse("a merge is not two tokens");
      if (const auto error = element.get_string().get(sides[place++])) return error;
    }
    if (place != 2 || !file_.merges.add(sides[0], sides[1])) return refuse("a merge is not two tokens");
    file_.merges_as_pairs = true;
    return SUCCESS;
  }

  TokenizerFile& file_;
};

}  // namespace

bool AddedToken::same_flags(const AddedToken& other) const {
  return std::tie(single_word, lstrip, rstrip, normalized, special) ==
         std::tie(other.single_word, other.lstrip, other.rstrip, other.normalized, other.special);
}

std::string TokenizerFile::model_type() const {
  const json::Value* model = rest.find("model");
  const json::Value* type = model ? model->find("type") : nullptr;
  if (type && type->string()) return *type->string();
  if (!merges.empty()) return "BPE";
  return model && model->find("unk_id") ? "Unigram" : model && model->find("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
}

TokenizerFile read_tokenizer_file(const Bytes& bytes) {
  TokenizerFile file;
  const PaddedText text(bytes);
  ondemand::parser parser;
  ondemand::document document;
  Reader reader(file);
  auto error = parser.iterate(padded_string_view(text.text().data(), text.text().size(), text.capacity())).get(document);
  const bool begun = !error;  // a document that was refused at once, as an empty one, has no place to ask for
  if (begun) error = reader.read(document);
  if (error) {
    const char* where = nullptr;
    if (begun && document.current_location().get(where)) where = nullptr;
    file.trouble = text.problem(where, reader.trouble.empty() ? error_message(error) : reader.trouble.c_str());
  }
  return file;
}

std::string digest(const TokenizerFile& file, const json::Value& normal_rest) {
  std::vector<AddedToken> added = file.added;
  std::sort(added.begin(), added.end(), [](const AddedToken& a, const AddedToken& b) { return std::tie(a.id, a.content) < std::tie(b.id, b.content); });
  Hasher hasher(Hasher::Algorithm::sha256);
  hasher.update(json::write(normal_rest, json::Style::canonical));
  hasher.update(file.vocabulary.digest());
  hasher.update(file.merges.digest());
  for (const AddedToken& token : added) {
    const json::Value entry = json::Array{token.content, token.id, token.single_word, token.lstrip, token.rstrip, token.normalized, token.special};
    hasher.update(json::write(entry, json::Style::canonical));
  }
  return hasher.finish();
}

}  // namespace modelwatch::advisories
