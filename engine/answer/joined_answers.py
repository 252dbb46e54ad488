"""Several answers told as one, each under its heading, the sources numbered through, each once, as is what leads in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.answer.check.marks import renumbered
from engine.model import Answer, Citation, Evidence

# By so many letters a text is known that was found or quoted before.
_TOLD = 40


def joined(headed: Sequence[tuple[str, Answer]]) -> Answer:
    """Return answers, each with its heading ("" for none), as one: as sure as the least sure, answered where one is."""
    parts: list[str] = []
    leads: set[str] = set()
    answers = [one for _, one in headed]
    texts, sources = numbered_through(answers)
    for (heading, _), text in zip(headed, texts, strict=True):
        lead, _, rest = text.partition("\n\n")
        parts.append((f"**{heading}**\n\n" if heading else "") + (rest if rest and lead in leads else text))
        leads.add(lead)
    steps = [step for one in answers for step in one.reasoning_trace]
    timings: dict[str, float] = {}
    for name, value in (pair for one in answers for pair in one.timings_ms.items()):
        timings[name] = timings.get(name, 0.0) + value
    return replace(
        answers[0], answer="\n\n".join(parts), sources=sources,
        answered=any(one.answered for one in answers),
        confidence=max((one.confidence for one in answers), key=("high", "medium", "low").index),
        reasoning_trace=[replace(step, step=number) for number, step in enumerate(steps)],
        reasoning_steps=len(steps), timings_ms=timings,
        warnings=list(dict.fromkeys(warning for one in answers for warning in one.warnings)),
    )  # fmt: skip


def numbered_through(answers: Sequence[Answer]) -> tuple[list[str], list[Citation]]:
    """Return the texts of answers with their marks numbered through, and all their sources, each once."""
    sources: dict[tuple[str, int, str | None, str], Citation] = {}
    texts = []
    for one in answers:
        numbers: dict[int, int] = {}
        for source in one.sources:
            place = source.node_id, source.version, source.cell, source.snippet
            numbers[source.n] = sources.setdefault(place, replace(source, n=len(sources) + 1)).n
        texts.append(renumbered(one.answer, numbers))
    return texts, list(sources.values())


def taken_in_turn(found: Sequence[Sequence[Evidence]], most: int) -> list[Evidence]:
    """Return what several searches found, the best of each first, each place once, at most so many."""
    merged: dict[str, Evidence] = {}
    for place in range(max(map(len, found))):
        for items in found:
            for item in items[place : place + 1]:
                merged.setdefault(f"{item.hit.node_id} {item.text[:_TOLD]}", item)
    return list(merged.values())[:most]


def not_quoted(evidence: Sequence[Evidence], history: Sequence[tuple[str, str]]) -> list[Evidence]:
    """Return the evidence that no earlier answer quotes."""
    said = " ".join(text for role, text in history if role != "user")
    return [item for item in evidence if item.text and item.text[:_TOLD] not in said]
