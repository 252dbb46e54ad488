"""A user's own question set."""

import pytest
from sample_texts import REGULATIONS, REPORT

from engine.errors import NotFoundError, UsageError
from engine.ingest import Source
from engine.model import Filters


@pytest.fixture
def shelf(library):
    library.add([Source("report.md", REPORT.encode()), Source("手册.md", REGULATIONS.encode())])
    return library


def node_with(library, document, words):
    return next(node.node_id for node in library.tree(document).nodes if words in node.text)


def test_a_question_is_saved_with_its_nodes_and_found_again(shelf):
    chips = node_with(shelf, "report.md", "foundries")
    saved = shelf.questions.save("Who supplies  the chips?", [chips, chips], owner="ann", kind="risk")
    assert (saved.text, saved.kind) == ("Who supplies the chips?", "risk")
    (expected,) = saved.expected
    assert (expected.node_id, expected.document, expected.role) == (chips, "report.md", "paragraph")
    assert shelf.questions.list("ann") == [saved]
    assert shelf.questions.list("bob") == []
    shelf.questions.delete(saved.question_id, "ann")
    assert shelf.questions.list("ann") == []


def test_a_run_measures_each_question_and_the_whole(shelf):
    chips = node_with(shelf, "report.md", "foundries")
    leave = node_with(shelf, "手册.md", "带薪年假")
    shelf.questions.save("How many foundries supply the chips?", [chips], kind="risk")
    shelf.questions.save("foundries", [leave], filters=Filters(documents=("report.md",)))
    seen = []
    run = shelf.questions.run(on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    ranks = {result.text: result.ranks for result in run.questions}
    assert ranks == {"How many foundries supply the chips?": {chips: 1}, "foundries": {leave: None}}
    assert run.metrics["ndcg@10"] == 0.5
    assert run.by_kind == {"risk": {"queries": 1, "metrics": run.by_kind["risk"]["metrics"]}}


def test_a_node_that_is_gone_is_told_and_does_not_count(shelf):
    chips = node_with(shelf, "report.md", "foundries")
    shelf.questions.save("foundries", [chips])
    shelf.add([Source("report.md", REPORT.replace("Two foundries", "Five factories").encode())])
    (result,) = shelf.questions.run().questions
    assert result.missing == [chips]
    assert result.metrics == {}


def test_two_settings_are_compared_question_by_question(shelf):
    chips = node_with(shelf, "report.md", "foundries")
    shelf.questions.save("foundries", [chips])
    blind = shelf.settings.model_copy(
        update={"retrieval": shelf.settings.retrieval.model_copy(update={"k_sparse": 1, "k_dense": 1})}
    )
    comparison = shelf.questions.compare(blind)
    assert comparison.worse + comparison.better + comparison.same == 1
    assert [change.text for change in comparison.changes] == ["foundries"]
    assert comparison.to_dict()["changes"][0]["before"] == 1.0


def test_what_cannot_be_saved_or_run_is_told(shelf):
    with pytest.raises(UsageError):
        shelf.questions.save("Why?", [])
    with pytest.raises(NotFoundError):
        shelf.questions.save("Why?", ["n0"])
    with pytest.raises(UsageError, match="No question is saved"):
        shelf.questions.run("nobody")


def test_a_question_with_an_answer_is_asked_and_measured_with_its_evidence(shelf):
    chips = node_with(shelf, "report.md", "foundries")
    saved = shelf.questions.save("How many foundries supply the chips?", [chips], answer="two")
    assert saved.answer == shelf.questions.list()[0].answer == "two"
    shelf.questions.save("foundries", [chips])
    run = shelf.questions.run()
    assert run.answers["questions"] == 1 and run.answers["contains"] == 1
    assert run.answers["evidence_f1"] == run.answers["f1"] > 0
    tried = shelf.questions.run(settings=shelf.settings)
    assert tried.answers == {}, "other settings are those of searches"
