"""Backends under one contract; another one joins by adding its opener here."""

from __future__ import annotations

import pytest

from storage.embedded import open_storage

BACKENDS = {"embedded": open_storage}


@pytest.fixture(params=sorted(BACKENDS))
def backend(request):
    return BACKENDS[request.param]


@pytest.fixture
def storage(backend, tmp_path):
    opened = backend(tmp_path / "library")
    yield opened
    opened.close()
