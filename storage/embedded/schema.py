"""The catalog's tables, as numbered steps; ``PRAGMA user_version`` is the number of the last one done."""

import sqlite3

from engine.errors import StorageError

# Keys of nodes and ids of versions are never reused: AUTOINCREMENT and meta.next_key see to it.
_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', 0), ('next_key', 0);

CREATE TABLE document (
    document_id TEXT PRIMARY KEY, name TEXT NOT NULL,
    current INTEGER NOT NULL,          -- version.id
    created_at REAL NOT NULL, updated_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX document_name ON document (name);

CREATE TABLE version (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document_id TEXT NOT NULL, name TEXT NOT NULL,
    number INTEGER NOT NULL,
    live INTEGER NOT NULL DEFAULT 1,   -- 0: deleted, its rows wait for upkeep
    sha256 TEXT NOT NULL, size INTEGER NOT NULL, media_type TEXT NOT NULL, pages INTEGER,
    page_sizes TEXT NOT NULL, warnings TEXT NOT NULL, seconds REAL NOT NULL, created_at REAL NOT NULL,
    first_key INTEGER NOT NULL,        -- its nodes have the keys first_key .. first_key + nodes - 1
    nodes INTEGER NOT NULL, sparse_nodes INTEGER NOT NULL,
    roles BLOB NOT NULL,               -- a byte a node: index of the role, +128 when it has a dense text
    graph TEXT NOT NULL, graph_offset INTEGER NOT NULL, graph_length INTEGER NOT NULL
);
CREATE INDEX version_document ON version (document_id);
CREATE INDEX version_sha256 ON version (sha256);
CREATE INDEX version_graph ON version (graph);
CREATE INDEX version_dead ON version (id) WHERE NOT live;

CREATE TABLE node (
    key INTEGER PRIMARY KEY, version_id INTEGER NOT NULL, node_id TEXT NOT NULL, title TEXT NOT NULL,
    text TEXT NOT NULL,
    rest TEXT NOT NULL,                -- the other fields as a JSON list
    path TEXT NOT NULL                 -- section titles as a JSON list
);
CREATE INDEX node_node_id ON node (node_id);

-- A run of nodes that stand under a section (or are it); title is case-folded.
CREATE TABLE section (
    first_key INTEGER NOT NULL, last_key INTEGER NOT NULL, version_id INTEGER NOT NULL, title TEXT NOT NULL
);
CREATE INDEX section_version ON section (version_id);

CREATE TABLE dense (key INTEGER PRIMARY KEY, hash BLOB NOT NULL, text TEXT NOT NULL);

CREATE TABLE segment (name TEXT PRIMARY KEY, nodes INTEGER NOT NULL) WITHOUT ROWID;

-- Embedding models; row numbers are positions in the model's file of vectors.
CREATE TABLE model (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL,
    folder TEXT NOT NULL, rows INTEGER NOT NULL DEFAULT 0, links INTEGER NOT NULL DEFAULT 0,
    ann_folder TEXT NOT NULL DEFAULT '', ann_rows INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE embedding (
    model_id INTEGER NOT NULL, hash BLOB NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (model_id, hash)
) WITHOUT ROWID;

-- Paths under the folder that no version, segment or model refers to (any more, or yet).
CREATE TABLE garbage (path TEXT PRIMARY KEY, staged INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE job (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, job_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    name TEXT NOT NULL, owner TEXT NOT NULL, priority INTEGER NOT NULL, state TEXT NOT NULL,
    stage TEXT NOT NULL DEFAULT '', progress REAL NOT NULL DEFAULT 0, error TEXT, payload TEXT NOT NULL,
    created_at REAL NOT NULL, started_at REAL, updated_at REAL NOT NULL
);
CREATE INDEX job_state ON job (state, priority DESC, sequence);

CREATE TABLE conversation (
    conversation_id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL, created_at REAL NOT NULL,
    updated_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX conversation_owner ON conversation (owner, updated_at DESC);

CREATE TABLE message (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL, answer TEXT, state TEXT NOT NULL,
    created_at REAL NOT NULL
);
CREATE INDEX message_conversation ON message (conversation_id, sequence);
"""

# What models have replied; the key is a digest of model and question.
_REPLIES = "CREATE TABLE reply (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;"

# A run of nodes that share a facet: a page, heading level, unit, kind of chart, or having numbers (value 1).
_FACETS = """
CREATE TABLE facet (
    name TEXT NOT NULL,
    value NOT NULL,                    -- a number or a text
    first_key INTEGER NOT NULL, last_key INTEGER NOT NULL, version_id INTEGER NOT NULL
);
CREATE INDEX facet_value ON facet (name, value);
CREATE INDEX facet_version ON facet (version_id);
"""

# Questions of a user's own evaluation set; expected nodes and filters as JSON.
_QUESTIONS = """
CREATE TABLE question (
    question_id TEXT PRIMARY KEY, owner TEXT NOT NULL, text TEXT NOT NULL, expected TEXT NOT NULL,
    filters TEXT NOT NULL, kind TEXT NOT NULL, created_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX question_owner ON question (owner, created_at DESC);
"""

# Further texts of a node that are embedded beside its own; ids count up from meta.next_part, never reused.
_PARTS = """
ALTER TABLE version ADD COLUMN strategy TEXT NOT NULL DEFAULT 'recursive';
INSERT INTO meta VALUES ('next_part', 0);
CREATE TABLE part (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, hash BLOB NOT NULL, text TEXT NOT NULL);
CREATE INDEX part_key ON part (key);
"""

# What a question was limited to, as JSON, and what the reader thinks of an answer (1, -1, 0 for not said).
_CHAT = """
ALTER TABLE message ADD COLUMN filters TEXT;
ALTER TABLE message ADD COLUMN rating INTEGER NOT NULL DEFAULT 0;
"""

# The highest version number that was deleted: numbers are not given again.
_LAST_NUMBER = "ALTER TABLE document ADD COLUMN last_number INTEGER NOT NULL DEFAULT 0;"

# Topics; forms as a JSON list of names, vectors as little-endian float32. Links outlive their document's removal.
_TOPICS = """
CREATE TABLE topic (
    topic_id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, state TEXT NOT NULL,
    into_id TEXT, by_hand INTEGER NOT NULL, forms TEXT NOT NULL, model TEXT NOT NULL, vector BLOB
) WITHOUT ROWID;
CREATE TABLE document_topic (
    document_id TEXT NOT NULL, topic_id TEXT NOT NULL, confidence REAL NOT NULL, by_hand INTEGER NOT NULL,
    PRIMARY KEY (document_id, topic_id)
) WITHOUT ROWID;
CREATE INDEX document_topic_topic ON document_topic (topic_id);
CREATE TABLE topic_profile (
    document_id TEXT PRIMARY KEY, state TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
    model TEXT NOT NULL, vector BLOB
) WITHOUT ROWID;
"""

# Large searches scan vectors in 8 bits; the graph of neighbours that stood here goes.
_WITHOUT_ANN = """
INSERT OR REPLACE INTO garbage (path, staged) SELECT ann_folder, 0 FROM model WHERE ann_folder != '';
ALTER TABLE model DROP COLUMN ann_folder;
ALTER TABLE model DROP COLUMN ann_rows;
"""

# Since when a path is garbage, in seconds since 1970; what was so before counts from now.
_GARBAGE_SINCE = """
ALTER TABLE garbage ADD COLUMN since REAL NOT NULL DEFAULT 0;
UPDATE garbage SET since = CAST(strftime('%s', 'now') AS REAL);
"""

# How many units of work were committed: the journal beside the originals counts along.
_COMMITS = "INSERT INTO meta VALUES ('commits', 0);"

# CRC-32 of what is derived: of a graph, and of vectors and links as they were appended. None where it was not noted.
_SUMS = """
ALTER TABLE version ADD COLUMN graph_sum INTEGER;
CREATE TABLE vector_sum (
    model_id INTEGER NOT NULL,
    links INTEGER NOT NULL,            -- 1: of links.i64, 0: of rows.f32
    first INTEGER NOT NULL,            -- row or link
    count INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (model_id, links, first)
) WITHOUT ROWID;
"""

# Since when a document is put away (seconds since 1970), and the files of watched folders; times and device as told by
# the file system. A file that could not be read has an error, and perhaps no document.
_WATCHED = """
ALTER TABLE document ADD COLUMN archived REAL;
CREATE TABLE watched_file (
    path TEXT PRIMARY KEY, document_id TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    device INTEGER NOT NULL, error TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX watched_file_document ON watched_file (document_id);
"""

# Vectors are in a database of their own; those of before, in files, are computed again.
_OLD_VECTORS = """
INSERT OR REPLACE INTO garbage (path, staged, since) SELECT folder, 0, CAST(strftime('%s', 'now') AS REAL) FROM model;
DROP TABLE model;
DROP TABLE embedding;
DROP TABLE vector_sum;
"""

# Reports with what has been written of them, as JSON.
_REPORTS = """
CREATE TABLE report (
    report_id TEXT PRIMARY KEY, owner TEXT NOT NULL, created_at REAL NOT NULL, content TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX report_owner ON report (owner, created_at DESC);
"""

# Collections, with who may read and edit them as JSON lists of names, and the one that a document is in.
_COLLECTIONS = """
CREATE TABLE collection (
    collection_id TEXT PRIMARY KEY, name TEXT NOT NULL, readers TEXT NOT NULL, editors TEXT NOT NULL,
    created_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE document_collection (document_id TEXT PRIMARY KEY, collection_id TEXT NOT NULL) WITHOUT ROWID;
"""

# Corrections by hand as JSON; the id is made of the document's and of the place in it.
_CORRECTIONS = """
CREATE TABLE correction (
    correction_id TEXT PRIMARY KEY, document_id TEXT NOT NULL, content TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX correction_document ON correction (document_id);
"""

MIGRATIONS: tuple[str, ...] = (
    _TABLES, _REPLIES, _FACETS, _QUESTIONS, _PARTS, _CHAT, _TOPICS, _LAST_NUMBER, _WITHOUT_ANN, _GARBAGE_SINCE,
    _COMMITS, _SUMS, _WATCHED, _OLD_VECTORS, _REPORTS, _COLLECTIONS,
    _CORRECTIONS,
)  # fmt: skip


def migrate(connection: sqlite3.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the catalog to the newest shape, one transaction a step.

    Raises StorageError when a newer DropQA wrote it.
    """
    done = connection.execute("PRAGMA user_version").fetchone()[0]
    if done > len(migrations):
        raise StorageError(
            f"This library was written by a newer DropQA (catalog {done}, known {len(migrations)}). Update DropQA."
        )
    for number, statements in enumerate(migrations[done:], done + 1):
        try:
            connection.executescript(f"BEGIN IMMEDIATE;{statements};PRAGMA user_version={number};COMMIT;")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
