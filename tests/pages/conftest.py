"""The pages run over a real Library in a temporary folder, without the embedding model (it takes seconds)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.config import ALIASES
from engine.library import Library, close_shared_libraries, shared_library

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """The Library that the pages open."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "dropqa.toml").write_text("[embedding]\nenabled = false\n")
    monkeypatch.setenv("DROPQA_LIBRARY", str(folder))
    for name in ALIASES:
        monkeypatch.delenv(name, raising=False)
    st.cache_resource.clear()
    st.cache_data.clear()
    yield shared_library(folder)
    close_shared_libraries()


@pytest.fixture
def open_page(shelf: Library) -> Callable[..., AppTest]:
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
