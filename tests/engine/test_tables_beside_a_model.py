"""What a table gives stands beside a model's answer that leaves some of it out or says otherwise."""

import pytest

from engine.ingest import Source
from engine.library import Library

STOCK = b"Item,On hand,Reorder level\nEnvelopes,12,25\nDesk lamp,15,5\nOffice chair,1,2\n"
QUESTION = "Which items have fewer than 13 on hand?"


@pytest.fixture
def shelf(tmp_path, server):
    flags = {
        "embedding.enabled": False, "llm.retries": 0, "llm.api_base": server.base_url, "llm.api_key": server.key,
        "llm.model": "scripted-1",
    }  # fmt: skip
    with Library.open(tmp_path / "shelf", background=False, flags=flags) as library:
        library.add([Source("stock.csv", STOCK)])
        yield library


def test_what_the_model_leaves_out_is_told_behind_it_with_its_cells(shelf, server):
    server.default = "There are 12 Envelopes [1]."
    told = []
    made = shelf.ask(QUESTION, on_event=told.append)
    assert made.answer.startswith("There are 12 Envelopes [1].\n\nFrom the table:\n\n")
    assert "- Office chair: 1" in made.answer
    behind = made.statements[-1]
    assert behind.state == "supported" and "- Office chair: 1" in made.answer[behind.start : behind.end]  # looked up
    assert {"stock.csv!A4"} <= {
        f"{source.document}!{source.cell.rpartition('!')[2]}" for source in made.sources if source.cell
    }
    assert "".join(event.text for event in told if hasattr(event, "text")).endswith(made.answer[-40:])


def test_an_answer_that_says_all_of_it_stands_alone(shelf, server):
    server.default = "Envelopes, of which there are 12, and the Office chair, of which there is 1 [1]."
    made = shelf.ask(QUESTION)
    # Its mark leads to the cell of each value.
    assert made.answer == "Envelopes, of which there are 12, and the Office chair, of which there is 1 [1][2]."
    assert [source.cell.rpartition("!")[2] for source in made.sources] == ["B2", "B4"]
