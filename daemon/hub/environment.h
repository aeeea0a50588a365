#pragma once
#include <functional>
#include <optional>
#include <string>

#include "daemon/hub/client.h"
#include "estimator/error.h"

namespace modelwatch::hub {

/// Looks up a variable of the environment; none where unset or empty.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// `options` with what the environment says on top, as the ecosystem's clients read it:
///   HF_ENDPOINT; HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE (1, ON, YES, TRUE in any case);
///   the token: systemd's credential `hf-token`, else HF_TOKEN, HUGGING_FACE_HUB_TOKEN, the file HF_TOKEN_PATH, which is
///   $HF_HOME/token unless set (HF_HOME: $XDG_CACHE_HOME/huggingface, else ~/.cache/huggingface), with line breaks and spaces
///   taken out. HF_HUB_DISABLE_IMPLICIT_TOKEN leaves the credential alone;
///   HF_HUB_ETAG_TIMEOUT and HF_HUB_DOWNLOAD_TIMEOUT, seconds, for connecting and for silence in a transfer;
///   HF_HUB_USER_AGENT_ORIGIN, added to the user agent.
/// Proxies are libcurl's business. An endpoint that is no http(s) address is an error that names the variable.
Result<ClientOptions> with_environment(ClientOptions options, const Environment& environment);

}  // namespace modelwatch::hub
