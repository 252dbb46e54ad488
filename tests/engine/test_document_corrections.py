"""Corrections by hand through the library: kept over reading again, newer versions and other ways in."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import docx
import pytest

from engine.config import Settings
from engine.errors import AccessError, DropQAError, NotFoundError, UsageError
from engine.ingest import Source
from engine.library import Library
from engine.model import Node, document_id_for
from engine.shared_library import reading_only
from engine.visited_library import Visitor, seen_by
from storage.collections import StoredCollection

sys.path.insert(0, str(Path(__file__).parent / "parse"))
from pdf_samples import LOREM, Sheet

NOTES = "# Notes\n\nPayment\n\nThe buyer pays within thirty days.\n"


def read_again(library: Library) -> list[str]:
    """Do what is queued; return what became of each file."""
    return [result.status for result in iter(lambda: library._background.do_next("ingest"), None)]


def node(library: Library, name: str, said: str) -> Node:
    return next(one for one in library.tree(name).nodes[1:] if said in (one.title, one.text))


def correct(library: Library, name: str, kind: str, said: str = "", /, **what: object) -> None:
    where = node(library, name, said).node_id if said else ""
    library.corrections.make(library.document(name).document_id, kind, where, **what)  # type: ignore[arg-type]


def sections(library: Library, name: str) -> list[tuple[int | None, str]]:
    return [(one.level, one.title) for one in library.tree(name).nodes if one.role == "section"]


def waiting(library: Library, name: str) -> list[str]:
    return [one.said for one in library.corrections.waiting(library.tree(name))]


def word(path: Path, *extra: str) -> Path:
    document = docx.Document()
    document.add_heading("Supply contract", 1)
    for text in extra:
        document.add_paragraph(text)
    document.add_paragraph("Terms of payment")
    document.add_paragraph("The buyer pays within thirty days of delivery.")
    document.add_heading("Please note", 2)
    document.add_paragraph("Delivery is free of charge.")
    table = document.add_table(rows=4, cols=2)
    for row, cells in zip(
        table.rows, [("Item", "Price"), ("in stock", "net"), ("Bolts", "20"), ("Nuts", "9")], strict=True
    ):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.save(str(path))
    return path


def printed(path: Path, *extra: str) -> Path:
    sheet = Sheet(path)
    sheet.heading("1 Bridges", size=16)
    for text in (*extra, LOREM):
        sheet.paragraph(text)
    sheet.heading("2 Tunnels", size=16)
    sheet.paragraph(LOREM)
    sheet.paragraph("ferries over the strait, every day.")
    sheet.paragraph(LOREM)
    sheet.save()
    return path


def test_a_word_file_is_read_as_corrected_in_this_and_the_next_version(library, tmp_path):
    library.add([Source("contract.docx", word(tmp_path / "a.docx"))])
    table = next(one for one in library.tree("contract.docx").nodes if one.role == "table")
    correct(library, "contract.docx", "heading", "Terms of payment", level=2)
    correct(library, "contract.docx", "text", "Please note")
    document_id = library.document("contract.docx").document_id
    library.corrections.make(document_id, "header_rows", table.node_id, rows=1)
    library.corrections.make(document_id, "title", "", text="Contract of 1 May")
    assert read_again(library) == ["updated"]
    newer = word(tmp_path / "b.docx", "Both parties have signed.", "And both are bound.")
    library.add([Source("contract.docx", newer)])
    assert library.document("contract.docx").version == 2
    for number in (1, 2):
        tree = library.tree("contract.docx", number)
        assert tree.nodes[0].title == "Contract of 1 May"
        assert [one.title for one in tree.nodes if one.role == "section"] == [
            "Supply contract",
            "Terms of payment",
        ]
        assert next(one for one in tree.nodes if one.role == "table").metadata["header_rows"] == 1
    assert waiting(library, "contract.docx") == []


def test_a_pdf_is_read_as_corrected_in_this_and_the_next_version(library, tmp_path):
    library.add([Source("bridges.pdf", printed(tmp_path / "a.pdf"))])
    assert sections(library, "bridges.pdf") == [(1, "1 Bridges"), (1, "2 Tunnels")]
    correct(library, "bridges.pdf", "heading", "ferries over the strait, every day.", text="3 Ferries")
    correct(library, "bridges.pdf", "text", "2 Tunnels")
    read_again(library)
    library.add([Source("bridges.pdf", printed(tmp_path / "b.pdf", "A bridge of the year before is gone."))])
    assert sections(library, "bridges.pdf") == [(1, "1 Bridges"), (1, "3 Ferries")]
    assert node(library, "bridges.pdf", "3 Ferries").bbox
    assert library.reindex("bridges.pdf")[0].status == "updated"
    assert sections(library, "bridges.pdf") == [(1, "1 Bridges"), (1, "3 Ferries")]


STEPS = "# Guide\n\n- Payment  \n  on demand\n- Storage\n\nSeller: North  \nDelivery  \nby ship\n"


def test_lines_of_lists_and_paragraphs_stay_corrected_when_read_again_and_in_the_next_version(library):
    library.add([Source("guide.md", STEPS.encode())])
    listed = next(one for one in library.tree("guide.md").nodes if one.role == "list")
    document_id = library.document("guide.md").document_id
    library.corrections.make(document_id, "heading", listed.node_id, line=2, level=2)
    read_again(library)
    text = next(one for one in library.tree("guide.md").nodes if "Delivery" in one.text)
    library.corrections.make(document_id, "heading", text.node_id, line=1, level=2)
    read_again(library)
    wanted = [(1, "Guide"), (2, "Storage"), (2, "Delivery")]
    assert sections(library, "guide.md") == wanted
    library.reindex("guide.md")
    assert sections(library, "guide.md") == wanted
    library.add([Source("guide.md", STEPS.replace("by ship", "by rail").replace("- Pay", "- Cash\n- Pay").encode())])
    assert library.document("guide.md").version == 2
    assert sections(library, "guide.md") == wanted and waiting(library, "guide.md") == []
    correct(library, "guide.md", "text", "Storage")
    read_again(library)
    assert sections(library, "guide.md") == [(1, "Guide"), (2, "Delivery")]
    assert waiting(library, "guide.md") == []


def test_what_is_found_names_the_corrected_section(library):
    library.add([Source("notes.md", NOTES.encode())])
    hit = library.search("thirty days", mode="fulltext").hits[0]
    assert hit.path == ["Notes"]
    correct(library, "notes.md", "heading", "Payment", level=2)
    assert library.search("thirty days", mode="fulltext").hits[0].path == ["Notes"]  # until it was read again
    read_again(library)
    hit = library.search("thirty days", mode="fulltext").hits[0]
    assert hit.path == ["Notes", "Payment"]


def test_texts_that_come_in_batches_are_read_as_corrected(library):
    library.add_texts([("notes.md", NOTES), ("other.md", NOTES)])
    correct(library, "notes.md", "heading", "Payment", level=2)
    library.add_texts([("notes.md", NOTES + "\nIn force.\n"), ("other.md", NOTES + "\nIn force.\n")])
    assert sections(library, "notes.md") == [(1, "Notes"), (2, "Payment")]
    assert sections(library, "other.md") == [(1, "Notes")]


def test_a_correction_waits_for_a_version_that_has_what_it_corrects(library):
    library.add([Source("notes.md", NOTES.encode())])
    correct(library, "notes.md", "heading", "Payment", level=2)
    assert waiting(library, "notes.md") == ["Payment"]
    read_again(library)
    assert waiting(library, "notes.md") == []
    library.add([Source("notes.md", NOTES.replace("Payment", "Fees").encode())])
    assert waiting(library, "notes.md") == ["Payment"]
    assert [one.said for one in library.corrections.of("notes.md")] == ["Payment"]
    library.add([Source("notes.md", (NOTES + "\nAgain.\n").encode())])
    assert waiting(library, "notes.md") == [] and (2, "Payment") in sections(library, "notes.md")


def test_a_correction_is_changed_and_taken_back(library):
    library.add([Source("notes.md", NOTES.encode())])
    correct(library, "notes.md", "heading", "Payment", text="To be paid", level=2)
    read_again(library)
    correct(library, "notes.md", "heading", "To be paid", text="Payments", level=1)
    read_again(library)
    assert sections(library, "notes.md") == [(1, "Notes"), (1, "Payments")]
    (made,) = library.corrections.of("notes.md")
    assert (made.said, made.text, made.level) == ("Payment", "Payments", 1)
    document_id = library.document("notes.md").document_id
    library.corrections.take_back(document_id, made.place)
    with pytest.raises(NotFoundError, match="taken back"):
        library.corrections.take_back(document_id, made.place)
    read_again(library)
    assert sections(library, "notes.md") == [(1, "Notes")]


def test_several_corrections_at_once_are_read_with_one_reading(library):
    library.add([Source("notes.md", NOTES.encode())])
    correct(library, "notes.md", "heading", "Payment", level=2)
    correct(library, "notes.md", "heading", "Notes", level=1, text="Terms")
    assert len(library.jobs()) == 1
    assert read_again(library) == ["updated"]
    assert sections(library, "notes.md") == [(1, "Terms"), (2, "Payment")]


def test_what_is_corrected_while_a_newer_version_is_read_holds_for_that(library, monkeypatch):
    library.add([Source("notes.md", NOTES.encode())])
    parsing, corrected = threading.Event(), threading.Event()
    parse = library._worker.parse

    def slow(*args: object, **kwargs: object):
        tree = parse(*args, **kwargs)
        parsing.set()
        corrected.wait(30)
        return tree

    monkeypatch.setattr(library._worker, "parse", slow)
    adding = threading.Thread(target=library.add, args=([Source("notes.md", NOTES.encode() + b"\nNew.\n")],))
    adding.start()
    parsing.wait(30)
    correct(library, "notes.md", "heading", "Payment", level=2)
    corrected.set()
    adding.join()
    read_again(library)
    assert library.document("notes.md").version == 2
    assert sections(library, "notes.md") == [(1, "Notes"), (2, "Payment")]


def test_a_document_that_is_removed_takes_its_corrections_and_its_work_along(library):
    library.add([Source("notes.md", NOTES.encode())])
    correct(library, "notes.md", "heading", "Payment", level=2)
    library.remove("notes.md")
    assert read_again(library) == [] and library.jobs() == []
    with pytest.raises(NotFoundError):
        library.corrections.make(document_id_for("notes.md"), "title", "", text="Gone")
    library.add([Source("notes.md", NOTES.encode())])
    assert library.corrections.of("notes.md") == [] and sections(library, "notes.md") == [(1, "Notes")]


@pytest.mark.parametrize(
    ("kind", "said", "what"),
    [
        ("title", "", {"text": " "}), ("title", "", {"text": "x" * 301}), ("title", "", {"text": "a\x00b"}),
        ("heading", "Payment", {"level": 0}), ("heading", "Payment", {"level": 7}),
        ("heading", "Payment", {"text": "y" * 5000}), ("heading", "Payment", {"line": 1}),
        ("header_rows", "Payment", {"rows": 1}), ("header_rows", "Payment", {"rows": 6}),
        ("heading", "pays " * 100, {}),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_kept(library, kind, said, what):
    library.add([Source("notes.md", f"{NOTES}\n{'pays ' * 100}\n".encode())])
    with pytest.raises(UsageError):
        correct(library, "notes.md", kind, said.strip(), **what)
    assert library.corrections.of("notes.md") == [] and library.jobs() == []


def test_a_place_that_was_read_otherwise_meanwhile_is_told(library):
    library.add([Source("notes.md", NOTES.encode())])
    old = node(library, "notes.md", "Payment").node_id
    library.add([Source("notes.md", NOTES.replace("Payment", "Fees").encode())])
    with pytest.raises(NotFoundError, match="read again"):
        library.corrections.make(library.document("notes.md").document_id, "heading", old, level=2)


def test_only_who_may_change_a_document_may_correct_it(library):
    library.add([Source("notes.md", NOTES.encode())])
    document_id = library.document("notes.md").document_id
    library.storage.collections.save(StoredCollection("c1", "Mine", ("ann@x.org", "bob@x.org"), ("bob@x.org",)))
    library.storage.collections.put([document_id], "c1")
    library.update_settings({"access.owners": ["eve@x.org"]})
    ann, bob, carl = (seen_by(library, Visitor(frozenset({f"{name}@x.org"}))) for name in ("ann", "bob", "carl"))
    for visitor, error in ((ann, AccessError), (carl, NotFoundError), (reading_only(library), AccessError)):
        with pytest.raises(error):
            visitor.corrections.make(document_id, "title", "", text="Mine")
        with pytest.raises(error):
            visitor.corrections.take_back(document_id, "title")
    bob.corrections.make(document_id, "title", "", text="Ours")
    assert [one.text for one in ann.corrections.of(document_id)] == ["Ours"]
    with pytest.raises(DropQAError):
        carl.corrections.of(document_id)


def test_a_lost_catalog_comes_back_with_its_corrections(tmp_path):
    from engine.interfaces.repair import repair

    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(tmp_path / "l", settings=settings, background=False) as library:
        library.add([Source("notes.md", NOTES.encode())])
        correct(library, "notes.md", "heading", "Payment", level=2)
        read_again(library)
        while library.storage.maintain():  # the snapshot of the day
            pass
    (tmp_path / "l" / "catalog.db").unlink()
    assert [one.status for one in repair(tmp_path / "l", lambda _: settings)] == ["added"]
    with Library.open(tmp_path / "l", settings=settings, background=False) as library:
        assert sections(library, "notes.md") == [(1, "Notes"), (2, "Payment")]
