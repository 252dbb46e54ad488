"""The pages run over a real Library in a temporary folder, without the embedding model (it takes seconds)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.library import Library
from tests.pages.shelves import shelved

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Library]:
    """The Library that the pages open, empty. Modules that only read have one of their own for all tests."""
    with shelved(tmp_path / "shelf") as library:
        yield library


@pytest.fixture
def open_page() -> Callable[..., AppTest]:
    """Open a page the way a browser would: ``open_page("chat", "zh-CN", conversation="…")``."""

    def opened(page: str, locale: str = "en-US", /, **parameters: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.context = {"locale": locale}
        app.run()
        for name, value in parameters.items():
            app.query_params[name] = value
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        return app

    return opened
