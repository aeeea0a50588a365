#pragma once
#include <map>
#include <string>
#include <vector>

#include "advisories/osv/ledger.h"

namespace modelwatch::advisories::testing {

/// A repository in miniature: revisions in a commit graph, the meaning of each part as a letter, and the advisories
/// that a ledger makes of them, kept as a store keeps them.
class History {
 public:
  struct Revision {
    std::string sha, parent;                ///< parent in the graph, empty for a root
    std::map<Part, std::string> parts;      ///< part → its state; absent where the part is
    std::map<Part, Impact> impacts;         ///< of the changes against whatever it is compared with; behaviour by default
    std::vector<Part> retouched;            ///< parts whose bytes differ and whose meaning is equal
  };

  explicit History(Impact minimum = Impact::legal) : minimum_(minimum) {}

  /// The first revision: nothing is published.
  void baseline(Revision revision);
  /// A commit on top of the head.
  std::vector<Advisory> commit(Revision revision);
  /// The ref moves to a revision that the head is no ancestor of. `base` as in Step.
  std::vector<Advisory> force(Revision revision, const std::string& base);
  /// The ref moves to a revision that is known.
  std::vector<Advisory> go_to(const std::string& sha);

  const Advisory& advisory(const std::string& id) const { return book_.at(id); }
  const std::map<std::string, Advisory>& book() const { return book_; }
  const std::vector<Revision>& revisions() const { return revisions_; }
  const Revision& revision(const std::string& sha) const;
  const std::string& head() const { return head_; }
  /// Those that list a revision, as a query by commit answers.
  std::vector<Advisory> listing(const std::string& sha) const;
  bool is_ancestor(const std::string& ancestor, const std::string& sha) const;  ///< or the same
  /// What a reader of the commit graph makes of the range.
  bool in_range(const Advisory& advisory, const std::string& sha) const;

 private:
  std::vector<Advisory> step(const Revision& revision, bool rewritten, const std::string& base);

  Impact minimum_;
  std::vector<Revision> revisions_;
  std::map<std::string, Advisory> book_;
  std::string head_;
  Time clock_ = *parse_rfc3339("2026-01-01T00:00:00Z");
};

}  // namespace modelwatch::advisories::testing
