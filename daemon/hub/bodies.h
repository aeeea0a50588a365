#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advisories/manifest/snapshot.h"
#include "daemon/hub/answers.h"

namespace modelwatch::hub {

// The Hub's JSON bodies, read. Pure. What every answer must have and lacks is `malformed`, with a message that does not
// repeat upstream's text; what servers may leave out has its default. `what` begins the message.

Outcome<RepositoryInfo> read_info(std::string_view body, std::string_view what);
Outcome<std::vector<Commit>> read_commits(std::string_view body, std::string_view what);
/// Branches, tags and converts.
Outcome<std::vector<Ref>> read_refs(std::string_view body, std::string_view what);
/// The files of one page; directories are left out, a masked LFS sha256 (`***…`) is empty.
Outcome<std::vector<advisories::ListedFile>> read_tree(std::string_view body, std::string_view what);
Outcome<std::vector<ListedRepository>> read_list(std::string_view body, std::string_view what);

/// ISO 8601 with a zone, as "2024-02-19T10:57:45.000Z"; fractions are cut off.
std::optional<std::chrono::sys_seconds> read_date(std::string_view text);

}  // namespace modelwatch::hub
