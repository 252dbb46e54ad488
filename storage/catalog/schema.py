"""The tables that every backend has, in SQL that PostgreSQL takes; each backend adds what is its own.

Keys of nodes and ids of versions are never reused: the counters of ``meta`` see to it.
"""

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO meta VALUES ('generation', 0), ('commits', 0), ('next_key', 0), ('next_part', 0);

CREATE TABLE document (
    document_id TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL,
    current BIGINT NOT NULL,                -- version.id
    created_at DOUBLE PRECISION NOT NULL, updated_at DOUBLE PRECISION NOT NULL,
    last_number INTEGER NOT NULL DEFAULT 0, -- the highest version number that was deleted: it is not given again
    archived DOUBLE PRECISION               -- since when it is put away
);
CREATE TABLE version (
    id {version_id}, document_id TEXT COLLATE "C" NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
    live BOOLEAN NOT NULL DEFAULT TRUE,     -- false: deleted, its rows wait for upkeep
    sha256 TEXT NOT NULL, size BIGINT NOT NULL, media_type TEXT NOT NULL, pages INTEGER, page_sizes TEXT NOT NULL,
    warnings TEXT NOT NULL, seconds DOUBLE PRECISION NOT NULL, created_at DOUBLE PRECISION NOT NULL,
    first_key BIGINT NOT NULL,              -- its nodes have the keys first_key .. first_key + nodes - 1
    nodes INTEGER NOT NULL,
    roles BYTEA NOT NULL,                   -- a byte a node: index of the role, +128 when it has a dense text
    strategy TEXT NOT NULL,
    {of_version}
);
CREATE INDEX version_document ON version (document_id, number);
CREATE INDEX version_sha256 ON version (sha256);

CREATE TABLE node (
    key BIGINT PRIMARY KEY, version_id BIGINT NOT NULL, node_id TEXT COLLATE "C" NOT NULL, title TEXT NOT NULL,
    text TEXT NOT NULL,
    rest TEXT NOT NULL,                     -- the other fields as a JSON list
    path TEXT NOT NULL                      -- section titles as a JSON list
);
CREATE INDEX node_node_id ON node (node_id);
-- A run of nodes that stand under a section (or are it); title is case-folded.
CREATE TABLE section (
    first_key BIGINT NOT NULL, last_key BIGINT NOT NULL, version_id BIGINT NOT NULL, title TEXT NOT NULL
);
CREATE INDEX section_version ON section (version_id);
-- A run of nodes that share a facet: a page, heading level, unit, kind of chart, or having numbers (value 1).
CREATE TABLE facet (
    name TEXT NOT NULL, value {facet_value} NOT NULL, first_key BIGINT NOT NULL, last_key BIGINT NOT NULL,
    version_id BIGINT NOT NULL
);
CREATE INDEX facet_value ON facet (name, value);
CREATE INDEX facet_version ON facet (version_id);
CREATE TABLE dense (key BIGINT PRIMARY KEY, hash BYTEA NOT NULL, text TEXT NOT NULL);
-- Further texts of a node that are embedded beside its own; ids count up from meta.next_part, never reused.
CREATE TABLE part (id BIGINT PRIMARY KEY, key BIGINT NOT NULL, hash BYTEA NOT NULL, text TEXT NOT NULL);
CREATE INDEX part_key ON part (key);

