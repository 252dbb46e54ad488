"""Indexing strategies: what is matched of a node, beside what is shown of it."""

import dataclasses
from typing import get_args

import pytest

from engine.config import Settings, Strategy
from engine.index.strategies import BY_MODEL, STRATEGIES, records
from engine.index.views import DENSE_LETTERS, cut
from engine.interfaces import cli
from engine.model import Node, Tree
from engine.settings_sources import with_changes

SETTINGS = Settings()
FIRST = (
    "The pump station lifts water from the lower lake into the canal above the mill. It was built in 1931 and has "
    "four pumps. Each of them moves nine thousand litres a minute when the sluice is open."
)
SECOND = (
    "It was repaired twice. The second repair replaced the bearings and the seals of all four pumps. "
    "A crew of five worked on it for eleven weeks, and the lower lake stood dry for most of that time. "
    "Fish were moved to the canal before the water was let out. The wages were paid by the county council, which "
    "had set aside forty thousand pounds for roads, bridges and waterworks in that year. "
    "Its treasurer signed the last cheque on the fourth of May, a week before the council was dissolved."
)
NODES = [
    Node("d", None, "document", title="Waterworks", summary="Pumps lift water. Their repair was dear."),
    Node("s", "d", "section", title="Pump station", depth=1, summary="Four pumps lift water to the mill."),
    Node("a", "s", "paragraph", text=FIRST, depth=2),
    Node("b", "s", "paragraph", text=SECOND, depth=2, position=1),
    Node(
        "t", "s", "table", text="Year | Litres\n1931 | 9000\n1932 | 8700", depth=2, position=2,
        metadata={"caption": "Water lifted", "label": "Table 1"},
    ),
    Node("e", "s", "equation", text="Q = v A", depth=2, position=3),
]  # fmt: skip


def tree(**metadata):
    """The sample; ``metadata`` by node id."""
    nodes = [dataclasses.replace(node, metadata=node.metadata | metadata.get(node.node_id, {})) for node in NODES]
    return Tree("d1", "works.md", "text/markdown", 1, None, nodes)


def indexed(strategy, sample=None, settings=SETTINGS):
    return {record.node_id: record for record in records(sample or tree(), settings, strategy)}


def test_the_default_embeds_what_it_always_did():
    assert {node_id: (one.dense_text, one.parts) for node_id, one in indexed("recursive").items()} == {
        "s": (
            f"Waterworks > Pump station\n{FIRST}\n{SECOND}\nYear | Litres\n1931 | 9000\n1932 | 8700\nQ = v A",
            (),
        ),
        "a": (f"Waterworks > Pump station\n{FIRST}", ()),
        "b": (f"Waterworks > Pump station\n{SECOND}", ()),
        "t": ("Waterworks > Pump station\nWater lifted\nYear | Litres\n1931 | 9000\n1932 | 8700", ()),
        "e": (None, ()),
    }
    assert records(tree(), Settings()) == records(tree(), Settings(), "recursive")


def test_the_default_leaves_aside_what_another_strategy_has_made():
    made = {"strategy": "contextual", "method": "model:m", "context": "About the pumps."}
    assert indexed("recursive", tree(b={"indexed": made})) == indexed("recursive")


def test_children_are_stretches_of_the_text_under_its_titles_and_beside_it():
    one = indexed("hierarchical")["b"]
    assert one.dense_text == indexed("recursive")["b"].dense_text
    assert len(one.parts) > 1
    texts = [part.removeprefix("Waterworks > Pump station\n") for part in one.parts]
    assert all(part.startswith("Waterworks > Pump station\n") for part in one.parts)
    assert " ".join(texts) == SECOND
    assert all(text[-1] == "." for text in texts)


def test_the_rows_of_a_long_table_come_under_its_header():
    rows = [f"{year} | {9000 + year} litres of water from the lower lake" for year in range(1900, 1960)]
    table = dataclasses.replace(NODES[4], text="\n".join(["Year | Litres", *rows]))
    parts = indexed("hierarchical", dataclasses.replace(tree(), nodes=[*NODES[:4], table]))["t"].parts
    assert 2 <= len(parts) <= 17
    assert all("Year | Litres\n" in part for part in parts)
    assert all(any(row in part for part in parts) for row in rows)


