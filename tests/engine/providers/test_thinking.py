"""What a reasoning model thinks is never its answer, whole or streamed, in every form."""

import pytest

from engine.answer.events import Token
from engine.answer.grounded.reply import visible
from engine.providers.thinking import thought_in, without_thinking

ANSWER = "The bridge opened in 1932 [1]."
FORMS = [
    f"<think>Was it 1923?</think>\n\n{ANSWER}",
    f"Was it 1923? Let me see.\n</think>\n\n{ANSWER}",
    f"◁think▷Was it 1923?◁/think▷{ANSWER}",
    f"[THINK]Was it 1923?[/THINK]{ANSWER}",
    f"<seed:think>Was it 1923?</seed:think>{ANSWER}",
    f"<|channel|>analysis<|message|>Was it 1923?<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>",
    f"analysisWas it 1923?assistantfinal{ANSWER}",
]


def shown(pieces):
    """Return what a reader is left with."""
    text = ""
    for event in visible(pieces):
        text = text + event.text if isinstance(event, Token) else ""
    return text


@pytest.mark.parametrize("reply", FORMS)
def test_a_thought_is_no_part_of_the_answer(reply):
    assert without_thinking(reply).strip() == ANSWER
    assert thought_in(reply).startswith("Was it 1923?") or reply.startswith("analysis")


@pytest.mark.parametrize("reply", FORMS)
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_a_streamed_thought_is_told_apart_as_it_comes(reply, size):
    assert shown(reply[i : i + size] for i in range(0, len(reply), size)) == ANSWER


@pytest.mark.parametrize(
    "reply",
    [
        "Use `List<String>`, mail <a@b.org>, and 3 < 4 [1].",
        "```python\nprint('<think>')\n```\nThat is all [1].",
        "analysis of the figures shows 4 [1].",
        "A link [T] and a list [1, 2].",
    ],
)
def test_what_only_looks_like_a_mark_of_thinking_stays(reply):
    assert without_thinking(reply) == reply
    assert shown([reply]) == reply


def test_a_thought_that_never_ends_leaves_no_answer():
    assert not without_thinking("<think>It may be that").strip()
    assert not shown(["<think>It ", "may be"])