CREATE TABLE job (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    name TEXT NOT NULL, owner TEXT NOT NULL, priority INTEGER NOT NULL, state TEXT NOT NULL,
    stage TEXT NOT NULL DEFAULT '', progress DOUBLE PRECISION NOT NULL DEFAULT 0, error TEXT, payload TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, started_at DOUBLE PRECISION, updated_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX job_state ON job (state, priority DESC, sequence);

CREATE TABLE conversation (
    conversation_id TEXT COLLATE "C" PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, updated_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX conversation_owner ON conversation (owner, updated_at DESC);
-- With what a question was limited to, as JSON, and what the reader thinks of an answer (1, -1, 0 for not said).
CREATE TABLE message (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, message_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL, answer TEXT, state TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, filters TEXT, rating INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX message_conversation ON message (conversation_id, sequence);
-- Questions of a user's own evaluation set; expected nodes and filters as JSON.
CREATE TABLE question (
    question_id TEXT COLLATE "C" PRIMARY KEY, owner TEXT NOT NULL, text TEXT NOT NULL, expected TEXT NOT NULL,
    filters TEXT NOT NULL, kind TEXT NOT NULL, created_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX question_owner ON question (owner, created_at DESC);
CREATE TABLE report (
    report_id TEXT COLLATE "C" PRIMARY KEY, owner TEXT NOT NULL, created_at DOUBLE PRECISION NOT NULL,
    content TEXT NOT NULL
);
CREATE INDEX report_owner ON report (owner, created_at DESC);
-- What models have replied; the key is a digest of model and question.
CREATE TABLE reply (key TEXT PRIMARY KEY, text TEXT NOT NULL);

-- Topics; forms as a JSON list of names, vectors as little-endian float32. Links outlive their document's removal.
CREATE TABLE topic (
    topic_id TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, state TEXT NOT NULL,
    into_id TEXT, by_hand BOOLEAN NOT NULL, forms TEXT NOT NULL, model TEXT NOT NULL, vector BYTEA
);
CREATE TABLE document_topic (
    document_id TEXT COLLATE "C" NOT NULL, topic_id TEXT COLLATE "C" NOT NULL, confidence DOUBLE PRECISION NOT NULL,
    by_hand SMALLINT NOT NULL, PRIMARY KEY (document_id, topic_id)
);
CREATE INDEX document_topic_topic ON document_topic (topic_id);
CREATE TABLE topic_profile (
    document_id TEXT COLLATE "C" PRIMARY KEY, state TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
    model TEXT NOT NULL, vector BYTEA
);
-- Collections, with who may read and edit them as JSON lists of names, and the one that a document is in.
CREATE TABLE collection (
    collection_id TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL, readers TEXT NOT NULL, editors TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE document_collection (document_id TEXT COLLATE "C" PRIMARY KEY, collection_id TEXT NOT NULL);
-- The files of watched folders; times and device as told by the file system. A file that could not be read has an
-- error, and perhaps no document.
CREATE TABLE watched_file (
    path TEXT COLLATE "C" PRIMARY KEY, document_id TEXT NOT NULL, size BIGINT NOT NULL, modified BIGINT NOT NULL,
    device BIGINT NOT NULL, error TEXT NOT NULL
);
CREATE INDEX watched_file_document ON watched_file (document_id);
-- Paths under the folder that nothing refers to (any more, or yet), and since when.
CREATE TABLE garbage (path TEXT PRIMARY KEY, staged BOOLEAN NOT NULL, since DOUBLE PRECISION NOT NULL DEFAULT 0);
"""

# Corrections by hand as JSON; the id is made of the document's and of the place in it. They came later.
CORRECTIONS = """
CREATE TABLE correction (
    correction_id TEXT COLLATE "C" PRIMARY KEY, document_id TEXT COLLATE "C" NOT NULL, content TEXT NOT NULL
);
CREATE INDEX correction_document ON correction (document_id);
"""

# What a reader chose for a conversation, as a JSON object: how it is answered, what was wrong with an answer.
CHOICES = """
CREATE TABLE choice (conversation_id TEXT COLLATE "C" PRIMARY KEY, content TEXT NOT NULL);
"""


def tables(*, version_id: str, of_version: str, facet_value: str) -> str:
    """Return the statements that make the tables.

    ``version_id`` is how the id of a version is declared, ``of_version`` are the columns that only this backend has of
    one, and ``facet_value`` is the type by which the values of facets come in their order.
    """
    return _TABLES.format(version_id=version_id, of_version=of_version, facet_value=facet_value)
