#include "estimator/blocks/encoder.h"
#include "estimator/families/family.h"

namespace modelwatch::estimator {
namespace {

Model build(const Config& root) {
  return encoder_model(root, bert_like(root),
                       {.dense = "cls.predictions.transform.dense", .norm = "cls.predictions.transform.LayerNorm",
                        .bias = "cls.predictions.bias", .decoder = "cls.predictions.decoder"});
}

constexpr std::string_view kTypes[] = {"bert"};

}  // namespace

extern const Family bert_family{"bert", kTypes, build};

}  // namespace modelwatch::estimator
