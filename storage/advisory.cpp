#include <limits>

#include "storage/store_impl.h"

namespace modelwatch::storage {

namespace {

/// The key after which a page begins, as `modified` and `id` to bind: ?1 and ?2 of every page's statement.
struct Key {
  std::int64_t modified = std::numeric_limits<std::int64_t>::max();
  std::string id;
};

Key key_of(const Store::After& after) {
  return after ? Key{after->first.time_since_epoch().count(), after->second} : Key{};
}

DocumentRow read_row(const Statement& row) { return {row.text(0), row.time(1), row.text(2)}; }

/// One row more is asked for than is given: whether it is there says whether there is a next page.
DocumentPage read_page(Statement& rows, int limit) {
  DocumentPage page;
  while (rows.step()) {
    if (static_cast<int>(page.rows.size()) == limit) {
      page.next = {page.rows.back().modified, page.rows.back().id};
      break;
    }
    page.rows.push_back(read_row(rows));
  }
  return page;
}

}  // namespace

Result<DocumentPage> Store::advisories_by_commit(std::string_view sha, const After& after, int limit) {
  return impl_->read([&]() -> Result<DocumentPage> {
    const Key key = key_of(after);
    Statement rows = impl_->db.prepare(
        "SELECT a.id, a.modified, a.document FROM advisory_version v JOIN advisory a ON a.row = v.advisory"
        " WHERE v.sha = ?3 AND a.withdrawn IS NULL AND (a.modified < ?1 OR (a.modified = ?1 AND a.id > ?2))"
        " ORDER BY a.modified DESC, a.id LIMIT ?4");
    return read_page(rows.bind(key.modified, key.id, sha, limit + 1), limit);
  });
}

Result<DocumentPage> Store::advisories_by_version(std::string_view name, std::string_view version, const After& after, int limit) {
  return impl_->read([&]() -> Result<DocumentPage> {
    const Key key = key_of(after);
    Statement rows = impl_->db.prepare(
        "SELECT a.id, a.modified, a.document FROM advisory_version v JOIN advisory a ON a.row = v.advisory"
        " WHERE v.sha = ?3 AND a.repository IN (SELECT repository FROM alias WHERE name = ?5) AND a.withdrawn IS NULL"
        " AND (a.modified < ?1 OR (a.modified = ?1 AND a.id > ?2)) ORDER BY a.modified DESC, a.id LIMIT ?4");
    return read_page(rows.bind(key.modified, key.id, version, limit + 1, name), limit);
  });
}

Result<DocumentPage> Store::advisories_by_package(std::string_view name, const After& after, int limit) {
  return impl_->read([&]() -> Result<DocumentPage> {
    const Key key = key_of(after);
    Statement rows = impl_->db.prepare(
        "SELECT a.id, a.modified, a.document FROM advisory a"
        " WHERE a.repository IN (SELECT repository FROM alias WHERE name = ?3) AND a.withdrawn IS NULL"
        " AND a.modified <= ?1 AND (a.modified < ?1 OR a.id > ?2) ORDER BY a.modified DESC, a.id LIMIT ?4");
    return read_page(rows.bind(key.modified, key.id, name, limit + 1), limit);
  });
}

Result<DocumentPage> Store::documents(std::string_view name, const After& after, int limit) {
  return impl_->read([&]() -> Result<DocumentPage> {
    const Key key = key_of(after);
    if (name.empty()) {
      Statement rows = impl_->db.prepare(
          "SELECT id, modified, document FROM advisory WHERE modified <= ?1 AND (modified < ?1 OR id > ?2)"
          " ORDER BY modified DESC, id LIMIT ?3");
      return read_page(rows.bind(key.modified, key.id, limit + 1), limit);
    }
    Statement rows = impl_->db.prepare(
        "SELECT id, modified, document FROM advisory WHERE repository IN (SELECT repository FROM alias WHERE name = ?4)"
        " AND modified <= ?1 AND (modified < ?1 OR id > ?2) ORDER BY modified DESC, id LIMIT ?3");
    return read_page(rows.bind(key.modified, key.id, limit + 1, name), limit);
  });
}

Result<DocumentRow> Store::advisory(std::string_view id) {
  return impl_->read([&]() -> Result<DocumentRow> {
    Statement row = impl_->db.prepare("SELECT id, modified, document FROM advisory WHERE id = ?");
    row.bind(id);
    if (row.step()) return read_row(row);
    return fail(ErrorKind::not_found, "there is no advisory " + std::string(id), "modelwatch advisory list");
  });
}

Result<void> Store::each_document(const Wanted& wanted, const std::function<void(const DocumentRow&)>& visit) {
  return impl_->read([&]() -> Result<void> {
    Statement rows = impl_->db.prepare("SELECT row, id, modified FROM advisory ORDER BY modified DESC, id");
    while (rows.step()) {
      if (!wanted(rows.view(1), rows.time(2))) continue;
      Statement row = impl_->db.prepare("SELECT document FROM advisory WHERE row = ?");
      row.bind(rows.integer(0));
      row.step();
      visit({rows.text(1), rows.time(2), row.text(0)});
    }
    return {};
  });
}

Result<std::vector<DocumentRow>> Store::news(std::string_view name, advisories::Impact at_least, int limit) {
  return impl_->read([&]() -> Result<std::vector<DocumentRow>> {
    Statement rows = name.empty()
                         ? impl_->db.prepare("SELECT id, modified, document FROM advisory WHERE impact >= ?1"
                                             " ORDER BY significant DESC, id LIMIT ?2")
                         : impl_->db.prepare("SELECT id, modified, document FROM advisory WHERE impact >= ?1 AND repository IN"
                                             " (SELECT repository FROM alias WHERE name = ?3) ORDER BY significant DESC, id LIMIT ?2");
    if (name.empty()) rows.bind(static_cast<int>(at_least), limit);
    else rows.bind(static_cast<int>(at_least), limit, name);
    std::vector<DocumentRow> news;
    while (rows.step()) news.push_back(read_row(rows));
    return news;
  });
}

Result<bool> Store::knows_commit(std::string_view sha) {
  return impl_->read([&]() -> Result<bool> {
    Statement row = impl_->db.prepare("SELECT 1 FROM revision WHERE sha = ? LIMIT 1");
    row.bind(sha);
    return row.step();
  });
}

}  // namespace modelwatch::storage
