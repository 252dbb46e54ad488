"""An empty library's storage."""

from __future__ import annotations

import pytest

from storage.store import Storage


@pytest.fixture
def storage(tmp_path):
    opened = Storage(tmp_path / "library")
    yield opened
    opened.close()
