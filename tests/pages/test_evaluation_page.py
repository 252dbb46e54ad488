import re
import threading
from collections.abc import Iterator

import pytest

from engine.evaluate.saved import run_history
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters, SavedQuestion
from engine.settings_sources import with_changes
from pages.widgets import question_set
from pages.widgets.background import EARLY, Background
from pages.widgets.evaluation import lab_parameters, running, told
from tests.pages.page_texts import texts_of
from tests.pages.shelves import new_app, shelved
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


def opened(open_page, one: SavedQuestion):
    """The page with the form of a question open."""
    app = open_page("evaluation")
    app.session_state[f"eval.question.{one.question_id}"] = True
    return app.run()


def test_a_question_is_changed_and_deleted(shelf: Library, open_page):
    one = saved(shelf)
    app = opened(open_page, one)
    app.text_input(key=f"eval.form.{one.question_id}.kind").set_value("harvest")
    app.button(key=f"eval.form.{one.question_id}.save").click().run()
    (changed,) = shelf.questions.list(OWNER)
    assert (changed.text, changed.kind) == (APPLES, "harvest")
    app = opened(open_page, changed)
    app.button(key=f"eval.delete.{changed.question_id}").click().run()
    assert not shelf.questions.list(OWNER)
    assert not app.exception


def test_a_passage_that_need_not_be_found_is_taken_from_a_question(shelf: Library, open_page):
    nodes = [node_of(shelf, "nine tons"), node_of(shelf, "pear trees")]
    one = shelf.questions.save(APPLES, nodes, owner=OWNER)
    app = opened(open_page, one)
    app.multiselect(key=f"eval.form.{one.question_id}.expected").unselect(nodes[1])
    app.button(key=f"eval.form.{one.question_id}.save").click().run()
    (changed,) = shelf.questions.list(OWNER)
    assert [node.node_id for node in changed.expected] == nodes[:1]


def test_a_question_is_saved_once_with_the_same_passages(shelf: Library):
    both = [node_of(shelf, "nine tons"), node_of(shelf, "pear trees")]
    question_set.save(APPLES, both)
    question_set.save(f" {APPLES} ", both[:1])
    assert question_set.is_saved(APPLES, both[1:])
    assert len(shelf.questions.list(OWNER)) == 1


def test_the_set_is_run_and_measured(shelf: Library, open_page):
    saved(shelf, kind="harvest")
    saved(shelf, "Who picks the fruit?", "Four people", kind="people")
    app = open_page("evaluation")
    app.button(key="eval.run").click().run()
    wait_until(lambda: app.run().metric)
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
    assert {metric.delta for metric in app.metric} == {"same"}
    app.button(key="eval.run").click().run()
    app.session_state["eval.history"] = True
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
    under_way = running(with_changes(shelf.settings, {"retrieval.fusion.bm25f": 0.0}), {})
    assert under_way.ended(30) and under_way.progress == (4, 4)
    assert under_way.found and under_way.found.comparison

    def draw(questions, outcome):
        from pages.widgets import evaluation

        evaluation.questions_list(questions, outcome)

    app = new_app(draw, shelf.questions.list(OWNER), under_way.found).run()
    changes = [re.findall(r"\d\.\d+", box.label)[:2] for box in app.expander]
    assert len(changes) == 2
    assert (moved := [float(after) - float(before) for before, after in changes]) == sorted(moved)
    assert {box.label.split("[")[1].split()[0] for box in app.expander} <= {"worse", "better", "same"}


def test_a_question_that_was_not_run_is_told(shelf: Library):
    assert "Not run yet" in told(saved(shelf), None, None)


def test_a_question_with_its_right_answer_is_answered_and_measured_and_memory_and_caches_are_told(
    shelf: Library, open_page
):
    one = saved(shelf)
    app = opened(open_page, one)
    app.text_input(key=f"eval.form.{one.question_id}.answer").set_value("nine tons")
    app.button(key=f"eval.form.{one.question_id}.save").click().run()
    assert [one.answer for one in shelf.questions.list(OWNER)] == ["nine tons"]
    app.button(key="eval.run").click().run()
    wait_until(lambda: "1 answer: answered 1.00" in texts_of(app.run()))
    assert "answer contained 1.00" in texts_of(app) and "MB of memory. Cache hit rates" in texts_of(app)


def test_a_run_can_be_stopped():
    def slow(report):
        report(1, 3)
        begun.set()
        stopped.wait(60)
        report(2, 3)
        raise AssertionError("went on")

    begun, stopped = threading.Event(), threading.Event()
    under_way = Background(slow)
    begun.wait(60)
    assert not under_way.ended() and under_way.progress == (1, 3)
    under_way.cancel()
    stopped.set()
    assert under_way.ended(60) and under_way.stopped and not under_way.problem


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_breaks_off_says_that_it_ended_early():
    under_way = Background(lambda report: 1 / 0)
    assert under_way.ended(60) and under_way.problem == EARLY


def test_an_empty_set_that_is_run_says_why_not(shelf: Library):
    under_way = running(None, {})
    assert under_way.ended(60) and "No question is saved" in under_way.problem


def test_a_question_opens_in_the_lab_with_its_documents(shelf: Library):
    document_id = shelf.document("orchard.md").document_id
    one = saved(shelf, filters=Filters(documents=(document_id,)))
    assert lab_parameters(one) == {"q": APPLES, "doc": [document_id]}
