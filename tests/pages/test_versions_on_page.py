"""Versions on the Document page: the list, the comparison, going back, letting go; the summary."""

from __future__ import annotations

import pytest

from engine.ingest import Source
from engine.library import Library
from pages.widgets.version_list import rows_of
from tests.pages.page_texts import texts_of
from tests.pages.shelves import new_app

FIRST = b"# Harvest\n\n## Apples\n\nThe orchard gave nine tons of apples this year.\n"
SECOND = FIRST.replace(b"nine", b"ten") + b"\n## Pears\n\nAnd two tons of pears were picked.\n"


@pytest.fixture
def harvest(shelf: Library) -> Library:
    for text in (FIRST, SECOND):
        shelf.add([Source("harvest.md", text)])
    return shelf


def list_of_versions():
    import streamlit as st

    from pages.widgets import version_list
    from pages.widgets.places import page_file
    from pages.widgets.services import library

    def listing():
        document = library().document("harvest.md")
        version_list.listing(document, library().versions(document.document_id))

    st.navigation([st.Page(listing, default=True), st.Page(page_file("document"))]).run()


def summary_of_current():
    from pages.widgets import summarizing
    from pages.widgets.reader import Place
    from pages.widgets.services import document_view, library

    document = library().document("harvest.md")
    view = document_view(document.document_id, document.version)
    summarizing.summary(Place(document, document.version, None, None, ""), view)


def drawn(function, locale="en-US"):
    """What stands in a dialog, which AppTest does not open, drawn on a page of its own."""
    app = new_app(function)
    app.context = {"locale": locale}
    app.run()
    assert not app.exception
    return app


def test_the_page_offers_versions_and_a_summary(harvest, open_page):
    app = open_page("document", doc=harvest.document("harvest.md").document_id)
    assert app.button(key="versions.button").label == "Versions (2)"
    assert app.button(key="summary.button").label == "Summarise"


def test_every_version_is_listed_with_what_it_changed(harvest):
    shown = texts_of(drawn(list_of_versions))
    assert "1 changed, 1 added" in shown
    assert "The first version." in shown


def test_the_list_speaks_chinese(harvest):
    assert "1 处更改" in texts_of(drawn(list_of_versions, "zh-CN"))


def test_a_version_is_deleted_only_after_a_second_click(harvest):
    app = drawn(list_of_versions)
    [first] = [block for block in app.get("popover") if "Version 1 is deleted permanently" in block.markdown[0].value]
    assert [button.key for button in first.button] == ["versions.delete.1.not", "versions.delete.1"]
    app.button(key="versions.delete.1").click().run()
    assert not app.exception
    assert [version.version for version in harvest.versions("harvest.md")] == [2]


def test_an_old_version_is_restored_as_a_new_one(harvest):
    app = drawn(list_of_versions)
    app.button(key="versions.restore.1").click().run()
    assert not app.exception
    assert [job.kind for job in harvest.jobs()].count("ingest") == 1


def test_a_link_opens_the_comparison_of_two_versions(harvest, open_page):
    app = open_page("document", doc=harvest.document("harvest.md").document_id, compare="1..2")
    assert "Version 1 and version 2" in [element.value for element in app.subheader]


@pytest.mark.parametrize("pair", ["1..9", "x..2", "2..2", "..", "1"])
def test_an_address_that_compares_nothing_shows_the_document(harvest, open_page, pair):
    app = open_page("document", doc=harvest.document("harvest.md").document_id, compare=pair)
    assert not app.subheader or "Version" not in app.subheader[0].value


def test_both_sides_of_a_change_link_to_their_version(harvest):
    rows = rows_of(harvest.version_history.difference("harvest.md", 1, 2))
    assert [passage["kind"] for row in rows for passage in row["passages"]] == ["changed", "added"]
    [passage] = rows[0]["passages"]
    assert ["removed", "nine"] in passage["before"]
    assert ["added", "ten"] in passage["after"]
    assert "version=1" in passage["links"][0]
    assert "version=2" in passage["links"][1]
    assert rows[1]["passages"][0]["links"][0] == ""


def test_a_row_is_shown_by_the_cells_that_differ_without_pipes(shelf):
    table = "# Dues\n\n| Berth | 2023 | 2024 |\n| --- | --- | --- |\n| North | 310 | 325 |\n| South | 190 | 205 |\n"
    for text in (table, table.replace("205", "215") + "| East | 90 | 95 |\n"):
        shelf.add([Source("dues.md", text.encode())])
    changed, added = rows_of(shelf.version_history.difference("dues.md", 1, 2))[0]["passages"]
    assert ["".join(text for _, text in changed[side]) for side in ("before", "after")] == [
        "South · 2024:\u2002205", "South · 2024:\u2002215",
    ]  # fmt: skip
    assert "".join(text for _, text in added["after"]) == "Berth:\u2002East\n2023:\u200290\n2024:\u200295"
    assert (added["kind"], added["before"]) == ("added", [])


def test_the_document_is_summarised_with_its_sources(harvest):
    shown = texts_of(drawn(summary_of_current))
    assert "ten tons of apples" in shown
    assert "[1]" in shown


def test_chosen_sections_are_summarised_alone(harvest):
    app = drawn(summary_of_current)
    document = harvest.document("harvest.md")
    pears = next(n for n in harvest.tree("harvest.md").nodes if n.title == "Pears")
    app.multiselect(key=f"summary.what.{document.document_id}").set_value([pears.node_id]).run()
    assert "two tons of pears" in texts_of(app)
    assert "ten tons of apples" not in texts_of(app)


def summary_of_all():
    from pages.widgets import summarizing
    from pages.widgets.services import library

    summarizing.of_documents(library().documents())


def test_several_documents_are_summarised_together(harvest):
    harvest.add([Source("cellar.md", b"# Cellar\n\nThe cellar keeps four tons of fruit over the winter.\n")])
    shown = texts_of(drawn(summary_of_all))
    assert "cellar keeps four tons" in shown
    assert "ten tons of apples" in shown
