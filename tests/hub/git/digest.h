#pragma once
#include <string>
#include <string_view>

namespace modelwatch::testhub {

class Content;

std::string sha1_hex(std::string_view bytes);
std::string sha1_raw(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);
std::string sha256_hex(const Content& content);
std::string hmac_sha256_hex(std::string_view key, std::string_view message);

/// Standard alphabet, with '=' padding.
std::string base64(std::string_view bytes);
/// The inverse; anything outside the alphabet is skipped.
std::string base64_decode(std::string_view text);

/// sha1("<kind> <length>\0" + bytes): the name git gives to a blob, tree or commit.
std::string git_object_id(std::string_view kind, std::string_view bytes);
std::string git_object_id(std::string_view kind, const Content& content);

/// The Hub's ETag of API and error bodies: W/"<hex length>-<base64 of sha1, unpadded>".
std::string weak_etag(std::string_view body);

}  // namespace modelwatch::testhub
