import contextlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest

from engine.library import Library
from engine.settings_sources import ALIASES
from engine.shared_library import close_shared_libraries, shared_library

ROOT = Path(__file__).resolve().parents[2]


@cache
def _components() -> BidiComponentManager:
    """One for all apps, as in a server: looking through the installed packages for components takes a second."""
    manager = BidiComponentManager()
    manager.discover_and_register_components(start_file_watching=False)
    return manager


def new_app(drawn: Callable[..., object] | None = None, *args: object) -> AppTest:
    """An app that has not run yet: the whole one, or what a function draws."""
    app = (
        AppTest.from_function(drawn, args=args, default_timeout=60)
        if drawn
        else AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    )
    app._bidi_component_manager = _components()
    return app


def go_to(app: AppTest, page: str, parameters: Mapping[str, str]) -> AppTest:
    """Open one of the pages of an app, as a link to it does."""
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
