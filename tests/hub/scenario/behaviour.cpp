#include "tests/hub/scenario/behaviour.h"

#include "tests/hub/scenario/names.h"

namespace modelwatch::testhub {

void set_behaviour(Behaviour& behaviour, Arguments arguments) {
  if (const auto base = arguments.optional_text("public_base")) behaviour.public_base = *base;
  for (const auto& [name, field] : {std::pair{"xet_headers", &Behaviour::xet_headers},
                                    {"linked_etag_on_redirect", &Behaviour::linked_etag_on_redirect},
                                    {"redirect_plain_files", &Behaviour::redirect_plain_files},
                                    {"pin_ranges", &Behaviour::pin_ranges},
                                    {"content_length", &Behaviour::content_length},
                                    {"gzip", &Behaviour::gzip},
                                    {"ignore_range", &Behaviour::ignore_range},
                                    {"conditional_api", &Behaviour::conditional_api},
                                    {"error_codes", &Behaviour::error_codes},
                                    {"retry_after", &Behaviour::retry_after},
                                    {"html_429", &Behaviour::html_429},
                                    {"refuse_bad_tokens", &Behaviour::refuse_bad_tokens},
                                    {"gated_refs", &Behaviour::gated_refs}})
    if (const auto value = arguments.flag(name)) behaviour.*field = *value;
  if (const auto size = arguments.integer("largest_whole_download"))
    behaviour.largest_whole_download = static_cast<std::uint64_t>(*size);
  if (const auto size = arguments.integer("tree_page")) behaviour.tree_page = static_cast<std::size_t>(*size);
  if (const auto size = arguments.integer("expanded_tree_page"))
    behaviour.expanded_tree_page = static_cast<std::size_t>(*size);
  if (const auto delay = arguments.integer("expand_delay_ms"))
    behaviour.expand_delay = std::chrono::milliseconds(*delay);
  if (const auto life = arguments.integer("url_lifetime"))
    behaviour.url_lifetime = std::chrono::seconds(*life);
  arguments.done();
}

Fault read_fault(const std::string& glob, Arguments& arguments) {
  Fault fault;
  fault.path = glob;
  fault.method = arguments.optional_text("method").value_or("");
  if (const auto listener = arguments.optional_text("listener")) fault.listener = read_listener(*listener);
  fault.skip = static_cast<int>(arguments.integer("skip").value_or(0));
  fault.times = static_cast<int>(arguments.integer("times").value_or(1));
  if (const auto status = arguments.integer("status")) fault.status = static_cast<int>(*status);
  fault.body = arguments.optional_text("body");
  for (const auto& [name, field] : {std::pair{"hang", &Fault::hang},
                                    {"no_content_length", &Fault::no_content_length},
                                    {"gzip", &Fault::gzip},
                                    {"ignore_range", &Fault::ignore_range},
                                    {"stale", &Fault::stale}})
    fault.*field = arguments.flag(name).value_or(false);
  if (const json::Object* headers = arguments.object("set_headers"))
    for (const auto& [name, value] : *headers)
      fault.set_headers.emplace_back(name, value.string() ? *value.string() : "");
  fault.drop_headers = arguments.texts("drop_headers");
  if (const auto bytes = arguments.integer("cut_after")) fault.cut_after = static_cast<std::uint64_t>(*bytes);
  fault.delay = std::chrono::milliseconds(arguments.integer("delay_ms").value_or(0));
  if (const auto size = arguments.integer("page_size")) fault.page_size = static_cast<std::size_t>(*size);
  return fault;
}

}  // namespace modelwatch::testhub
