"""A question set as JSON lines."""

import json

import pytest
from sample_texts import REPORT

from engine.errors import NotFoundError, UsageError
from engine.evaluate.question_file import from_jsonl
from engine.ingest import Source
from engine.model import Filters


@pytest.fixture
def chips(library):
    library.add([Source("report.md", REPORT.encode())])
    return next(node.node_id for node in library.tree("report.md").nodes if "foundries" in node.text)


def test_a_set_comes_back_from_its_file_as_it_was(library, chips):
    filters = Filters(documents=("report.md",), pages=(1, 3), has_numbers=False, collections=("c1",))
    library.questions.save("Who makes the chips?", [chips], kind="risk", filters=filters)
    library.questions.save("Which foundries?", [chips])
    file = library.questions.export_jsonl()
    assert json.loads(file.splitlines()[1])["expected"][0]["document"] == "report.md"
    before = [(one.text, one.kind, one.filters) for one in library.questions.list()]
    assert library.questions.import_jsonl(file).already == 2
    for one in library.questions.list():
        library.questions.delete(one.question_id)
    assert library.questions.import_jsonl(file).saved == 2
    assert [(one.text, one.kind, one.filters) for one in library.questions.list()] == before


def test_questions_about_other_documents_are_told(library, chips):
    file = json.dumps({"question": "Who?", "expected": ["n0"]})
    assert library.questions.import_jsonl(file).unknown == ["Who?"]
    assert library.questions.list() == []


@pytest.mark.parametrize(
    "line",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"question": "Who?"}',
        '{"question": "Who?", "expected": [{"page": 1}]}',
        '{"question": "Who?", "expected": ["n1"], "filters": {"colour": "red"}}',
        '{"question": "Who?", "expected": ["n1"], "filters": {"roles": "table"}}',
    ],
)
def test_a_line_that_is_no_question_is_refused(line):
    with pytest.raises(UsageError):
        from_jsonl(line)


def test_a_question_can_be_changed(library, chips):
    old = library.questions.save("Who?", [chips], owner="ann", filters=Filters(roles=("paragraph",)))
    new = library.questions.change(old.question_id, "Who makes them?", [chips], owner="ann", kind="risk")
    assert library.questions.list("ann") == [new]
    assert (new.text, new.kind, new.filters) == ("Who makes them?", "risk", old.filters)
    with pytest.raises(NotFoundError):
        library.questions.change(new.question_id, "Who?", [chips], owner="bob")
