from collections.abc import Iterator

import pytest

from engine.ingest import Source
from engine.library import Library
from pages.widgets.search_box import found
from pages.widgets.texts import around
from tests.pages.shelves import shelved

NOTE = "# Orchard report\n\n## Apples\n\nThe orchard gave nine tons.\n\n## 苹果的收成\n\n果园收获了九吨苹果。\n"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with shelved(tmp_path_factory.mktemp("search") / "shelf") as library:
        library.add([Source("Orchard 2025.md", NOTE.encode()), Source("pears.txt", b"Pears are ripe.")])
        yield library


def titles(query: str) -> dict[str, list[str]]:
    return {group["label"]: [row["title"] for row in group["rows"]] for group in found(query)}


def test_a_few_letters_find_documents_and_sections(shelf: Library):
    assert titles("orch")["Documents"] == ["Orchard 2025.md"]
    assert titles("appl")["Sections"] == ["Apples"]
    assert titles("收成")["Sections"] == ["苹果的收成"]


def test_a_few_letters_find_topics(shelf: Library):
    name = shelf.topics.all()[0].name
    assert name in titles(name[:3].upper())["Topics"]


def test_whole_words_find_passages(shelf: Library):
    assert titles("ripe")["Passages"] == ["Pears are ripe."]


@pytest.mark.parametrize(
    ("question", "text", "shown"),
    [
        (
            "warranty period",
            f"{'Of other things. ' * 12}The warranty period is two years. {'More. ' * 40}",
            "warranty period",
        ),
        ("质保期多长", f"{'本合同另有约定的除外。' * 20}质保期为三十六个月。{'其他。' * 60}", "质保期为"),
    ],
)
def test_a_long_passage_is_shown_where_the_words_stand(question, text, shown):
    assert shown in around(text, question, 100) and len(around(text, question, 100)) <= 101
    assert around("The short one.", question, 100) == "The short one."


def test_every_find_leads_to_its_place(shelf: Library):
    rows = [row for group in found("orchard") for row in group["rows"]]
    assert all(row["href"].startswith(("document?", "topics?topic=")) for row in rows)


@pytest.mark.parametrize("query", ["", "   ", "[", "\\", "!!!", "x" * 5000])
def test_odd_queries_find_nothing_and_break_nothing(shelf: Library, query):
    assert not found(query)
