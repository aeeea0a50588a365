#include <algorithm>
#include <array>

#include "advisories/diff/rules/judges.h"
#include "advisories/diff/rules/rope_types.h"

namespace modelwatch::advisories {
namespace {

const std::string* text_of(const json::Value* value) { return value ? value->string() : nullptr; }

/// Classes whose positions are a table of embeddings: the length is a tensor's shape.
constexpr std::array<std::string_view, 22> kLearnedPositions = {
    "albert", "bart",    "bert",   "big_bird", "camembert",   "clip_text_model", "data2vec-text", "deberta", "distilbert", "electra",   "ernie",
    "gpt2",   "gpt_neo", "layoutlm", "mbart",  "mpnet",       "openai-gpt",      "opt",           "pegasus", "roberta",    "xlm-roberta", "biogpt"};

bool learns_positions(const json::Value& document) {
  const std::string* type = text_of(document.find("model_type"));
  return type && std::find(kLearnedPositions.begin(), kLearnedPositions.end(), *type) != kLearnedPositions.end();
}

std::string rope_type(const json::Value* scaling) {
  if (!scaling) return {};
  for (const std::string_view key : {"rope_type", "type"})
    if (const std::string* type = text_of(scaling->find(key))) return *type;
  return {};
}

/// Bytes of one element of a dtype; 0 where unknown.
int width(const json::Value* value) {
  const std::string* text = text_of(value);
  if (!text) return 0;
  for (const auto& [end, bytes] : {std::pair{"float32", 4}, {"bfloat16", 2}, {"float16", 2}, {"float64", 8}, {"float8_e4m3fn", 1}, {"float8_e5m2", 1}})
    if (text->ends_with(end)) return bytes;
  return 0;
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return text.ends_with(end); });
}

/// "org/name" of a code pointer into another repository ("org/name--module.Class"), empty for the own one.
std::string foreign_repository(std::string_view pointer) {
  const std::size_t at = pointer.find("--");
  return at == std::string_view::npos ? std::string() : std::string(pointer.substr(0, at));
}

void collect_repositories(const json::Value* value, std::vector<std::string>& found) {
  if (!value) return;
  if (const std::string* text = value->string()) {
    if (std::string repository = foreign_repository(*text); !repository.empty()) found.push_back(std::move(repository));
  } else if (const json::Array* array = value->array()) {
    for (const json::Value& item : *array) collect_repositories(&item, found);
  } else if (const json::Object* object = value->object()) {
    for (const auto& [key, item] : *object) collect_repositories(&item, found);
  }
}

}  // namespace

void judge_length(const Subject& subject, Verdict& verdict) {
  if (learns_positions(subject.around.after) || learns_positions(subject.around.before)) {
    verdict.impact = Impact::breaking;
    verdict.consequence = "this class keeps a table of positions of that length, which no longer fits";
  } else if (subject.around.touches({"rope_theta", "rope_scaling", "rope_parameters", "rope_type", "factor", "sliding_window"})) {
    verdict.impact = Impact::behaviour;
    verdict.consequence = "changed together with how positions are encoded or attended, so output changes with it";
    return;
  }
  const auto before = subject.in_force_before().integer(), after = subject.in_force_after().integer();
  if (verdict.impact != Impact::resource || !before || !after) return;
  verdict.consequence = *after > *before ? "engines that size their cache by it reserve more memory"
                                         : "longer inputs are refused or cut by engines that honour it";
}

void judge_rope_theta(const Subject& subject, Verdict& verdict) {
  const Edit& edit = subject.edit;
  if (edit.before && edit.after && !edit.before->is_null() && !edit.after->is_null()) return;
  // A missing base is not an error to any loader: it silently takes the default of the class, 10000 for most.
  verdict.impact = Impact::breaking;
  verdict.consequence = edit.added() || edit.before->is_null()
                            ? "loaders silently took their default (10000 for most classes), so long inputs went wrong"
                            : "loaders silently take their default (10000 for most classes), so long inputs go wrong";
}

