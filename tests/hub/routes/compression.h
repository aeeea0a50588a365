#pragma once
#include "tests/hub/wire/message.h"

namespace modelwatch::testhub {

/// What the edge does to text when the client accepts gzip: compressed, chunked, the ETag made weak. Ranges,
/// redirects and bytes that are no text stay as they are.
void compress(Reply& reply, const Request& request);

}  // namespace modelwatch::testhub
