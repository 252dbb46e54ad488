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
    sources: dict[tuple[str, str | None, str], Citation] = {}
    for heading, one in headed:
        numbers: dict[int, int] = {}
        for source in one.sources:
            place = source.node_id, source.cell, source.snippet
            numbers[source.n] = sources.setdefault(place, replace(source, n=len(sources) + 1)).n
        lead, _, rest = one.answer.partition("\n\n")
        text = rest if rest and lead in leads else one.answer
        leads.add(lead)
        parts.append((f"**{heading}**\n\n" if heading else "") + renumbered(text, numbers))
    answers = [one for _, one in headed]
    steps = [step for one in answers for step in one.reasoning_trace]
    timings: dict[str, float] = {}
    for name, value in (pair for one in answers for pair in one.timings_ms.items()):
        timings[name] = timings.get(name, 0.0) + value
    return replace(
        answers[0], answer="\n\n".join(parts), sources=list(sources.values()),
        answered=any(one.answered for one in answers),
        confidence=max((one.confidence for one in answers), key=("high", "medium", "low").index),
        reasoning_trace=[replace(step, step=number) for number, step in enumerate(steps)],
        reasoning_steps=len(steps), timings_ms=timings,
        warnings=list(dict.fromkeys(warning for one in answers for warning in one.warnings)),
    )  # fmt: skip


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
