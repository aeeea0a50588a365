#pragma once
#include <string>
#include <string_view>

#include "daemon/hub/answers.h"
#include "daemon/hub/quota.h"
#include "daemon/hub/transport.h"

namespace modelwatch::hub {

/// What was asked, for the message.
struct Asked {
  std::string_view what;   ///< "org/name", or "org/name: config.json"
  std::string_view token;  ///< taken out of upstream's words, which might echo it
  bool token_refused = false;
};

/// Why an answer of the endpoint is none, by status and X-Error-Code; by the Hub's own sentences where a mirror leaves
/// the code out. What fits nothing is `refused`, so that what is known stays.
Trouble classify(const Response& response, const Asked& asked, Time now);

/// The same for an answer of another host, where no status says anything on the repository.
Trouble classify_elsewhere(const Response& response, const Asked& asked, Time now);

bool is_gated(const Response& response);

/// Trouble of our own making or finding.
Trouble trouble(Trouble::Kind kind, std::string_view what, std::string_view why);

/// One line of at most 200 bytes, printable, without the token.
std::string one_line(std::string_view text, std::string_view token);

}  // namespace modelwatch::hub