def test_a_short_text_has_no_children():
    note = dataclasses.replace(NODES[2], text="It was repaired twice.")
    sample = dataclasses.replace(tree(), nodes=[*NODES[:2], note])
    assert indexed("hierarchical", sample)["a"].parts == indexed("semantic", sample)["a"].parts == ()


def test_semantic_parts_are_cut_where_the_topic_shifts():
    settings = Settings.model_validate({"parsing": {"semantic_chunking": {"min_chunk_size": 60}}})
    parts = indexed("semantic", settings=settings)["b"].parts
    assert len(parts) == 2
    assert "bearings and the seals" in parts[0] and "The wages were paid" in parts[1]


def test_sliding_puts_the_gist_of_the_passage_before_in_front_of_a_passage():
    found = indexed("sliding")
    titles, context, text = found["b"].dense_text.split("\n")
    assert (titles, text) == ("Waterworks > Pump station", SECOND)
    assert context in FIRST
    assert found["a"] == indexed("recursive")["a"]


@pytest.mark.parametrize("strategy", ["contextual", "sliding"])
def test_what_a_model_said_of_a_passage_stands_between_titles_and_text(strategy):
    made = {"strategy": strategy, "method": "model:m", "context": "The repair of the pump station's pumps."}
    one = indexed(strategy, tree(b={"indexed": made}))["b"]
    assert one.dense_text == f"Waterworks > Pump station\n{made['context']}\n{SECOND}"


def test_without_a_model_the_titles_are_the_context():
    assert indexed("contextual") == indexed("recursive")


def test_a_context_of_another_strategy_does_not_count():
    made = {"strategy": "contextual", "method": "model:m", "context": "The repair."}
    assert "The repair.\n" not in indexed("sliding", tree(b={"indexed": made}))["b"].dense_text


def test_a_long_context_leaves_room_for_the_text():
    made = {"strategy": "contextual", "method": "model:m", "context": "The pumps are old. " * 200}
    text = indexed("contextual", tree(b={"indexed": made}))["b"].dense_text
    assert SECOND[:400] in text and cut(text, DENSE_LETTERS) == text


def test_questions_are_embedded_beside_the_text_and_without_titles():
    asked = ["When was the pump station repaired?", "Who paid the wages?"]
    made = {"strategy": "questions", "method": "model:m", "questions": asked}
    one = indexed("questions", tree(b={"indexed": made}))["b"]
    assert one.parts == tuple(asked)
    assert one.dense_text == indexed("recursive")["b"].dense_text
    assert indexed("questions")["b"] == indexed("recursive")["b"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_indexes_the_same_nodes_by_the_same_words(strategy):
    plain, other = indexed("recursive"), indexed(strategy)
    assert {key: one.tokens for key, one in other.items()} == {key: one.tokens for key, one in plain.items()}
    for node_id in ("s", "e"):
        assert other[node_id] == plain[node_id]


def test_the_command_line_knows_every_strategy():
    assert cli.STRATEGIES == STRATEGIES == get_args(Strategy)
    assert set(STRATEGIES) > BY_MODEL


def test_smaller_chunks_make_more_children():
    few, many = (
        indexed("hierarchical", settings=with_changes(SETTINGS, {"indexing.chunk_size": size}))["b"].parts
        for size in (120, 30)
    )
    assert 0 < len(few) < len(many)


def test_of_sections_and_tables_the_summary_alone_is_embedded_where_that_is_set():
    summarized = with_changes(SETTINGS, {"indexing.dense_text": "summary"})
    found, usual = indexed("recursive", settings=summarized), indexed("recursive")
    assert found["s"].dense_text == "Four pumps lift water to the mill."
    assert found["t"].dense_text == "Water lifted"
    assert all(found[one] == usual[one] for one in ("a", "b", "e"))
    assert found["t"].tokens == usual["t"].tokens, "words are found as ever"
