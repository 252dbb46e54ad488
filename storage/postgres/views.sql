-- For whoever reads a library with SQL: names and fields as the design of the data has them.
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
