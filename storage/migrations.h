#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace modelwatch::storage {

class Connection;

/// A numbered file of storage/migrations, embedded by CMake; `version` is what user_version is after it.
struct Migration {
  int version;
  std::string_view sql;
};
std::span<const Migration> migrations();
inline constexpr int kApplicationId = 0x6D776174;  // "mwat"

/// The file is no database that this program can use. `what` goes on after its path; `hint` is what to do.
struct SchemaRefused : std::runtime_error {
  SchemaRefused(const std::string& why, std::string what_to_do) : std::runtime_error(why), hint(std::move(what_to_do)) {}
  std::string hint;
};

/// Brings the schema to the newest version, each step in its own transaction. Refuses a newer schema than ours and a
/// database of another program.
void migrate(Connection& db);
/// The same refusals, and an older schema, for a connection that may not write.
void require_current(Connection& db);

}  // namespace modelwatch::storage
