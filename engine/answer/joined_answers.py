"""Several answers told as one, each under its heading, the sources numbered through."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Answer, Citation

_MARK = re.compile(r"\[(\d+)\]")


def joined(headed: Sequence[tuple[str, Answer]]) -> Answer:
    """Return answers, each with its heading, as one: as sure as the least sure of them, answered where one is."""
    parts: list[str] = []
    sources: list[Citation] = []
    for heading, one in headed:
        parts.append(f"**{heading}**\n\n{_shifted(one.answer, len(sources))}")
        sources += [replace(source, n=source.n + len(sources)) for source in one.sources]
    answers = [one for _, one in headed]
    steps = [step for one in answers for step in one.reasoning_trace]
    timings: dict[str, float] = {}
    for name, value in (pair for one in answers for pair in one.timings_ms.items()):
        timings[name] = timings.get(name, 0.0) + value
    return replace(
        answers[0], answer="\n\n".join(parts), sources=sources, answered=any(one.answered for one in answers),
        confidence=max((one.confidence for one in answers), key=("high", "medium", "low").index),
        reasoning_trace=[replace(step, step=number) for number, step in enumerate(steps)],
        reasoning_steps=len(steps), timings_ms=timings,
        warnings=list(dict.fromkeys(warning for one in answers for warning in one.warnings)),
    )  # fmt: skip


def _shifted(text: str, shift: int) -> str:
    return _MARK.sub(lambda mark: f"[{int(mark[1]) + shift}]", text)
