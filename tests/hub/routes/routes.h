#pragma once
#include "tests/hub/routes/context.h"

namespace modelwatch::testhub {

/// The answer of the hub's host to one request: quota, route, faults and the headers every answer carries.
/// Pure but for the world it is given.
Reply answer_hub(World& world, const Request& request, const Fault& fault);
/// The answer of the CDN's host: signed URLs and their ranges, nothing else.
Reply answer_cdn(World& world, const Request& request, const Fault& fault);

// One function per endpoint; `place.end` is the endpoint's own segment.
Reply model_info(Context& context, const Place& place);
Reply list_models(Context& context);
Reply list_commits(Context& context, const Place& place);
Reply list_refs(Context& context, const Place& place);
Reply list_tree(Context& context, const Place& place);
Reply tree_size(Context& context, const Place& place);
Reply paths_info(Context& context, const Place& place);
Reply auth_check(Context& context, const Place& place);
Reply resolve_file(Context& context, const Place& place);  ///< /resolve/ and /raw/
Reply resolve_cache(Context& context);

}  // namespace modelwatch::testhub
