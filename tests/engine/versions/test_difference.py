"""What differs between two versions, by section."""

from __future__ import annotations

import io

import openpyxl
import pytest

from engine.errors import NotFoundError, UsageError
from engine.ingest import Source

REPORT = """# Report

An opening paragraph about the whole company.

## 1 Revenue

Revenue was 120 million euros, up 8 percent.

| Region | Sales |
| --- | --- |
| Europe | 70 |
| Asia | 50 |

## 2 Staff

The company has three hundred employees in nine offices.

## 3 Buildings

Two buildings were sold and one was bought last spring.

## 4 Outlook

Growth is expected to continue at the same pace next year.
"""


@pytest.fixture
def differing(library):
    """Add a text and a changed one under a name; return what differs."""

    def compare(before, after, name="report.md"):
        for text in (before, after):
            library.add([Source(name, text.encode())])
        return library.version_history.difference(name, 1, 2)

    return compare


def reported(difference):
    kinds = ("added", "removed", "changed", "moved", "renamed")
    return [(kind, change.path[-1]) for kind in kinds for change in getattr(difference, kind)]


def test_a_changed_number_is_reported_under_its_section_with_the_number_marked(differing):
    found = differing(REPORT, REPORT.replace("120 million", "125 million"))
    assert reported(found) == [("changed", "1 Revenue")]
    [passage] = found.changed[0].passages
    assert [(span.kind, span.text) for span in passage.spans if span.kind != "same"] == [
        ("removed", "120"),
        ("added", "125"),
    ]
    assert "120" in found.changed[0].before
    assert "125" in found.changed[0].after


def test_a_replaced_table_row_is_reported_without_the_other_rows(differing):
    found = differing(REPORT, REPORT.replace("| Asia | 50 |", "| Asia | 55 |"))
    assert reported(found) == [("changed", "1 Revenue")]
    assert (found.changed[0].before, found.changed[0].after) == ("Asia | 50", "Asia | 55")


def book(*rows):
    made = openpyxl.Workbook()
    made.active.title = "Budget"
    for row in rows:
        made.active.append(row)
    made.save(data := io.BytesIO())
    return data.getvalue()


def test_of_a_sheet_the_cells_that_differ_are_told_with_their_addresses(library):
    rows = [["Project", "Head", "2024"], ["Research", "Ann", 520], ["Market", "Ben", 180], ["Office", "Cleo", 96]]
    newer = [*rows[:2], ["Market", "Ben", 210], rows[3], ["Training", "Dora", 40]]
    library.add([Source("budget.xlsx", book(*rows))])
    library.add([Source("budget.xlsx", book(*newer))])
    found = library.version_history.difference("budget.xlsx", 1, 2)
    cells = [tuple(cell.to_dict().values()) for cell in found.changed[0].passages[0].cells]
    assert cells == [("Budget!C3", "Market", "2024", "180", "210")]
    added = [(cell.address, cell.column, cell.after) for cell in found.changed[0].passages[1].cells]
    assert added == [("Budget!A5", "Project", "Training"), ("Budget!B5", "Head", "Dora"), ("Budget!C5", "2024", "40")]
    assert found.counts == {"changed": 1, "added": 1}
    told = library.ask("What changed in budget.xlsx?").answer
    assert "Budget · Market · C3**: “2024: 180” [1] → “2024: 210” [2]" in told and "|" not in told


def test_a_column_that_came_in_changes_no_other_cell(differing):
    found = differing(
        REPORT,
        REPORT.replace("| Region | Sales |\n| --- | --- |", "| Region | Head | Sales |\n| --- | --- | --- |")
        .replace("| Europe | 70 |", "| Europe | Ann | 70 |")
        .replace("| Asia | 50 |", "| Asia | Ben | 50 |"),
    )
    told = [(cell.column, cell.before, cell.after) for p in found.changed[0].passages for cell in p.cells]
    assert told == [("Head", "", "Head"), ("Head", "", "Ann"), ("Head", "", "Ben")]


