from dataclasses import replace

from engine.answer.joined_answers import behind, joined
from engine.export.signs import with_signs
from engine.model import Answer, Citation, Statement, TraceStep


def cited(n, node):
    return Citation(n, "d1", "a.md", 1, "", node, None, None, None, "x", 0.5)


def told(text, confidence="high", answered=True, nodes=("a",)):
    sources = [cited(n, node) for n, node in enumerate(nodes, 1)]
    step = TraceStep(0, "thought", text)
    return Answer(
        text, "direct", confidence, answered, sources, reasoning_trace=[step], timings_ms={"total": 2.0},
        warnings=["w"],
    )  # fmt: skip


def test_sources_are_numbered_through_each_once_and_marks_follow_them():
    first, second = told("One [1], two [2].", nodes=("a", "b")), told("Three [1], two [2].", nodes=("c", "b"))
    made = joined([("First?", first), ("Second?", second)])
    assert made.answer == "**First?**\n\nOne [1], two [2].\n\n**Second?**\n\nThree [3], two [2]."
    assert [(source.n, source.node_id) for source in made.sources] == [(1, "a"), (2, "b"), (3, "c")]


def test_what_leads_in_is_said_once():
    made = joined([("First?", told("Quoted:\n\n- One [1]")), ("Second?", told("Quoted:\n\n- Two [1]"))])
    assert made.answer == "**First?**\n\nQuoted:\n\n- One [1]\n\n**Second?**\n\n- Two [1]"


def test_the_whole_is_as_sure_as_its_least_sure_part_and_answered_where_one_is():
    missing = replace(told("x", "low", answered=False), state="not_found")
    made = joined([("a", missing), ("b", told("y"))])
    assert (made.confidence, made.answered, made.state) == ("low", True, "answered")


def test_steps_are_numbered_on_times_are_added_and_warnings_stand_once():
    made = joined([("a", told("x")), ("b", told("y"))])
    assert [step.step for step in made.reasoning_trace] == [0, 1] and made.reasoning_steps == 2
    assert made.timings_ms == {"total": 4.0} and made.warnings == ["w"]


def test_what_was_checked_keeps_its_place_and_its_sources_behind_headings_leads_and_longer_numbers():
    many = told("One [1].", nodes=[f"n{n}" for n in range(9)])
    text = "Led:\n\nTwo [1]. Three [1]."
    second = replace(
        told(text, nodes=("z",)), statements=[Statement(6, 14, "computed", "", [1]), Statement(15, 25, "unverified")]
    )
    made = behind("So it is.", joined([("First?", many), ("Second?", second)]))
    assert [made.answer[one.start : one.end] for one in made.statements] == ["Two [10].", "Three [10]."]
    assert [one.sources for one in made.statements] == [[10], []]
    assert with_signs(made.answer, made.statements).endswith("Two [10]. [500] Three [10]. [501]")
