#pragma once
#include <vector>

#include "daemon/cli/command.h"
#include "storage/store.h"

namespace modelwatch::cli {

/// Revisions for people: a table, newest first.
void print_revisions(const std::vector<storage::RevisionRow>& revisions, Console& console);
/// One revision whole.
void print_revision(const storage::Store::RevisionDetail& detail, Console& console);
/// One line of the stream of changes.
void print_change(const storage::ChangeRow& change, Console& console);

}  // namespace modelwatch::cli
