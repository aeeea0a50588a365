#pragma once
#include <gtest/gtest.h>

#include <string>

#include "daemon/http/routes.h"
#include "estimator/json/reader.h"
#include "tests/storage/database.h"

namespace modelwatch::http {

/// Two repositories behind the routes. org/a: baseline 11, config breaking at 12, card at 13, config breaking at 14.
/// org/b: baseline 21, config security and tokenizer behaviour at 22.
class SiteTest : public testing::Test {
 protected:
  void SetUp() override {
    using advisories::Impact;
    using advisories::Part;
    storage::Writer a(store, "org/a", "a1"), b(store, "org/b", "b1");
    a.commit(sha(11), {}, {storage::file("config.json", "{}")});
    a.commit(sha(12), {storage::change(Part::config, Impact::breaking, "heads")});
    a.commit(sha(13), {storage::change(Part::card, Impact::cosmetic, "words")});
    a.commit(sha(14), {storage::change(Part::config, Impact::breaking, "more heads")});
    b.commit(sha(21), {});
    b.commit(sha(22), {storage::change(Part::config, Impact::security, "remote <code>"), storage::change(Part::tokenizer, Impact::behaviour, "tokens")});
  }
  static std::string sha(int number) { return storage::sha(number); }

  Reply get(const std::string& target, std::vector<std::pair<std::string, std::string>> headers = {}) { return ask("GET", target, "", std::move(headers)); }
  Reply post(const std::string& target, const std::string& body) { return ask("POST", target, body, {}); }
  Reply ask(const std::string& method, const std::string& target, const std::string& body, std::vector<std::pair<std::string, std::string>> headers) {
    auto request = parse_target(target);
    if (!request) throw std::invalid_argument(target);
    request->method = method;
    request->body = body;
    request->headers = std::move(headers);
    return route(*request, {store});
  }
  static std::string header(const Reply& reply, std::string_view name) {
    for (const auto& [key, value] : reply.headers)
      if (key == name) return value;
    return "";
  }
  /// The body of a 200 as JSON.
  static json::Value document(const Reply& reply) {
    EXPECT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.content_type, "application/json");
    const auto read = json::read(reply.body);
    EXPECT_TRUE(read) << reply.body;
    return read ? read->value : json::Value();
  }
  /// "400 invalid hash" of an OSV error, "404 …" of one of ours.
  static std::string error(const Reply& reply) {
    const auto read = json::read(reply.body);
    const json::Value* text = read ? read->value.find("message") : nullptr;
    if (read && !text) text = read->value.find("error");
    return std::to_string(reply.status) + " " + (text && text->string() ? *text->string() : reply.body);
  }

  storage::Store store = storage::open(":memory:");
};

}  // namespace modelwatch::http
