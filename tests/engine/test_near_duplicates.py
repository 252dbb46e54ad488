import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.near_duplicates import near_duplicate

LINES = [f"Clause {number}: the tenant pays {number * 37} euro for room {number}." for number in range(1, 21)]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("alike") / "library"
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(folder, settings=settings, background=False) as opened:
        yield opened


def added(library: Library, name: str, lines: list[str]) -> str:
    (result,) = library.add([Source(name, ("# Lease\n\n" + "\n\n".join(lines)).encode())])
    return result.document_id or ""


def test_a_document_that_differs_in_a_line_is_nearly_the_same_as_the_one_before(library: Library):
    added(library, "lease.md", LINES)
    added(
        library,
        "garden.md",
        [f"The {plant} is watered every {n} days." for n, plant in enumerate("abcdefgh", 2)],
    )
    new = added(library, "lease (2).md", [*LINES[:-1], "Clause 20: the tenant pays nothing for the cellar."])
    found = near_duplicate(library.storage, library.search, new)
    assert found and found[0].name == "lease.md"
    assert 0.9 <= found[1] < 1


def test_a_document_that_only_shares_some_passages_is_not(library: Library):
    added(library, "lease.md", LINES)
    other = added(
        library,
        "other.md",
        [*LINES[:8], *(f"Rule {n}: no {n} dogs are kept in the house." for n in range(12))],
    )
    assert near_duplicate(library.storage, library.search, other) is None


def test_an_excerpt_is_not(library: Library):
    added(library, "lease.md", LINES)
    assert near_duplicate(library.storage, library.search, added(library, "excerpt.md", LINES[:9])) is None


def test_a_document_of_hardly_any_text_is_like_no_other(library: Library):
    short = added(library, "short.md", ["Yes."])
    assert near_duplicate(library.storage, library.search, short) is None
