"""The address of a database: what may be shown of it, and what is wrong when it cannot be used."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from engine.errors import StorageError, UsageError

if TYPE_CHECKING:
    import psycopg

SCHEMES = ("postgresql", "postgres")
LEAST_SERVER, LEAST_VECTOR = 150000, (0, 8)
CONNECT_SECONDS = 10
_FIX = "Check that the server runs, and the address in DROPQA_DATABASE_URL or [database] url."


def where(url: str) -> str:
    """Return an address without its user and password: what may be shown. Raises UsageError for no such address."""
    told = _split(url)
    host = told.hostname or dict(parse_qsl(told.query)).get("host", "localhost")
    return f"{host}{f':{told.port}' if told.port else ''}{told.path or '/'}"


def without_password(url: str, message: object) -> str:
    """Return the first line of a message, without the password of an address, should it be in there."""
    line = next(iter(str(message).strip().splitlines()), "")
    told = _split(url)
    for secret in (told.password, dict(parse_qsl(told.query)).get("password")):
        for spelled in (secret, unquote(secret)) if secret else ():
            line = line.replace(spelled, "***")
    return line


def driver() -> Any:
    """Return the module psycopg. Raises StorageError where it is not installed."""
    try:
        import psycopg
        import psycopg_pool  # noqa: F401
    except ImportError as error:
        raise StorageError(
            "A library on PostgreSQL needs psycopg, which is not installed. "
            'Install it with `pip install "dropqa[postgres]"`, or start with `uv run --extra postgres dropqa`.'
        ) from error
    return psycopg


def connect(url: str) -> psycopg.Connection:
    """Return a connection of its own, after it was found to lead to a server that can hold a library.

    Raises UsageError for an address that is not understood, StorageError.
    """
    place, psycopg_ = where(url), driver()
    try:
        connection: psycopg.Connection = psycopg_.connect(
            url, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="dropqa"
        )
    except psycopg_.ProgrammingError:
        raise UsageError(_NOT_UNDERSTOOD) from None
    except psycopg_.Error as error:
        reason = without_password(url, error)
        raise StorageError(f"The database {place} cannot be reached ({reason}). {_FIX}") from None
    with ExitStack() as failed:
        failed.callback(connection.close)
        try:
            _check(connection, place)
        except psycopg_.Error as error:
            reason = without_password(url, error)
            raise StorageError(f"The database {place} cannot be used ({reason}). {_FIX}") from None
        failed.pop_all()
    return connection


def _check(connection: psycopg.Connection, place: str) -> None:
    if connection.info.server_version < LEAST_SERVER:
        version = connection.info.server_version // 10000
        raise StorageError(f"The database {place} is PostgreSQL {version}. A library needs 15 or newer.")
    there = connection.execute(
        "SELECT coalesce(installed_version, default_version) FROM pg_available_extensions WHERE name = 'vector'"
    ).fetchone()
    if there is None:
        raise StorageError(
            f"The server of {place} has no pgvector, which keeps the vectors. Install pgvector 0.8 or newer on it "
            "(the package postgresql-NN-pgvector, or the image pgvector/pgvector)."
        )
    vector = str(there[0])
    if tuple(int(part) for part in vector.split(".")[:2]) < LEAST_VECTOR:
        raise StorageError(
            f"The server of {place} has pgvector {vector}. A library needs 0.8 or newer; "
            "update it, then run ALTER EXTENSION vector UPDATE."
        )


_NOT_UNDERSTOOD = (
    "The address of the database (DROPQA_DATABASE_URL, or [database] url) is not understood. "
    "It is postgresql://USER:PASSWORD@HOST:PORT/DATABASE; "
    "in a password, percent-encode what is not a letter or a digit."
)


def _split(url: str) -> Any:
    try:
        told = urlsplit(url)
        told.port  # noqa: B018 - raises ValueError where it is no number
    except ValueError:
        raise UsageError(_NOT_UNDERSTOOD) from None
    if told.scheme not in SCHEMES:
        raise UsageError(_NOT_UNDERSTOOD)
    return told
