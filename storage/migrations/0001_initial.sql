-- Times are seconds since 1970, UTC. `impact` is the gravity of advisories::Impact: 0 cosmetic, 1 unknown, 2 legal,
-- 3 resource, 4 behaviour, 5 breaking, 6 security. `part` is its name. JSON is text as the product writes it.
PRAGMA application_id = 1836540276;  -- "mwat"

-- A repository of the Hub is its `_id`; `name` is the present one, or the last it had.
CREATE TABLE repository (
  id     INTEGER PRIMARY KEY,
  hub_id TEXT NOT NULL UNIQUE,
  name   TEXT NOT NULL
) STRICT;

-- Every name a repository has or had. `until` is NULL while it has it; only one repository has a name at a time.
CREATE TABLE alias (
  id         INTEGER PRIMARY KEY,
  repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
  name       TEXT NOT NULL,
  since      INTEGER NOT NULL,
  until      INTEGER
) STRICT;
CREATE UNIQUE INDEX alias_present ON alias (name) WHERE until IS NULL;
CREATE INDEX alias_by_name ON alias (name, until);
CREATE INDEX alias_by_repository ON alias (repository, until);

-- What is polled, or was. `repository` is NULL until the first answer. A former holder of a name keeps its row with
-- access 'taken-over' beside the one of the newcomer.
CREATE TABLE tracked (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  repository     INTEGER REFERENCES repository ON DELETE CASCADE,
  name           TEXT NOT NULL,
  ref            TEXT NOT NULL,
  history        INTEGER,                      -- revisions before the head; NULL = all
  polled         INTEGER NOT NULL,
  head           TEXT NOT NULL DEFAULT '',     -- sha processed last
  access         TEXT NOT NULL DEFAULT 'open',
  misses         INTEGER NOT NULL DEFAULT 0,
  first_miss     INTEGER,
  last_check     INTEGER,
  last_change    INTEGER,
  last_full_read INTEGER,
  next_check     INTEGER,
  last_error     TEXT NOT NULL DEFAULT '',
  facts          TEXT NOT NULL DEFAULT '{}',   -- JSON
  base_model     TEXT NOT NULL DEFAULT '',     -- of the facts
  added          INTEGER NOT NULL,
  lease_holder   TEXT,                         -- who checks it now
  lease_until    INTEGER
) STRICT;
CREATE UNIQUE INDEX tracked_by_name ON tracked (name, ref) WHERE access <> 'taken-over';
CREATE INDEX tracked_listing ON tracked (name, ref);
CREATE UNIQUE INDEX tracked_by_repository ON tracked (repository, ref);
CREATE INDEX tracked_by_base_model ON tracked (base_model, id);
CREATE INDEX tracked_polled ON tracked (polled, next_check, name, ref) WHERE polled = 1;

CREATE TABLE revision (
  id          INTEGER PRIMARY KEY,
  repository  INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
  sha         TEXT NOT NULL,
  parent      TEXT NOT NULL,                   -- sha of the predecessor as processed; '' for a baseline
  committed   INTEGER NOT NULL,                -- upstream's date
  seen        INTEGER NOT NULL,
  title       TEXT NOT NULL,
  authors     TEXT NOT NULL,                   -- JSON
  rewritten   INTEGER NOT NULL,
  impact      INTEGER NOT NULL,
  parts       TEXT NOT NULL,                   -- JSON: part → same, changed, added, removed, unreadable
  plan        TEXT NOT NULL,                   -- JSON: of this revision
  plan_change TEXT NOT NULL,                   -- JSON: what moved against the predecessor
  UNIQUE (repository, sha)
) STRICT;
CREATE INDEX revision_by_sha ON revision (sha);

