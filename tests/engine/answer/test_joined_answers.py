from engine.answer.joined_answers import joined
from engine.model import Answer, Citation, TraceStep


def told(text, confidence="high", answered=True, sources=1):
    cited = [
        Citation(n, "d1", "a.md", 1, "", f"n{n}", None, None, None, "x", 0.5) for n in range(1, sources + 1)
    ]
    step = TraceStep(0, "thought", text)
    return Answer(
        text, "direct", confidence, answered, cited, reasoning_trace=[step], timings_ms={"total": 2.0}, warnings=["w"]
    )  # fmt: skip


def test_sources_are_numbered_through_and_marks_follow_them():
    made = joined([("First?", told("One [1], two [2].", sources=2)), ("Second?", told("Three [1]."))])
    assert made.answer == "**First?**\n\nOne [1], two [2].\n\n**Second?**\n\nThree [3]."
    assert [source.n for source in made.sources] == [1, 2, 3]


def test_the_whole_is_as_sure_as_its_least_sure_part_and_answered_where_one_is():
    made = joined([("a", told("x", "low", answered=False)), ("b", told("y"))])
    assert (made.confidence, made.answered) == ("low", True)


def test_steps_are_numbered_on_times_are_added_and_warnings_stand_once():
    made = joined([("a", told("x")), ("b", told("y"))])
    assert [step.step for step in made.reasoning_trace] == [0, 1] and made.reasoning_steps == 2
    assert made.timings_ms == {"total": 4.0} and made.warnings == ["w"]