void judge_rope_scaling(const Subject& subject, Verdict& verdict) {
  const Edit& edit = subject.edit;
  const bool is_type = ends_with_any(subject.key, {"/type", "/rope_type"});
  const std::string now = is_type && edit.after && edit.after->string() ? *edit.after->string() : rope_type(edit.after);
  if (edit.after && !edit.after->is_null() && !is_type && !edit.after->object() && subject.key.find('/') == subject.key.npos) {
    verdict.impact = Impact::breaking;
    verdict.consequence = "loaders expect an object or null here and fail";
  } else if (!now.empty() && !is_known_rope_type(now)) {
    verdict.impact = Impact::breaking;
    verdict.consequence = "\"" + now + "\" is no scaling type that transformers or vLLM know, so they refuse the model";
  } else if (is_type && edit.before && edit.after) {
    verdict.impact = Impact::breaking;
    verdict.consequence = "loaders that do not know \"" + now + "\" refuse the model; those that do encode positions differently";
  }
}

void judge_architectures(const Subject& subject, Verdict& verdict) {
  const auto first = [](const json::Value* value) {
    const json::Array* list = value ? value->array() : nullptr;
    return list && !list->empty() && list->front().string() ? *list->front().string() : std::string();
  };
  const std::string before = first(subject.edit.before), after = first(subject.edit.after);
  if (before.empty()) {
    verdict.impact = Impact::behaviour;
    verdict.consequence = "engines that choose the class by it can now load the model";
  } else if (after.empty()) {
    verdict.consequence = "engines that choose the class by it (vLLM, TGI, converters) refuse the model";
  } else if (before == after) {
    verdict.impact = Impact::behaviour;
    verdict.consequence = "the first entry, which engines pick, is unchanged";
  } else {
    verdict.consequence = "engines pick the first entry, now " + after + ", and build another class or refuse";
  }
}

void judge_code_pointer(const Subject& subject, Verdict& verdict) {
  std::vector<std::string> repositories;
  collect_repositories(subject.edit.after, repositories);
  std::sort(repositories.begin(), repositories.end());
  repositories.erase(std::unique(repositories.begin(), repositories.end()), repositories.end());
  if (!subject.edit.after || subject.edit.after->is_null()) {
    verdict.consequence = "loading with trust_remote_code now takes the library's own class, or fails where it has none";
  } else if (!repositories.empty()) {
    verdict.evidence.append("repositories", json::Array(repositories.begin(), repositories.end()));
    verdict.evidence.append("pinned", false);
    verdict.consequence = "loading with trust_remote_code runs code from another repository, " + repositories.front() +
                          ", at whatever revision its head is";
  } else {
    verdict.consequence = "loading with trust_remote_code runs this repository's Python file it names";
  }
}

void judge_dtype(const Subject& subject, Verdict& verdict) {
  const json::Value before = subject.in_force_before(), after = subject.in_force_after();
  const int was = width(&before), is = width(&after);
  if (was == 0 || is == 0) return;
  if (was == is) verdict.consequence = "the same size in memory, other rounding and range";
  else verdict.consequence = is > was ? "weights loaded in the declared dtype take " + std::to_string(is / was) + " times the memory"
                                      : "weights loaded in the declared dtype take 1/" + std::to_string(was / is) + " of the memory";
}

void judge_quantisation(const Subject& subject, Verdict& verdict) {
  const auto method = [](const json::Value* value) {
    const std::string* text = value ? text_of(value->find("quant_method")) : nullptr;
    return text ? *text : std::string();
  };
  if (subject.edit.removed() || (subject.edit.after && subject.edit.after->is_null()))
    verdict.consequence = "loaders now read the stored weights as plain tensors; quantised ones are misread or refused";
  else if (subject.edit.added() || (subject.edit.before && subject.edit.before->is_null()))
    verdict.consequence = "loaders now expect weights stored as " +
                          (method(subject.edit.after).empty() ? std::string("quantised tensors") : method(subject.edit.after)) +
                          " and need its kernels";
}

void judge_file_name(const Subject& subject, Verdict& verdict) {
  const std::string* file = text_of(subject.edit.after);
  if (!file) return;
  if (ends_with_any(*file, {".pt", ".pth", ".bin", ".ckpt", ".pkl", ".pickle"})) {
    verdict.impact = Impact::security;
    verdict.consequence = "loaders that follow it unpickle that file, which can run code";
  } else if (file->ends_with(".py")) {
    verdict.impact = Impact::security;
    verdict.consequence = "loaders that follow it run that file";
  }
}

}  // namespace modelwatch::advisories
