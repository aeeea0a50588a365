#pragma once
#include "tests/hub/routes/context.h"

namespace modelwatch::testhub {

/// What the hub answers with a status it was told to fail with: its own words where they are known.
Reply fault_reply(const Context& context, int status, Bucket bucket, const Allowance& allowance);
/// 429, by the recorded answers.
Reply rate_limited(const Context& context, Bucket bucket, const Allowance& allowance);
/// The headers every answer of the hub carries.
void add_hub_headers(Reply& reply, const Context& context, Bucket bucket, const Allowance& allowance);
/// What a fault, a proxy or a mirror does to a finished answer. Last step of both hosts.
void apply_fault(Reply& reply, const Request& request, const Behaviour& behaviour, const Fault& fault);

}  // namespace modelwatch::testhub