def test_a_line_that_came_into_a_section_is_added_and_not_changed(differing):
    found = differing(REPORT, REPORT.replace("in nine offices.", "in nine offices.\n\nTwo of them are new."))
    assert found.counts == {"added": 1}


def test_added_and_removed_sections_come_with_their_text(differing):
    found = differing(
        REPORT,
        REPORT.replace("## 2 Staff\n\nThe company has three hundred employees in nine offices.\n\n", "")
        + "\n## 5 Risks\n\nCurrencies may move against the company.\n",
    )
    assert reported(found) == [("added", "5 Risks"), ("removed", "2 Staff")]
    assert "Currencies" in found.added[0].after
    assert "three hundred" in found.removed[0].before


def test_a_moved_section_is_moved_and_not_removed_and_added(differing):
    outlook = REPORT[REPORT.index("## 4 Outlook") :]
    found = differing(REPORT, REPORT.replace(outlook, "").replace("## 1 Revenue", outlook + "\n## 1 Revenue"))
    assert reported(found) == [("moved", "4 Outlook")]


def test_a_renamed_heading_is_renamed_and_a_new_number_alone_is_not(differing):
    found = differing(REPORT, REPORT.replace("## 2 Staff", "## 2 People and pay").replace("## 4 Out", "## 7 Out"))
    assert reported(found) == [("renamed", "2 People and pay")]
    assert (found.renamed[0].before, found.renamed[0].after) == ("2 Staff", "2 People and pay")
    assert [change.after for change in found.renumbered] == ["7 Outlook"]


def test_a_paragraph_in_another_section_is_removed_there_and_added_here(differing):
    text = "Two buildings were sold and one was bought last spring."
    found = differing(
        REPORT,
        REPORT.replace(text, "Nothing to tell.").replace("in nine offices.", f"in nine offices.\n\n{text}"),
    )
    assert reported(found) == [("changed", "2 Staff"), ("changed", "3 Buildings")]
    assert text in found.changed[0].after and text in found.changed[1].before


def test_an_inserted_article_only_renumbers_those_behind_it(differing):
    articles = [
        "总则的内容说明本办法的目的和依据。",
        "员工每天上午九点上班，下午六点下班。",
        "年假为每年十五天，可以结转一次。",
    ]

    def text(bodies):
        numbers = "一二三四五六"
        parts = [f"## 第{numbers[i]}条\n\n{body}" for i, body in enumerate(bodies)]
        return "# 办法\n\n" + "\n\n".join(parts) + "\n"

    found = differing(text(articles), text([articles[0], "本条为新增内容，规定加班的审批程序。", *articles[1:]]))
    assert [change.path[-1] for change in found.added] == ["第二条"]
    assert not found.changed
    assert not found.moved
    assert not found.renamed


def test_equal_texts_of_other_layout_do_not_differ(differing):
    found = differing(REPORT, REPORT.replace("up 8 percent", "up  8\npercent") + "\n\n")
    assert found.count == 0


NOTICE = """The office moves to the harbour in May, and all rooms are given out anew by the board.

Seller: North Ltd.
Price: 120 crowns
Due: in May

The canteen stays where it is until the end of the year, and so does the library.
"""


def test_a_text_without_headings_differs_by_paragraphs_and_lines(differing):
    newer = NOTICE.replace("in May, and", "in June, and").replace("120 crowns", "140 crowns")
    found = differing(NOTICE, newer.replace("until the end", "up to the end") + "\nAll are welcome.\n", "notice.txt")
    assert [(change.before, change.after) for change in found.changed[1:]] == [
        ("Price: 120 crowns", "Price: 140 crowns"),
        (NOTICE.split("\n\n")[2].strip(), NOTICE.split("\n\n")[2].strip().replace("until", "up to")),
        ("", "All are welcome."),
    ]
    assert found.count == 4 and all(change.path == [] and len(change.passages) == 1 for change in found.changed)


