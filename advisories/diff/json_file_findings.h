#pragma once
#include "advisories/diff/dialect.h"
#include "advisories/diff/part_differ.h"

/// Findings about a JSON file as a whole.
namespace modelwatch::advisories {

Finding moved_json_file(const ChangedFile& file);
/// A file that no loader we know reads.
Finding unread_json_file(const ChangedFile& file);
/// Changed, but its bytes are not at hand: unknown.
Finding json_file_not_at_hand(const ChangedFile& file, const JsonFile& before, const JsonFile& after);
/// Bytes differ, meaning does not.
Finding respelled_json_file(const ChangedFile& file, const JsonFile& before, const JsonFile& after);
/// Added or removed: the gravest of its members decides, within what the dialect says of its presence.
Finding whole_json_file(const DiffInput& input, const ChangedFile& file, const Dialect& dialect, const JsonFile& before, const JsonFile& after);
/// Stopped or started to parse, keys that came to stand twice, NaN.
void add_syntax_findings(const ChangedFile& file, const JsonFile& before, const JsonFile& after, std::vector<Finding>& findings);

}  // namespace modelwatch::advisories
