from pathlib import Path

import pytest

from engine.library import Library
from engine.settings_sources import ALIASES
from engine.shared_library import close_shared_libraries, shared_library, temporary_library


@pytest.fixture(autouse=True)
def _no_settings_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ALIASES:
        monkeypatch.delenv(name, raising=False)


def test_a_saved_change_keeps_the_secrets_and_flags_of_the_opening(tmp_path: Path):
    secrets = {"llm": {"api_key": "from-secrets", "model": "theirs"}}
    with Library.open(tmp_path, secrets=secrets, flags={"server.port": 9000}, background=False) as library:
        changed = library.update_settings({"retrieval.top_k": 3, "llm.model": "typed"})
        assert changed.retrieval.top_k == 3
        assert (changed.llm.api_key, changed.llm.model, changed.server.port) == (
            "from-secrets",
            "theirs",
            9000,
        )
        assert "from-secrets" not in (tmp_path / "dropqa.toml").read_text()


def test_a_model_is_opened_again_when_its_settings_change(tmp_path: Path):
    with Library.open(tmp_path, background=False) as library:
        assert library._providers.llm is None
        library.update_settings({"llm.api_base": "http://127.0.0.1:9/v1", "llm.model": "one"})
        first = library._providers.llm
        assert first is not None and first is library._providers.llm and first.model == "one"
        library.update_settings({"llm.model": "two"})
        assert library._providers.llm is not None and library._providers.llm.model == "two"


def test_a_process_has_one_library_of_a_folder(tmp_path: Path):
    try:
        first = shared_library(tmp_path / "shelf", secrets={"llm": {"model": "given"}})
        assert shared_library(tmp_path / "shelf") is first
        assert first.settings.llm.model == "given"
    finally:
        close_shared_libraries()


def test_a_temporary_library_leaves_nothing_behind():
    with temporary_library() as library:
        folder = library.folder
        assert folder.is_dir()
    assert not folder.exists()