-- The revisions of a ref in the order in which it came to them.
CREATE TABLE place (
  tracked  INTEGER NOT NULL REFERENCES tracked ON DELETE CASCADE,
  position INTEGER NOT NULL,
  revision INTEGER NOT NULL REFERENCES revision ON DELETE CASCADE,
  PRIMARY KEY (tracked, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX place_by_revision ON place (revision, tracked);

-- Listings. A file of a revision is a path and an object; both are said once, whatever repositories share them.
CREATE TABLE path (
  id   INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE object (
  id           INTEGER PRIMARY KEY,
  identity     TEXT NOT NULL,                  -- the LFS sha256 where known, else the git oid
  oid          TEXT NOT NULL,
  size         INTEGER NOT NULL,
  lfs_sha256   TEXT NOT NULL,                  -- '' where masked, and for a file that is not in LFS
  lfs_size     INTEGER NOT NULL,
  pointer_size INTEGER NOT NULL,               -- -1 for a file that is not in LFS
  UNIQUE (oid, lfs_sha256, size, lfs_size, pointer_size)
) STRICT;
CREATE INDEX object_by_identity ON object (identity);
CREATE TABLE file (
  revision INTEGER NOT NULL REFERENCES revision ON DELETE CASCADE,
  path     INTEGER NOT NULL REFERENCES path,
  object   INTEGER NOT NULL REFERENCES object,
  not_read TEXT,                               -- why a wanted file's bytes are not there
  PRIMARY KEY (revision, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_by_object ON file (object);
CREATE INDEX file_by_path ON file (path);

-- Bytes by identity, shared by all repositories: whole files, and of safetensors files the header.
CREATE TABLE blob (
  identity TEXT NOT NULL UNIQUE,
  size     INTEGER NOT NULL,                   -- of the bytes before compression
  zstd     BLOB NOT NULL
) STRICT;

-- The digest of what a part means at a revision.
CREATE TABLE state (
  revision   INTEGER NOT NULL REFERENCES revision ON DELETE CASCADE,
  part       TEXT NOT NULL,
  digest     TEXT NOT NULL,
  repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
  PRIMARY KEY (revision, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX state_by_digest ON state (repository, part, digest, revision);

-- The stream of all changes in the order of observation: of parts at revisions, and of the repositories themselves.
CREATE TABLE change (
  sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
  repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
  revision   INTEGER REFERENCES revision ON DELETE CASCADE,
  event      TEXT NOT NULL,                    -- 'change', or the kind of a repository event
  part       TEXT NOT NULL,
  impact     INTEGER NOT NULL,
  seen       INTEGER NOT NULL,
  advisory   TEXT,                             -- id
  summary    TEXT NOT NULL,
  findings   TEXT NOT NULL,                    -- JSON array
  detail     TEXT NOT NULL                     -- JSON object: of an event
) STRICT;
CREATE INDEX change_by_repository ON change (repository, sequence);
CREATE INDEX change_by_revision ON change (revision);
CREATE INDEX change_by_part ON change (part, sequence);
CREATE INDEX change_by_seen ON change (seen);
CREATE INDEX change_by_advisory ON change (advisory) WHERE advisory IS NOT NULL;

-- OSV documents as they are served.
CREATE TABLE advisory (
  row         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  repository  INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
  introduced  TEXT NOT NULL,                   -- sha
  impact      INTEGER NOT NULL,
  modified    INTEGER NOT NULL,
  significant INTEGER NOT NULL,                -- last change that is news: not a longer list of revisions
  withdrawn   INTEGER,
  document    TEXT NOT NULL
) STRICT;
CREATE INDEX advisory_by_time ON advisory (modified DESC, id);
CREATE INDEX advisory_by_repository ON advisory (repository, modified DESC, id);
CREATE INDEX advisory_by_news ON advisory (significant DESC, id);
CREATE INDEX advisory_by_news_of_repository ON advisory (repository, significant DESC, id);
CREATE INDEX advisory_by_introduced ON advisory (repository, introduced);
CREATE TABLE advisory_version (
  advisory INTEGER NOT NULL REFERENCES advisory ON DELETE CASCADE,
  sha      TEXT NOT NULL,
  PRIMARY KEY (advisory, sha)
) STRICT, WITHOUT ROWID;
CREATE INDEX advisory_version_by_sha ON advisory_version (sha);

-- The newest `modified` ever given; the next one is later.
CREATE TABLE feed_clock (
  one  INTEGER PRIMARY KEY CHECK (one = 1),
  last INTEGER NOT NULL
) STRICT;
INSERT INTO feed_clock VALUES (1, 0);
