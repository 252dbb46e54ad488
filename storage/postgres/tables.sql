-- What a library in PostgreSQL has beside the tables of every backend.
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
