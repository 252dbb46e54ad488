"""Backends under one contract; another one joins by adding its opener here."""

from __future__ import annotations

from functools import cache, partial

import pytest

from storage.embedded import open_storage
from storage.postgres import PostgresStorage
from tests.postgres_server import drop, new_library


@pytest.fixture
def databases():
    """Give the same database for the same folder, and remove them all in the end."""
    made = []

    @cache
    def of(folder):
        made.append(new_library())
        return made[-1]

    yield of
    for address in made:
        drop(address)


@pytest.fixture(params=["embedded", "postgres"])
def backend(request, databases):
    if request.param == "embedded":
        return open_storage
    return partial(_in_database, databases)


def _in_database(databases, folder, **options):
    return PostgresStorage(databases(folder), folder, **options)


@pytest.fixture
def storage(backend, tmp_path):
    opened = backend(tmp_path / "library")
    yield opened
    opened.close()
