import threading
from collections.abc import Iterator

import pytest

from engine.evaluate.saved import run_history
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.settings_sources import with_changes
from pages.widgets import question_set
from pages.widgets.evaluating import Evaluating
from pages.widgets.evaluation import lab_parameters, rows_of
from tests.pages.page_texts import texts_of
from tests.pages.shelves import shelved
from tests.waiting import wait_until

ORCHARD = (
    "# Orchard report\n\n## Apples\n\nThe orchard gave nine tons of apples.\n\n"
    "## Pears\n\nThe pear trees gave two tons in October.\n\n## Staff\n\nFour people pick the fruit.\n"
)
APPLES = "How many tons of apples did the orchard give?"
OWNER = "local"


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with shelved(tmp_path_factory.mktemp("evaluation") / "shelf") as library:
        library.add([Source("orchard.md", ORCHARD.encode())])
        yield library


@pytest.fixture
def shelf(stocked: Library) -> Iterator[Library]:
    yield stocked
    for one in stocked.questions.list(OWNER):
        stocked.questions.delete(one.question_id, OWNER)


def node_of(shelf: Library, words: str) -> str:
    return next(node.node_id for node in shelf.tree("orchard.md").nodes if words in node.text)


def saved(shelf: Library, text: str = APPLES, words: str = "nine tons", **more):
    return shelf.questions.save(text, [node_of(shelf, words)], owner=OWNER, **more)


def test_before_the_first_question_the_page_says_how_to_save_one(shelf: Library, open_page):
    app = open_page("evaluation", "zh-CN")
    assert "保存第一个问题" in texts_of(app)
    assert "eval.run" not in {button.key for button in app.button}


def test_a_question_is_written_with_passages_that_other_words_find(shelf: Library, open_page):
    app = open_page("evaluation")
    app.button(key="eval.add").click().run()
    app.text_input[0].set_value("What is the harvest?").run()
    app.text_input[3].set_value("pear trees October").run()
    app.multiselect[0].select(node_of(shelf, "pear trees")).run()
    app.button(key="eval.form.save").click().run()
    assert not app.exception
    (one,) = shelf.questions.list(OWNER)
    assert (one.text, one.expected[0].node_id) == ("What is the harvest?", node_of(shelf, "pear trees"))


def test_an_answer_brings_its_question_and_its_sources(shelf: Library, open_page):
    app = open_page("evaluation", ask=APPLES, expect=node_of(shelf, "nine tons"))
    assert app.text_input[0].value == APPLES
    app.button(key="eval.form.save").click().run()
    assert [one.text for one in shelf.questions.list(OWNER)] == [APPLES]


def test_a_question_is_edited_and_deleted(shelf: Library, open_page):
    one = saved(shelf)
    app = open_page("evaluation", question=one.question_id)
    app.button(key="eval.edit").click().run()
    app.text_input[1].set_value("harvest").run()
    app.button(key="eval.form.save").click().run()
    (changed,) = shelf.questions.list(OWNER)
    assert (changed.text, changed.kind) == (APPLES, "harvest")
    app = open_page("evaluation", question=changed.question_id)
    app.button(key="eval.delete").click().run()
    assert not shelf.questions.list(OWNER)
    assert not app.exception


def test_the_set_is_run_and_measured(shelf: Library, open_page):
    saved(shelf, kind="harvest")
    saved(shelf, "Who picks the fruit?", "Four people", kind="people")
    app = open_page("evaluation")
    app.button(key="eval.run").click().run()
    figures = {metric.label: metric.value for metric in app.metric}
    assert float(figures["Recall@10"]) == 1.0
    assert "By group" in {expander.label for expander in app.expander}


def test_two_settings_are_compared(shelf: Library, open_page):
    saved(shelf)
    app = open_page("evaluation")
    app.toggle(key="lab.settings").set_value(True).run()
    next(one for one in app.number_input if one.label == "Passages found").set_value(3)
    next(one for one in app.number_input if one.label == "Bonus for words close together").set_value(0.0)
    next(one for one in app.button if one.label == "Try").click().run()
    app.button(key="eval.compare").click().run()
    wait_until(lambda: "0 worse, 0 better, 1 the same." in texts_of(app.run()))
    assert all(metric.delta for metric in app.metric)
    app.button(key="eval.run").click().run()
    wait_until(lambda: "settings in force" in texts_of(app.run()))
    runs = run_history(shelf.folder).list(OWNER)[-2:]
    assert [run.tried.get("retrieval.top_k") for run in runs] == [3, None]
    assert "Passages found = 3" in texts_of(app).replace("\\", "")