def test_of_a_list_only_the_items_that_differ_are_told(differing):
    older = "# Kit\n\n- a rope of twenty metres\n- a lamp with two batteries\n- a map of the coast\n"
    found = differing(older, older.replace("two batteries", "four batteries") + "- a whistle\n")
    assert [(one.before, one.after) for one in found.changed[0].passages] == [
        ("a lamp with two batteries", "a lamp with four batteries"), ("", "a whistle"),
    ]  # fmt: skip


def test_only_what_changed_is_embedded_again(library):
    from engine.background import embed_pending

    class Counting:
        name, dimension = "counting@1", 8

        def __init__(self):
            self.texts = []

        def passages(self, texts):
            import numpy as np

            self.texts += texts
            return np.tile(np.eye(8, dtype=np.float32)[0], (len(texts), 1))

    embedder = Counting()
    library.add([Source("report.md", REPORT.encode())])
    embed_pending(library.storage, embedder)
    everything = len(embedder.texts)
    embedder.texts.clear()
    library.add([Source("report.md", REPORT.replace("nine offices", "ten offices").encode())])
    embed_pending(library.storage, embedder)
    assert everything > 5
    assert len(embedder.texts) == 1
    assert "ten offices" in embedder.texts[0]


def test_a_version_that_is_not_there_is_told(library):
    library.add([Source("report.md", REPORT.encode())])
    with pytest.raises(NotFoundError, match="no version 2"):
        library.version_history.difference("report.md", 1, 2)
    with pytest.raises(UsageError):
        library.version_history.difference("report.md", 1, 1)


def test_restoring_makes_a_new_version_of_the_same_bytes(library):
    changed = REPORT.replace("nine", "ten")
    for text in (REPORT, changed):
        library.add([Source("report.md", text.encode())])
    (result,) = library.add([library.version_history.source("report.md", 1)])
    assert (result.status, result.version) == ("updated", 3)
    assert library.original("report.md").read_text("utf-8") == REPORT
    assert library.version_history.difference("report.md", 1, 3).count == 0


def test_a_deleted_version_is_gone_and_the_document_goes_on_with_the_newest(library):
    for word in ("nine", "ten", "eleven"):
        library.add([Source("report.md", REPORT.replace("nine", word).encode())])
    document = library.version_history.delete("report.md", 3)
    assert document.version == 2
    assert library.search("ten offices", mode="fulltext", top_k=1).hits[0].version == 2
    with pytest.raises(UsageError, match="only one"):
        library.version_history.delete("report.md", 1)
        library.version_history.delete("report.md", 2)


def test_a_removed_section_is_one_entry_however_long_its_text_was(differing, library):
    themes = ("harbour dredging and quays", "vineyards and grape harvest", "glacier ice and moraines")
    long = "\n\n".join(
        f"The {theme} of year {year} took {year % 90} days, and {theme} cost {year % 70} thousand in that year."
        for theme in themes
        for year in range(1900, 1960)
    )
    before = REPORT.replace("## 2 Staff\n", f"## 2 Staff\n\n{long}\n")
    after = before.replace(before[before.index("## 2 Staff") : before.index("## 3 Buildings")], "")
    found = differing(before, after)
    generated = [node for node in library.tree("report.md", 1).nodes if node.metadata.get("generated")]
    assert generated, "the text is long enough to be divided"
    assert reported(found) == [("removed", "2 Staff")]
    assert "glacier" in found.removed[0].before


def test_a_changed_word_in_long_text_is_told_at_its_place_and_nothing_else(differing):
    parts = [
        f"Paragraph {n} tells of lamp {n}, its oil and its {n % 7} keepers, in some more words." * 2 for n in range(120)
    ]
    changed = [part.replace("lamp 60,", "lantern 60,") for part in parts]
    found = differing("# Lamps\n\n" + "\n\n".join(parts), "# Lamps\n\n" + "\n\n".join(changed))
    assert found.count == 1
    assert found.changed[0].path[0] == "Lamps"
    assert "lantern" in found.changed[0].after
