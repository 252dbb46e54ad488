"""A sheet that is too long for one node is counted, added up and grouped over all its rows."""

import io

import pytest
from openpyxl import Workbook

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library

ROWS = [
    (f"T-{n:03}", ("Bern", "Graz", "Lyon")[n % 3], ("open", "closed")[n % 2], n % 7 + 1)
    for n in range(1, 451)
]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    book = Workbook()
    book.active.title = "Tickets"
    for row in (("Ticket", "City", "Status", "Hours"), *ROWS):
        book.active.append(row)
    made = io.BytesIO()
    book.save(made)
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("tickets")
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source("tickets.xlsx", made.getvalue())])
        parts = [
            node for node in opened.tree(opened.documents()[0].document_id).nodes if node.role == "table"
        ]
        assert len(parts) > 1
        yield opened


def test_a_column_is_added_up_over_all_parts(library):
    total = sum(hours for _, city, _, hours in ROWS if city == "Graz")
    assert f"{total:,}" in library.ask("What are the total hours of Graz?").answer


def test_rows_are_counted_over_all_parts(library):
    count = sum(status == "open" for _, _, status, _ in ROWS)
    assert f": {count} (" in library.ask("How many tickets are open?").answer


def test_groups_are_made_over_all_parts(library):
    made = library.ask("Total hours per city").answer
    for city in ("Bern", "Graz", "Lyon"):
        assert f"{city}: {sum(hours for _, where, _, hours in ROWS if where == city):,}" in made


def test_each_cited_cell_stands_in_its_own_part(library):
    made = library.ask("What are the hours of ticket T-444?")
    assert [source.cell for source in made.sources] == ["Tickets!D445"]
    made = library.ask("How many tickets are open?")
    for source in made.sources:
        assert source.snippet in library.node(source.node_id).node.text
