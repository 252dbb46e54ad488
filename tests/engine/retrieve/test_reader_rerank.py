"""The reader that ships reads the first texts, and what answers comes before what only speaks of it."""

import pytest

from engine.ingest import Source
from engine.model import Filters
from engine.providers.embedding import WEIGHTS
from engine.providers.reading import Reader, open_reader
from engine.retrieve.reader_rerank import is_statement
from engine.settings_sources import with_changes

TEXTS = {
    "history.md": "# Harbour crane\n\nThe harbour crane was painted by the harbour crew. The harbour crane is blue.\n",
    "repair.md": "# Works\n\nThe harbour crane was last repaired by Anna Berg in May.\n",
    "plan.md": "# Plans\n\nWho last repaired the harbour crane is to be written down by the harbour crew.\n",
}
QUESTION = "Who last repaired the harbour crane?"


@pytest.fixture
def harbour(library):
    for name, text in TEXTS.items():
        library.add([Source(name, text.encode())])
    library.embed_pending()
    return library


def parts(library, question, **changes):
    settings = with_changes(library.settings, {f"retrieval.{name}": value for name, value in changes.items()})
    seen = library.finder.inspect(question, settings=settings)
    return seen, {hit.document: seen.parts[hit.node_id].get("reading", 0.0) for hit in seen.hits}


def test_the_text_that_answers_gains_most_and_says_why(harbour):
    seen, gained = parts(harbour, QUESTION)
    assert max(gained, key=gained.__getitem__) == "repair.md"
    assert min(gained.values()) < 0.01 < 0.05 < max(gained.values())
    assert seen.hits[0].document == "repair.md"
    assert "reads_as_answer" in seen.hits[0].why
    assert "reading" in seen.timings_ms


def test_the_stage_before_shows_the_order_without_it(harbour):
    seen, _ = parts(harbour, QUESTION)
    before, after = (next(s for s in seen.stages if s.name == name) for name in ("rerank", "reading"))
    unread, _ = parts(harbour, QUESTION, k_read=0)
    assert [one.node_id for one in before.nodes] == [hit.node_id for hit in unread.hits]
    assert [one.node_id for one in after.nodes] == [hit.node_id for hit in seen.hits]


def test_what_states_and_does_not_ask_is_ordered_less_by_what_answers(harbour):
    _, asked = parts(harbour, QUESTION)
    _, stated = parts(harbour, "Anna Berg repaired the harbour crane.")
    assert 0 < max(stated.values()) < 0.6 * max(asked.values())


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("The crane was repaired in May.", True),
        ("起重机于五月修复。", True),
        ("Tell me about the crane.", False),
        ("Who repaired the crane.", False),
        ("起重机是谁修的。", False),
        ("repair of the crane", False),
    ],
)
def test_a_statement_ends_like_a_sentence_and_asks_nothing(text, states):
    assert is_statement(text) == states


@pytest.mark.parametrize("changes", [{"k_read": 0}, {"fusion.reading": 0.0}, {"k_read": 1}])
def test_nothing_is_read_where_the_settings_say_so(harbour, changes):
    seen, gained = parts(harbour, QUESTION, **changes)
    assert not any(gained.values())
    assert "reading" not in seen.timings_ms


@pytest.mark.parametrize("question", ['Who "painted" the harbour crane?', "Who repaired the crane, see Table 2?"])
def test_a_phrase_or_a_place_that_is_named_decides_alone(harbour, question):
    harbour.add([Source("tables.md", b"# Tables\n\nTable 2: Repairs of the crane\n\n| who |\n| --- |\n| Ben |\n")])
    harbour.embed_pending()
    assert "reading" not in parts(harbour, question)[0].timings_ms


@pytest.mark.parametrize("mode", ["semantic", "fulltext", "keyword"])
def test_only_a_hybrid_search_is_read(harbour, mode):
    found = harbour.search("harbour crane", mode=mode)
    assert found.hits and "reading" not in found.timings_ms


def test_a_table_gains_what_the_texts_gain_on_average(harbour):
    harbour.add(
        [
            Source(
                "log.md",
                b"# Log\n\n| crane | last repaired by |\n| --- | --- |\n| harbour crane | Anna Berg |\n",
            )
        ]
    )
    harbour.embed_pending()
    seen = harbour.finder.inspect(QUESTION)
    gained = {hit.role: seen.parts[hit.node_id].get("reading", 0.0) for hit in seen.hits}
    texts = [seen.parts[hit.node_id].get("reading", 0.0) for hit in seen.hits if hit.role == "paragraph"]
    assert gained["table"] == pytest.approx(sum(texts) / len(texts), abs=1e-3)


def test_missing_weights_change_nothing_and_are_told(harbour, monkeypatch, tmp_path):
    plain, _ = parts(harbour, QUESTION, k_read=0)
    monkeypatch.setattr("engine.providers.reading.open_reader", lambda: Reader(tmp_path))
    found = harbour.search(QUESTION)
    assert [hit.node_id for hit in found.hits] == [hit.node_id for hit in plain.hits]
    assert any("Ranked without the built-in reading model" in note for note in found.notes)
    assert WEIGHTS.exists()


class Counting:
    """The reader that ships, counting what it is given."""

    def __init__(self):
        self.read_texts = 0

    def read(self, question, passages):
        self.read_texts = len(passages)
        return open_reader().read(question, passages)


@pytest.fixture
def counting(monkeypatch):
    reader = Counting()
    monkeypatch.setattr("engine.providers.reading.open_reader", lambda: reader)
    return reader


@pytest.mark.parametrize(("changes", "read"), [({"k_read_large": 2}, 2), ({"k_read": 2}, 2), ({}, 3)])
def test_in_a_large_library_fewer_texts_are_read(harbour, counting, monkeypatch, changes, read):
    monkeypatch.setattr("engine.retrieve.reader_rerank.LARGE", 2)
    parts(harbour, QUESTION, **changes)
    assert counting.read_texts == read


@pytest.mark.parametrize(("large", "read"), [(6, 3), (100, 5)])
def test_what_is_large_is_the_library_and_not_what_passes_a_filter(library, counting, monkeypatch, large, read):
    monkeypatch.setattr("engine.retrieve.reader_rerank.LARGE", large)
    log = "\n\n".join(f"The harbour crane was last repaired in shed {i}." for i in range(5)).encode()
    library.add([Source("log.md", log), Source("other.md", log)])
    library.embed_pending()
    inside = Filters(documents=(next(one.document_id for one in library.documents()),))
    settings = with_changes(library.settings, {"retrieval.k_read_large": 3})
    library.search(QUESTION, filters=inside, settings=settings)
    assert counting.read_texts == read


def test_what_cannot_come_among_the_first_ten_is_not_read(library, counting):
    near = "\n\n".join(f"The harbour crane was last repaired in shed {i}." for i in range(12))
    far = "\n\n".join(f"Supper number {i} was served late." for i in range(8))
    library.add([Source("log.md", f"# Log\n\n{near}\n".encode()), Source("menu.md", f"# Menu\n\n{far}\n".encode())])
    library.embed_pending()
    parts(library, QUESTION, k_read=16)
    assert counting.read_texts == 12
