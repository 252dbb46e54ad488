"""What is said of a database that cannot be used, and what is never said."""

from __future__ import annotations

import socket
import sys

import psycopg
import pytest

from engine.errors import StorageError, UsageError
from storage.postgres import PostgresStorage, address
from tests.postgres_server import drop, new_database

PASSWORD = "s3cret-word"


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://ann:{PASSWORD}@host/library", f"ann:{PASSWORD}@host/library", f"postgresq://ann:{PASSWORD}@host/x",
        f"postgresql://ann:{PASSWORD}@host:port/library", f"postgresql://ann:{PASSWORD}@host/library?sslmode=perhaps&nonsense=1",
    ],
)  # fmt: skip
def test_an_address_that_is_not_understood_is_told_without_its_password(url, tmp_path):
    with pytest.raises(UsageError, match="not understood") as told:
        PostgresStorage(url, tmp_path)
    assert PASSWORD not in str(told.value)


def test_a_server_out_of_reach_is_told_with_its_place_and_without_the_password(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(StorageError, match=f"127.0.0.1:{port}/library cannot be reached") as told:
        PostgresStorage(f"postgresql://ann:{PASSWORD}@127.0.0.1:{port}/library", tmp_path)
    assert PASSWORD not in str(told.value) and "\n" not in str(told.value)


def test_a_database_that_does_not_exist_is_told(tmp_path):
    url = new_database()
    drop(url)
    with pytest.raises(StorageError, match="does not exist"):
        PostgresStorage(url, tmp_path)


def test_a_database_with_other_tables_is_left_alone(tmp_path):
    url = new_database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE invoices (number INTEGER)")
    with pytest.raises(StorageError, match="invoices"):
        PostgresStorage(url, tmp_path)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (1,)
    drop(url)


def test_a_library_of_a_newer_version_is_left_alone(tmp_path):
    url = new_database()
    PostgresStorage(url, tmp_path).close()
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE catalog_shape SET number = 99")
    with pytest.raises(StorageError, match="newer DropQA"):
        PostgresStorage(url, tmp_path)
    drop(url)


@pytest.mark.parametrize(
    ("server", "vector", "told"),
    [(140009, "0.8.0", "PostgreSQL 14"), (150000, None, "no pgvector"), (160002, "0.7.4", "pgvector 0.7.4")],
)
def test_a_server_that_is_too_old_is_told(server, vector, told):
    class Connection:
        class info:
            server_version = server

        @staticmethod
        def execute(_statement):
            class Cursor:
                @staticmethod
                def fetchone():
                    return (vector,) if vector else None

            return Cursor

    with pytest.raises(StorageError, match=told):
        address._check(Connection, "host/library")


def test_without_its_driver_it_is_told_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "psycopg_pool", None)
    with pytest.raises(StorageError, match=r"dropqa\[postgres\]"):
        PostgresStorage("postgresql://localhost/library", tmp_path)


def test_a_library_with_earlier_views_gets_those_of_today(tmp_path):
    url = new_database()
    PostgresStorage(url, tmp_path).close()
    with psycopg.connect(url) as connection:
        connection.execute(
            "DROP VIEW topics; CREATE VIEW topics AS SELECT topic_id AS id, name, description FROM topic"
        )
        connection.execute("DROP VIEW document_topics; ALTER TABLE topic DROP COLUMN created_at CASCADE")
        connection.execute("DROP TABLE correction, choice; ALTER TABLE embedding DROP COLUMN waiting")
        connection.execute("UPDATE catalog_shape SET number = 2")
    PostgresStorage(url, tmp_path).close()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT number FROM catalog_shape").fetchone() == (7,)
        connection.execute("SELECT id, embedding, created_at FROM topics")
        connection.execute("SELECT id, created_at FROM document_topics")
    drop(url)


def test_whoever_reads_it_with_sql_finds_the_names_of_the_design(tmp_path):
    url = new_database()
    PostgresStorage(url, tmp_path).close()
    expected = {
        "documents": "id filename file_type file_hash file_size storage_path current_version created_at updated_at",
        "document_versions": "id document_id version file_hash storage_path created_at",
        "nodes": "id document_id version parent_id node_type depth title content summary position metadata created_at",
        "embeddings": "id node_id embedding model_name created_at",
        "topics": "id name description embedding created_at",
        "document_topics": "document_id topic_id confidence id created_at",
        "images": "id node_id storage_path ocr_text description created_at embedding",
    }
    with psycopg.connect(url) as connection:
        for view, names in expected.items():
            described = connection.execute(f"SELECT * FROM {view}").description
            assert [column.name for column in described] == names.split()
    drop(url)
