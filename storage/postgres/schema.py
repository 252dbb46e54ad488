"""The tables of a library, as numbered steps; the table ``catalog_shape`` has the number of the last one done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import StorageError
from storage.catalog.schema import CHOICES, CORRECTIONS, tables

if TYPE_CHECKING:
    import psycopg

# Whatever changes a version notes in ``changed`` the generation that it belongs to, so that other processes read only
# what is new.
_OF_VERSION = """
    lengths BYTEA NOT NULL,            -- weighted tokens of each node, little-endian float32
    died DOUBLE PRECISION,             -- when it was deleted; its rows wait for upkeep
    changed BIGINT NOT NULL DEFAULT 0
"""
_TABLES = f"""
CREATE EXTENSION IF NOT EXISTS vector;
{tables(version_id="BIGINT PRIMARY KEY", of_version=_OF_VERSION, facet_value='TEXT COLLATE "C"')}
INSERT INTO meta VALUES ('next_version', 1), ('purged', 0), ('collection', 0), ('topic', 0), ('watched', 0);
CREATE INDEX version_changed ON version (changed);
CREATE INDEX version_dead ON version (died) WHERE NOT live;
CREATE TABLE graph (version_id BIGINT PRIMARY KEY, content TEXT NOT NULL);  -- networkx node-link JSON

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
ALTER TABLE job ADD COLUMN holder TEXT;
ALTER TABLE message ADD COLUMN holder TEXT DEFAULT current_setting('dropqa.holder', true);
CREATE INDEX message_running ON message (message_id) WHERE state = 'running';

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

# Vectors that an index does not have yet. The indexes of before had each at once; those of today are made by upkeep.
_WAITING = """
ALTER TABLE embedding ADD COLUMN waiting BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX embedding_waiting ON embedding (model_id, id) WHERE waiting;
DO $$ DECLARE one INTEGER; BEGIN
    FOR one IN SELECT id FROM model LOOP EXECUTE format('DROP INDEX IF EXISTS embedding_model_%s', one); END LOOP;
END $$;
"""

# The second step made earlier views; with the fifth the rows of nodes have checksums.
MIGRATIONS: tuple[str, ...] = (_TABLES, "", _VIEWS, CORRECTIONS, "", _WAITING, CHOICES)


def migrate(connection: psycopg.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring a database to the newest shape, one transaction a step; several processes at once do it once.

    Raises StorageError for one that a newer DropQA wrote, and for one that holds other tables.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('dropqa shape' || current_schema(), 0))")
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
