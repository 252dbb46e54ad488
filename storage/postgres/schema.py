"""The tables of a library, as numbered steps; the table ``catalog_shape`` has the number of the last one done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import StorageError

if TYPE_CHECKING:
    import psycopg

# Names and columns are those of the catalog of a library folder, where it has them, so that one SQL reads both. Keys of
# nodes and ids of versions are never reused: the counters of ``meta`` see to it. Whatever changes a version notes in
# ``changed`` the generation that it belongs to, so that other processes read no more than what is new.
_TABLES = """
CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO meta VALUES ('generation', 0), ('commits', 0), ('next_key', 0), ('next_part', 0), ('next_version', 1),
    ('purged', 0), ('collection', 0), ('topic', 0), ('watched', 0);

CREATE TABLE document (
    document_id TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL, current BIGINT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, updated_at DOUBLE PRECISION NOT NULL,
    last_number INTEGER NOT NULL DEFAULT 0, archived DOUBLE PRECISION
);
CREATE TABLE version (
    id BIGINT PRIMARY KEY, document_id TEXT COLLATE "C" NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
    live BOOLEAN NOT NULL DEFAULT TRUE, sha256 TEXT NOT NULL, size BIGINT NOT NULL, media_type TEXT NOT NULL,
    pages INTEGER, page_sizes TEXT NOT NULL, warnings TEXT NOT NULL, seconds DOUBLE PRECISION NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, first_key BIGINT NOT NULL, nodes INTEGER NOT NULL, roles BYTEA NOT NULL,
    strategy TEXT NOT NULL,
    lengths BYTEA NOT NULL,            -- weighted tokens of each node, little-endian float32
    died DOUBLE PRECISION,             -- when it was deleted; its rows wait for upkeep
    changed BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX version_document ON version (document_id, number);
CREATE INDEX version_sha256 ON version (sha256);
CREATE INDEX version_changed ON version (changed);
CREATE INDEX version_dead ON version (died) WHERE NOT live;
CREATE TABLE graph (version_id BIGINT PRIMARY KEY, content TEXT NOT NULL);  -- networkx node-link JSON

CREATE TABLE node (
    key BIGINT PRIMARY KEY, version_id BIGINT NOT NULL, node_id TEXT COLLATE "C" NOT NULL, title TEXT NOT NULL,
    text TEXT NOT NULL, rest TEXT NOT NULL, path TEXT NOT NULL
);
CREATE INDEX node_node_id ON node (node_id);
CREATE TABLE section (
    first_key BIGINT NOT NULL, last_key BIGINT NOT NULL, version_id BIGINT NOT NULL, title TEXT NOT NULL
);
CREATE INDEX section_version ON section (version_id);
CREATE TABLE facet (
    name TEXT NOT NULL, value TEXT COLLATE "C" NOT NULL, first_key BIGINT NOT NULL, last_key BIGINT NOT NULL,
    version_id BIGINT NOT NULL
);
CREATE INDEX facet_value ON facet (name, value);
CREATE INDEX facet_version ON facet (version_id);
CREATE TABLE dense (key BIGINT PRIMARY KEY, hash BYTEA NOT NULL, text TEXT NOT NULL);
CREATE TABLE part (id BIGINT PRIMARY KEY, key BIGINT NOT NULL, hash BYTEA NOT NULL, text TEXT NOT NULL);
CREATE INDEX part_key ON part (key);

-- A term's nodes in one version, which begins at first_key: how far behind it (int32, ascending), and the weighted
-- frequencies (float32), both little-endian. A row a version and not a node: half the space, a third of the rows.
CREATE TABLE posting (
    term TEXT COLLATE "C" NOT NULL, first_key BIGINT NOT NULL, nodes BYTEA NOT NULL, frequencies BYTEA NOT NULL,
    PRIMARY KEY (term, first_key)
);
CREATE INDEX posting_version ON posting (first_key);

-- A vector a text and model, found again by the text's hash; nodes (and parts, by negative numbers) are linked to them.
CREATE TABLE model (
    id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL
);
CREATE TABLE embedding (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, model_id INTEGER NOT NULL, hash BYTEA NOT NULL,
    vector VECTOR NOT NULL, created_at TIMESTAMPTZ NOT NULL DEFAULT now(), UNIQUE (model_id, hash)
);
CREATE TABLE link (
    model_id INTEGER NOT NULL, name BIGINT NOT NULL, embedding_id BIGINT NOT NULL, generation BIGINT NOT NULL,
    PRIMARY KEY (model_id, name)
);
CREATE INDEX link_embedding ON link (embedding_id);
CREATE INDEX link_generation ON link (generation);
-- Texts that a process is having embedded.
CREATE TABLE claim (
    model TEXT NOT NULL, hash BYTEA NOT NULL, holder TEXT NOT NULL, taken_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (model, hash)
);

-- The processes that use the library; what one of them holds is free again when it has not been seen for a while.
CREATE TABLE process (holder TEXT PRIMARY KEY, seen_at TIMESTAMPTZ NOT NULL DEFAULT now(), told TEXT NOT NULL);
CREATE TABLE job (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    name TEXT NOT NULL, owner TEXT NOT NULL, priority INTEGER NOT NULL, state TEXT NOT NULL,
    stage TEXT NOT NULL DEFAULT '', progress DOUBLE PRECISION NOT NULL DEFAULT 0, error TEXT, payload TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, started_at DOUBLE PRECISION, updated_at DOUBLE PRECISION NOT NULL, holder TEXT
);
CREATE INDEX job_state ON job (state, priority DESC, sequence);

CREATE TABLE conversation (
    conversation_id TEXT COLLATE "C" PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, updated_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX conversation_owner ON conversation (owner, updated_at DESC);
CREATE TABLE message (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, message_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL, answer TEXT, state TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL, filters TEXT, rating INTEGER NOT NULL DEFAULT 0,
    holder TEXT DEFAULT current_setting('dropqa.holder', true)
);
CREATE INDEX message_conversation ON message (conversation_id, sequence);
CREATE INDEX message_running ON message (message_id) WHERE state = 'running';
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
CREATE TABLE reply (key TEXT PRIMARY KEY, text TEXT NOT NULL);

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
CREATE TABLE collection (
    collection_id TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL, readers TEXT NOT NULL, editors TEXT NOT NULL,
    created_at DOUBLE PRECISION NOT NULL
);
CREATE TABLE document_collection (document_id TEXT COLLATE "C" PRIMARY KEY, collection_id TEXT NOT NULL);
CREATE TABLE watched_file (
    path TEXT COLLATE "C" PRIMARY KEY, document_id TEXT NOT NULL, size BIGINT NOT NULL, modified BIGINT NOT NULL,
    device BIGINT NOT NULL, error TEXT NOT NULL
);
CREATE INDEX watched_file_document ON watched_file (document_id);
CREATE TABLE garbage (path TEXT PRIMARY KEY, staged BOOLEAN NOT NULL, since DOUBLE PRECISION NOT NULL DEFAULT 0);

-- What processes keep in memory of these tables they read anew when the counter is another one.
CREATE FUNCTION dropqa_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE meta SET value = value + 1 WHERE name = TG_ARGV[0];
    RETURN NULL;
END $$;
CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON collection
    FOR EACH STATEMENT EXECUTE FUNCTION dropqa_count('collection');
CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON document_collection
    FOR EACH STATEMENT EXECUTE FUNCTION dropqa_count('collection');
CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON topic
    FOR EACH STATEMENT EXECUTE FUNCTION dropqa_count('topic');
CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON document_topic
    FOR EACH STATEMENT EXECUTE FUNCTION dropqa_count('topic');
CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON watched_file
    FOR EACH STATEMENT EXECUTE FUNCTION dropqa_count('watched');
"""

# For whoever reads a library with SQL: names and fields as the design of the data has them.
_VIEWS = """
ALTER TABLE topic ADD COLUMN IF NOT EXISTS created_at TIMESTAMPTZ NOT NULL DEFAULT now();
ALTER TABLE document_topic ADD COLUMN IF NOT EXISTS created_at TIMESTAMPTZ NOT NULL DEFAULT now();
CREATE OR REPLACE VIEW documents AS
SELECT d.document_id AS id, d.name AS filename, v.media_type AS file_type, v.sha256 AS file_hash, v.size AS file_size,
    'files/' || left(v.sha256, 2) || '/' || v.sha256 AS storage_path, v.number AS current_version,
    to_timestamp(d.created_at) AS created_at, to_timestamp(d.updated_at) AS updated_at
FROM document d JOIN version v ON v.id = d.current WHERE d.archived IS NULL;

CREATE OR REPLACE VIEW document_versions AS
SELECT v.id, v.document_id, v.number AS version, v.sha256 AS file_hash,
    'files/' || left(v.sha256, 2) || '/' || v.sha256 AS storage_path, to_timestamp(v.created_at) AS created_at
FROM version v WHERE v.live;

CREATE OR REPLACE VIEW nodes AS
SELECT n.node_id AS id, v.document_id, v.number AS version, n.rest::json ->> 0 AS parent_id,
    n.rest::json ->> 1 AS node_type, (n.rest::json ->> 3)::integer AS depth, n.title, n.text AS content,
    n.rest::json ->> 2 AS summary, (n.rest::json ->> 4)::integer AS position, n.rest::json -> 9 AS metadata,
    to_timestamp(v.created_at) AS created_at
FROM node n JOIN version v ON v.id = n.version_id WHERE v.live;

CREATE OR REPLACE VIEW embeddings AS
SELECT e.id, n.node_id, e.vector AS embedding, m.name AS model_name, e.created_at
FROM link l JOIN embedding e ON e.id = l.embedding_id JOIN model m ON m.id = l.model_id JOIN node n ON n.key = l.name;

-- A topic's vector is little-endian float32: it belongs to no index.
CREATE OR REPLACE VIEW topics AS
SELECT topic_id AS id, name, description, vector AS embedding, created_at FROM topic WHERE state = 'live';

CREATE OR REPLACE VIEW document_topics AS
SELECT document_id, topic_id, confidence, document_id || '/' || topic_id AS id, created_at FROM document_topic
WHERE by_hand >= 0;

CREATE OR REPLACE VIEW images AS
SELECT n.node_id AS id, n.rest::json ->> 0 AS node_id,
    'files/' || left(v.sha256, 2) || '/' || v.sha256 AS storage_path,
    n.rest::json -> 9 ->> 'ocr_text' AS ocr_text, n.text AS description, to_timestamp(v.created_at) AS created_at,
    (SELECT e.vector FROM link l JOIN embedding e ON e.id = l.embedding_id WHERE l.name = n.key
     ORDER BY l.model_id DESC LIMIT 1) AS embedding
FROM node n JOIN version v ON v.id = n.version_id WHERE v.live AND n.rest::json ->> 1 = 'image';
"""

MIGRATIONS: tuple[str, ...] = (_TABLES, "", _VIEWS)  # the second step made earlier views


def migrate(connection: psycopg.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring a database to the newest shape, one transaction a step; several processes at once do it once.

    Raises StorageError for one that a newer DropQA wrote, and for one that holds other tables.
    """
    with connection.transaction():
        connection.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('dropqa shape' || current_schema(), 0))"
        )
        if not connection.execute("SELECT to_regclass('catalog_shape') IS NOT NULL").fetchone()[0]:  # type: ignore[index]
            held = connection.execute(
                "SELECT string_agg(tablename, ', ') FROM pg_tables WHERE schemaname = current_schema()"
            ).fetchone()
            if held and held[0]:
                raise StorageError(
                    f"The database holds other tables ({held[0][:80]}) and no library. Give the library an empty one."
                )
            connection.execute("CREATE TABLE catalog_shape (number INTEGER NOT NULL)")
            connection.execute("INSERT INTO catalog_shape VALUES (0)")
        row = connection.execute("SELECT number FROM catalog_shape").fetchone()
        done = row[0] if row else 0
        if done > len(migrations):
            raise StorageError(
                f"This library was written by a newer DropQA (catalog {done}, known {len(migrations)}). Update DropQA."
            )
        for statements in migrations[done:]:
            connection.execute(statements)
        connection.execute("UPDATE catalog_shape SET number = %s", (len(migrations),))
