from pathlib import Path

from engine.ingest import Source
from engine.library import Library

CHURN = '[metrics]\n"churn" = ["attrition", "流失率"]\n\n[units]\n"bbl" = ["barrels"]\n'


def found(library: Library, query: str) -> list[str]:
    return [hit.document for hit in library.search(query, mode="fulltext").hits]


def write(library: Library, text: str) -> Path:
    path = library.folder / "synonyms.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_users_synonyms_are_known_when_a_document_is_added(library: Library):
    write(library, CHURN)
    library.add([Source("note.txt", b"Customer attrition fell by a third in the spring.")])
    [node] = [node for node in library.tree("note.txt").nodes if node.role == "paragraph"]
    assert node.metadata["aliases"] == ["churn", "流失率"]


def test_a_users_units_are_known_in_tables(library: Library):
    write(library, CHURN)
    library.add([Source("oil.csv", b"Field,Output (barrels)\nNorth,120\nSouth,80\n")])
    [table] = [node for node in library.tree("oil.csv").nodes if node.role == "table"]
    assert table.metadata["columns"][1]["unit"] == "bbl"


def test_a_question_is_understood_by_synonyms_that_came_after_the_document(library: Library):
    library.add([Source("note.txt", b"Customer attrition fell by a third in the spring.")])
    assert found(library, "churn") == []
    write(library, CHURN)
    assert found(library, "churn") == ["note.txt"] == found(library, "流失率")


def test_a_broken_synonym_file_is_told_and_the_shipped_one_is_used(library: Library):
    path = write(library, CHURN + "[oops\n")
    library.add([Source("note.txt", b"The accuracy rose by a third in the spring, and nobody knew why.")])
    [warning] = library.version("note.txt").warnings
    assert str(path) in warning and "line 6" in warning
    assert warning in library.status().missing
    [node] = [node for node in library.tree("note.txt").nodes if node.role == "paragraph"]
    assert "准确率" in node.metadata["aliases"]
