import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.library import Library
from engine.settings_sources import ALIASES
from engine.shared_library import close_shared_libraries, shared_library

ROOT = Path(__file__).resolve().parents[2]


def new_app() -> AppTest:
    """An app that has not run yet."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)


def go_to(app: AppTest, page: str, parameters: Mapping[str, str]) -> AppTest:
    """Run an app and open one of its pages."""
    app.run()
    for name, value in parameters.items():
        app.query_params[name] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


@contextlib.contextmanager
def shelved(folder: Path) -> Iterator[Library]:
    """Make a folder the library of the pages and open it, without the embedding model."""
    folder.mkdir()
    (folder / "dropqa.toml").write_text("[embedding]\nenabled = false\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DROPQA_LIBRARY", str(folder))
        for name in ALIASES:
            patch.delenv(name, raising=False)
        st.cache_resource.clear()
        st.cache_data.clear()
        yield shared_library(folder)
        close_shared_libraries()
