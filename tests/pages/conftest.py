"""The pages run over a real Library in a temporary folder, without the embedding model (it takes seconds)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.library import Library
from tests.pages.shelves import go_to, new_app, shelved


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Library]:
    """The Library that the pages open, empty. Modules that only read have one of their own for all tests."""
    with shelved(tmp_path / "shelf") as library:
        yield library


@pytest.fixture
def open_page() -> Callable[..., AppTest]:
    """Open a page the way a browser would: ``open_page("chat", "zh-CN", conversation="…")``."""

    def opened(page: str, locale: str = "en-US", /, **parameters: str) -> AppTest:
        app = new_app()
        app.context = {"locale": locale}
        return go_to(app, page, parameters)

    return opened