def test_what_a_comparison_has_shown_is_taken_over_or_left(shelf: Library, open_page):
    saved(shelf)
    app = open_page("evaluation")
    app.session_state["trial.changes"] = {"retrieval.top_k": 7}
    app.run()
    app.button(key="eval.compare").click().run()
    wait_until(lambda: "trial.use.compared" in {button.key for button in app.run().button})
    app.button(key="trial.use.compared").click().run()
    assert shelf.settings.retrieval.top_k == 7
    assert "trial.use.compared" not in {button.key for button in app.button}
    shelf.update_settings({"retrieval.top_k": 10})


def test_what_got_worse_comes_first(shelf: Library):
    saved(shelf, "Four people pick the fruit", "Four people")
    saved(shelf, "Tell me of trees and of people", "Four people")
    evaluating = Evaluating(
        shelf.questions, OWNER, with_changes(shelf.settings, {"retrieval.fusion.bm25f": 0.0})
    )
    evaluating.start()
    outcome = evaluating.wait(30)
    assert outcome and outcome.comparison and evaluating.progress == (4, 4)
    rows = rows_of(shelf.questions.list(OWNER), outcome)
    changes = [row["score"] - row["before"] for row in rows]
    assert changes == sorted(changes)
    assert {row["verdict"] for row in rows} <= {"worse", "better", "same"}


def test_a_question_that_was_not_run_is_told(shelf: Library):
    one = saved(shelf)
    (row,) = rows_of([one], None)
    assert row["ranks"] == [] and row["note"] == "Not run yet"


def test_a_question_with_its_right_answer_is_answered_and_measured_and_memory_and_caches_are_told(
    shelf: Library, open_page
):
    one = saved(shelf)
    app = open_page("evaluation", edit=one.question_id)
    app.text_input[2].set_value("nine tons").run()
    app.button(key="eval.form.save").click().run()
    assert [one.answer for one in shelf.questions.list(OWNER)] == ["nine tons"]
    app.button(key="eval.run").click().run()
    wait_until(lambda: "1 answers: answered 1.00" in texts_of(app.run()))
    assert "answer contained 1.00" in texts_of(app) and "MB of memory at most" in texts_of(app)


def test_a_run_can_be_stopped(shelf: Library):
    class Slow:
        def run(self, owner, *, on_progress):
            on_progress(1, 3)
            begun.set()
            stopped.wait(60)
            on_progress(2, 3)
            raise AssertionError("went on")

    begun, stopped = threading.Event(), threading.Event()
    evaluating = Evaluating(Slow(), OWNER)  # type: ignore[arg-type]
    evaluating.start()
    begun.wait(60)
    assert evaluating.wait(0) is None and evaluating.progress == (1, 3)
    evaluating.cancel()
    stopped.set()
    outcome = evaluating.wait(60)
    assert outcome is not None and outcome.stopped


def test_an_empty_set_that_is_run_says_why_not(shelf: Library):
    evaluating = Evaluating(shelf.questions, "nobody")
    evaluating.start()
    outcome = evaluating.wait(60)
    assert outcome is not None and "No question is saved" in outcome.error


@pytest.mark.parametrize("odd", [{"edit": "none"}, {"question": "none"}, {"ask": "x" * 5000, "expect": "n0"}])
def test_an_address_that_makes_no_sense_breaks_nothing(shelf: Library, open_page, odd):
    saved(shelf)
    assert not open_page("evaluation", **odd).exception


def test_a_question_opens_in_the_lab_with_its_documents(shelf: Library):
    document_id = shelf.document("orchard.md").document_id
    one = saved(shelf, filters=Filters(documents=(document_id,)))
    assert lab_parameters(one) == {"q": APPLES, "doc": [document_id]}


def test_passages_that_are_gone_are_not_offered(shelf: Library):
    assert question_set.offers("", "", ["n0"]) == {}
