import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from engine.library import Library
from engine.settings_sources import ALIASES
from engine.shared_library import close_shared_libraries, shared_library


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
