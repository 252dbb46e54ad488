"""Collections through the Library: named by people, moved into, and what is asked of one alone."""

import pytest
from sample_texts import REGULATIONS, REPORT

from engine.config import Settings
from engine.errors import AccessError, NotFoundError, UsageError
from engine.ingest import Source
from engine.interfaces.repair import repair
from engine.library import Library
from engine.model import Filters
from engine.shared_library import reading_only
from engine.visited_library import within

WITHOUT_VECTORS = Settings.model_validate({"embedding": {"enabled": False}})


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 300,
        "a/b",
        "a\\b",
        "line\nbreak\0",
        "\u202egnp.exe",
        "\ud800",
        "contracts",
        "CONTRACTS ",
    ],
)
def test_names_that_cannot_be_seen_typed_or_told_apart_are_refused(library, name):
    library.collections.create("Contracts")
    with pytest.raises(UsageError):
        library.collections.create(name)
    assert [one.name for one in library.collections.all()] == ["Contracts"]


def test_names_of_any_language_and_with_signs_are_kept_as_they_are(library):
    names = ["合同", "📁 Contracts", "👩‍👩‍👧 Family", "Ünïcode", "x" * 100, "a  b"]
    for name in names:
        library.collections.create(name)
    assert {one.name for one in library.collections.all()} == {*names[:-1], "a b"}
    assert library.collections.get("📁 contracts").name == "📁 Contracts"


def test_a_collection_is_renamed_emptied_and_deleted_and_its_documents_stay(filled):
    known = filled.collections
    made = known.create("Reports")
    assert known.move(["report.md", "手册.md", "report.md"], "reports") == 2
    assert known.get(made.collection_id).documents == 2
    assert known.rename("Reports", "REPORTS").name == "REPORTS"  # the same but for its letters' case
    known.create("Others")
    with pytest.raises(UsageError):
        known.rename("others", "Reports")
    known.move(["手册.md"], None)
    with pytest.raises(NotFoundError):
        known.move(["report.md", "nothing.md"], "Others")
    assert filled.document("report.md").collection == "REPORTS"
    assert known.delete("Reports").documents == 1
    assert {one.collection for one in filled.documents()} == {""} and len(filled.documents()) == 2


def test_files_are_added_into_a_collection(library):
    library.collections.create("Reports")
    added = library.add(
        [Source("report.md", REPORT.encode(), collection="reports"), Source("手册.md", REGULATIONS.encode())]
    )
    assert [one.status for one in added] == ["added", "added"]
    (failed,) = library.add([Source("new.md", b"# New", collection="nowhere")])
    assert failed.status == "failed" and "nowhere" in (failed.error or "")
    assert {one.name: one.collection for one in library.documents()} == {
        "report.md": "Reports",
        "手册.md": "",
    }
    library.add([Source("report.md", REPORT.encode() + b"\nMore.\n")])
    assert library.document("report.md").collection == "Reports"
    library.add([Source("report.md", REPORT.encode() + b"\nMore.\n", collection="")])
    assert library.document("report.md").collection == ""


def test_a_question_within_a_collection_is_answered_from_it_alone(filled):
    filled.collections.create("手册")
    filled.collections.move(["手册.md"], "手册")
    scope = Filters(collections=("手册",))
    assert {hit.document for hit in filled.search("foundries", filters=scope).hits} <= {"手册.md"}
    answer = filled.ask("How many foundries supply the chips?", filters=scope)
    assert not answer.answered and "report.md" not in str(answer.to_dict())
    listed = filled.ask("What documents are there?", filters=scope).answer
    assert "手册.md" in listed and "report.md" not in listed
    filled.embed_pending()
    filled.topics.refresh()
    alone = within(filled, ["手册"])
    assert {one.document_id for topic in alone.topics.all() for one in topic.documents} == {
        filled.document("手册.md").document_id
    }
    assert [one.name for one in alone.documents()] == ["手册.md"] and alone.topics.related("手册.md") == []
    assert within(filled, []) is filled


def test_who_may_only_read_changes_no_collection(filled):
    filled.collections.create("Reports")
    reader = reading_only(filled)
    assert [one.name for one in reader.collections.all()] == ["Reports"]
    for change in (
        lambda: reader.collections.create("x"), lambda: reader.collections.delete("Reports"),
        lambda: reader.collections.move(["report.md"], "Reports"),
    ):  # fmt: skip
        with pytest.raises(AccessError):
            change()
    assert within(reader, ["Reports"]).documents() == []
    with pytest.raises(AccessError):
        within(reader, ["Reports"]).remove("report.md")


def test_collections_and_their_rights_outlive_the_catalog(tmp_path):
    folder = tmp_path / "library"
    with Library.open(folder, settings=WITHOUT_VECTORS, background=False) as library:
        library.add([Source("report.md", REPORT.encode())])
        library.collections.create("Reports")
        library.collections.move(["report.md"], "Reports")
        library.storage.maintain()
        library.collections.share("Reports", ["ann@example.org"], [" staff ", ""])
        while library.storage.maintain():
            pass
    for name in ("catalog.db", "catalog.db-wal", "catalog.db-shm"):
        (folder / name).unlink(missing_ok=True)
    repair(folder, lambda _: WITHOUT_VECTORS)
    with Library.open(folder, settings=WITHOUT_VECTORS, background=False) as library:
        (kept,) = library.collections.all()
        assert (kept.name, kept.documents, kept.readers, kept.editors) == (
            "Reports",
            1,
            ("ann@example.org",),
            ("staff",),
        )
