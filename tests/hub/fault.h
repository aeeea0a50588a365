#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/hub/wire/message.h"

namespace modelwatch::testhub {

class World;

/// Something that goes wrong with requests that match. Every effect that is set applies; faults that match
/// the same request add up, a later one winning where both set the same thing.
struct Fault {
  // Which requests
  std::string path = "*";   ///< glob over the decoded path, '*' crossing '/': "*/resolve/*.json"
  std::string method = {};  ///< empty: any
  std::optional<Listener> listener = {};  ///< empty: hub and CDN
  int skip = 0;                           ///< let so many pass first
  int times = 1;                          ///< then hit so many; -1: all, until cleared

  // Instead of the answer
  std::optional<int> status = {};        ///< with the Hub's own body for it, unless `body` is set
  std::optional<std::string> body = {};  ///< alone: replaces the body of the true answer
  bool hang = false;                     ///< no answer at all

  // To the answer
  std::vector<std::pair<std::string, std::string>> set_headers = {};
  std::vector<std::string> drop_headers = {};
  std::optional<std::uint64_t> cut_after = {};
  std::chrono::milliseconds delay{0};
  bool no_content_length = false;
  bool gzip = false;
  bool ignore_range = false;
  bool stale = false;                         ///< refs answer as they were before their last move
  std::optional<std::size_t> page_size = {};  ///< of tree, list and commits

  /// Runs before the request is answered, under the hub's lock: the push that comes between two requests.
  std::function<void(World&)> before = {};
};

/// Armed faults, each counting its own matches.
class Faults {
 public:
  void arm(Fault fault) { armed_.push_back({std::move(fault), 0}); }
  void clear() { armed_.clear(); }
  std::size_t pending() const { return armed_.size(); }  ///< armed and not used up

  /// All that matches this request, as one. Used-up faults are dropped.
  Fault take(Listener listener, const std::string& method, const std::string& path);

 private:
  struct Armed {
    Fault fault;
    int seen = 0;
  };
  std::vector<Armed> armed_;
};

}  // namespace modelwatch::testhub
