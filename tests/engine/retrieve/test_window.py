"""What stands around a hit comes along only where it answers better."""

import pytest

from engine.config import RetrievalSettings
from engine.ingest import Source
from engine.model import Filters
from engine.providers.llm import estimate_tokens
from engine.retrieve.pack import MOST_ROWS, pack
from engine.retrieve.sources import Sources
from engine.settings_sources import with_changes

TRIALS = """# Trials

## Accuracy

Adam was used as the optimizer for one hundred epochs of training, with a small step.

It reached 98.5 percent on the test set.

Nothing else was tried in that spring, which was cold.

The authors thank the harbour office for its patience.

The next trial is planned for the coming year.

## Ledger

| Name | Amount |
| --- | --- |
""" + "\n".join(f"| keeper {n} | {n * 7} |" for n in range(400))


@pytest.fixture
def trials(library):
    library.add([Source("trials.md", TRIALS.encode())])
    return library


def packed(library, question, budget=4000, top_k=1, **widening):
    hits = library.search(question, top_k=top_k).hits
    return pack(hits, library.storage, budget, question, RetrievalSettings(**widening))


def test_a_neighbour_that_holds_more_of_the_question_comes_along(trials):
    texts = [one.text for one in packed(trials, "which optimizer reached 98.5 percent on the test set")]
    assert any("It reached" in text for text in texts)
    assert any("Adam" in text for text in texts)
    assert not any("harbour office" in text for text in texts)


def test_a_neighbour_that_adds_nothing_stays_away(trials):
    texts = [one.text for one in packed(trials, "thank the harbour office for its patience")]
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The keeper rows out. He does so each morning and, as the tide", "turns, comes back with the mail."),
        ("守塔人每天早晨划船出海，潮水退去以后他会带着", "所有的信件回到港口。"),
    ],
)
def test_a_sentence_that_a_page_parts_comes_whole(library, first, then):
    library.add([Source("tower.md", f"# Tower\n\n{first}\n\n{then}\n\nThe lamp is lit at six.\n".encode())])
    for question in (first, then):
        assert {first, then} <= {one.text for one in packed(library, question)}


def test_no_neighbour_comes_along_where_the_window_is_closed(trials):
    question = "which optimizer reached 98.5 percent on the test set"
    assert len(packed(trials, question, window=0)) == 1


def test_a_wider_window_reaches_a_passage_further_away(trials):
    question = "Adam optimizer with a small step for epochs of training, what spring was cold"
    texts = {window: [one.text for one in packed(trials, question, window=window)] for window in (1, 2)}
    assert [any("cold" in text for text in texts[window]) for window in (1, 2)] == [False, True]


def test_the_window_of_the_settings_decides_what_an_answer_is_given(trials):
    def steps(window):
        tried = with_changes(trials.settings, {"retrieval.window": window})
        question = "which optimizer reached 98.5 percent on the test set"
        return [
            step.label
            for step in trials.finder.inspect(question, top_k=1, settings=tried).walk
            if step.kind == "window"
        ]

    assert steps(0) == []
    (label,) = steps(1)
    assert label.startswith(("It reached", "Adam"))


def test_a_section_most_of_which_was_found_comes_whole(trials):
    question = "optimizer epochs percent test set spring authors thank harbour office patience"
    texts = " ".join(one.text for one in packed(trials, question, top_k=4))
    assert all(word in texts for word in ("Adam", "98.5", "cold", "patience", "coming year"))


def test_a_section_that_is_longer_than_a_parent_may_be_does_not_come_whole(trials):
    question = "optimizer epochs percent test set spring authors thank harbour office patience"
    found = {size: len(packed(trials, question, top_k=4, window=0, parent_size=size)) for size in (0, 2000)}
    assert found[0] < found[2000]


def test_a_long_table_gives_its_header_and_the_rows_asked_for(trials):
    evidence = packed(trials, "amount of keeper 333", budget=300)
    assert "Name" in evidence[0].text
    assert any("keeper 333" in one.text for one in evidence)
    node = trials.node(evidence[0].hit.node_id).node
    shown = [one for one in evidence if one.hit.node_id == node.node_id]
    assert all(row in node.text.splitlines() for one in shown for row in one.text.splitlines())
    assert sum(estimate_tokens(one.text) for one in evidence) <= 330


def test_a_long_list_takes_no_more_than_a_small_part_of_a_large_budget_in_whole_rows(trials):
    [table] = {one.hit.node_id for one in packed(trials, "amount of keeper 333", budget=300) if one.table}
    node = trials.node(table).node
    evidence = packed(trials, "amount of keeper 333", budget=2 * estimate_tokens(node.text) - 2)
    rows = [one.text for one in evidence if one.hit.node_id == table]
    assert any("keeper 333" in text for text in rows) and sum(map(estimate_tokens, rows)) <= MOST_ROWS + 10
    assert {line for text in rows for line in text.splitlines()} <= set(node.text.splitlines())


def test_the_short_lines_of_a_form_come_together(tmp_path):
    from engine.ingest import Source
    from engine.library import Library
    from engine.retrieve.expand import prose_in_graph
    from engine.retrieve.window import beside

    form = "Name: Ida Holm\n\nAdmission date: 4 February 2025\n\nWard: 7\n\n"
    form += "The ward is on the second floor of the old building, where visitors are asked to ring.\n\nEnd of form"
    with Library.open(tmp_path / "library", background=False) as library:
        library.add([Source("form.md", form.encode())])
        hit = next(one for one in library.search("Ida Holm").hits if one.snippet.startswith("Name"))
        lines = [node.text for node in beside(*prose_in_graph(hit, library.storage), (), None, 0)]
    assert lines == ["Admission date: 4 February 2025", "Ward: 7"]


def test_rows_of_a_long_sheet_are_cited_by_their_own_cells(library):
    rows = "".join(f"keeper {n},{n * 7}\n" for n in range(150))
    library.add([Source("ledger.csv", f"Name,Amount\n{rows}".encode())])
    evidence = packed(library, "amount of keeper 133 and keeper 17", budget=300)
    index, text = next((i, one.text) for i, one in enumerate(evidence) if "keeper 133" in one.text)
    assert text.startswith("Name | Amount\n") and "keeper 17 |" in text
    sources = Sources(evidence)
    for name in ("keeper 133 | 931", "keeper 17 | 119"):
        start = text.index(name)
        sources.add(index, start, start + len(name))
    assert [cited.cell for cited in sources.citations] == ["A135:B135", "A19:B19"]


def test_a_caption_brings_its_table_and_not_twice(library):
    berths = "# Berths\n\nThe harbour has two quays.\n\nTable 3: What mooring costs\n\n"
    berths += "| Length | Fee |\n| --- | --- |\n| 8 m | 40 |\n"
    library.add([Source("berths.md", berths.encode())])
    captions = library.search("What mooring costs", filters=Filters(roles=("caption",))).hits
    every = library.search("What mooring costs fee length").hits
    assert [one.role for one in captions] == ["caption"]
    for hits in (captions, [*captions, *every], [*every, *captions]):
        found = pack(hits, library.storage, 4000, "What does mooring cost?")
        assert [one.hit.role for one in found].count("table") == 1
    assert [one.hit.role for one in pack(captions, library.storage, 4000)] == ["caption", "table"]
