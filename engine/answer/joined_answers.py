"""Several answers told as one, each under its heading, the sources numbered through, each once, as is what leads in."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from operator import attrgetter

from engine.answer.check.marks import renumbered
from engine.answer.phrases import Phrases
from engine.answer.tables import quantity as arithmetic
from engine.answer.tables.answering import TableAnswer
from engine.answer.tables.query import RefusedOperationError
from engine.answer.tables.vocabulary import CHANGES, cues
from engine.answer.understand import Question
from engine.model import Answer, Citation, Evidence, Statement

# By so many letters a text is known that was found or quoted before.
_TOLD = 40
_PLACE = attrgetter("node_id", "version", "cell", "snippet")


def joined(headed: Sequence[tuple[str, Answer]]) -> Answer:
    """Return answers, each with its heading ("" for none), as one: as sure as the least sure, answered where one is."""
    whole = ""
    leads: set[str] = set()
    statements: list[Statement] = []
    answers, sources = numbered_through([one for _, one in headed])
    for (heading, _), one in zip(headed, answers, strict=True):
        lead, _, rest = one.answer.partition("\n\n")
        kept = rest if rest and lead in leads else one.answer
        whole += ("\n\n" if whole else "") + (f"**{heading}**\n\n" if heading else "") + kept
        statements += _moved(one.statements, len(whole) - len(one.answer))
        leads.add(lead)
    steps = [step for one in answers for step in one.reasoning_trace]
    timings: dict[str, float] = {}
    for name, value in (pair for one in answers for pair in one.timings_ms.items()):
        timings[name] = timings.get(name, 0.0) + value
    return replace(
        answers[0], answer=whole, sources=sources, statements=statements,
        answered=any(one.answered for one in answers),
        state=min((one.state for one in answers), key=("answered", "closest", "not_found").index),
        confidence=max((one.confidence for one in answers), key=("high", "medium", "low").index),
        reasoning_trace=[replace(step, step=number) for number, step in enumerate(steps)],
        reasoning_steps=len(steps), timings_ms=timings,
        warnings=list(dict.fromkeys(warning for one in answers for warning in one.warnings)),
    )  # fmt: skip


def behind(lead: str, made: Answer) -> Answer:
    """Return an answer behind a line of ours."""
    return replace(made, answer=f"{lead}\n\n{made.answer}", statements=_moved(made.statements, len(lead) + 2))


def _moved(statements: Sequence[Statement], by: int) -> list[Statement]:
    return [replace(one, start=one.start + by, end=one.end + by) for one in statements]


def numbered_through(answers: Sequence[Answer]) -> tuple[list[Answer], list[Citation]]:
    """Return answers with their marks and sources numbered through, and all their sources, each once."""
    sources: dict[tuple[str, int, str | None, str], Citation] = {}
    numbered = []
    for one in answers:
        own = [sources.setdefault(_PLACE(source), replace(source, n=len(sources) + 1)) for source in one.sources]
        numbers = {before.n: now.n for before, now in zip(one.sources, own, strict=True)}
        until = [len(renumbered(one.answer[:at], numbers)) for told in one.statements for at in (told.start, told.end)]
        statements = [
            replace(told, start=start, end=end, sources=[numbers.get(n, n) for n in told.sources])
            for told, start, end in zip(one.statements, until[::2], until[1::2], strict=True)
        ]
        numbered.append(replace(one, answer=renumbered(one.answer, numbers), sources=own, statements=statements))
    return numbered, list(sources.values())


def taken_in_turn(found: Sequence[Sequence[Evidence]], most: int | None = None) -> list[Evidence]:
    """Return what several searches found, the best of each first, each place once, at most so many (None: all)."""
    merged: dict[str, Evidence] = {}
    for item in filter(None, chain.from_iterable(zip_longest(*found))):
        merged.setdefault(f"{item.hit.node_id} {item.text[:_TOLD]}", item)
    return list(merged.values())[:most]


def not_quoted(evidence: Sequence[Evidence], history: Sequence[tuple[str, str]]) -> list[Evidence]:
    """Return the evidence that no earlier answer quotes."""
    said = " ".join(text for role, text in history if role != "user")
    return [item for item in evidence if item.text and item.text[:_TOLD] not in said]


def compared_results(question: Question, answers: Sequence[TableAnswer | None], phrases: Phrases) -> str | None:
    """Return a line that compares the numbers that the parts of a question gave.

    None where the question does not compare, a part gave no single number, or the numbers are of different units.
    """
    kinds = {cue.kind for cue in cues(question.standalone, "operations")}
    compares = kinds & (CHANGES | {"compare", "max", "min", "diff"})
    if not compares or len(answers) != len(question.parts) or len(answers) < 2:
        return None
    numbers = []
    for made in answers:
        entries = made.result.entries if made is not None else ()
        if len(entries) != 1 or entries[0].quantity is None:
            return None
        numbers.append(entries[0].quantity)
    try:
        same = arithmetic.aligned(numbers)
    except RefusedOperationError:
        return None
    falling = not cues(question.standalone, "ascending")
    order = sorted(range(len(same)), key=lambda i: same[i].value, reverse=falling)
    chinese = phrases.language == "zh"
    told = [f"{question.parts[i].rstrip('?？。. ')}: {arithmetic.shown(numbers[i], chinese)}" for i in order]
    apart = arithmetic.difference(same[order[0]], same[order[-1]])
    gap = arithmetic.shown(apart, chinese)
    return phrases.compared.format(first=told[0], others="; ".join(told[1:]), apart=gap)
