"""The outline of a report: by a model that has seen what there is, else by the topics of what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.answer.agent.protocol import read_arguments
from engine.answer.grounded.prompt import filled
from engine.model import ReportSection
from engine.providers.prompts import prompt
from engine.reports.material import Material

if TYPE_CHECKING:
    from engine.providers.llm import Llm

MOST_SECTIONS, MOST_QUESTIONS = 12, 3
_LONGEST_TITLE, _LONGEST_QUESTION = 160, 400
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Outline:
    """A title and sections without text."""

    title: str
    sections: list[ReportSection]


def outline_by_model(
    subject: str, found: Material, llm: Llm, *, language: str, budget: int,
    cancelled: Callable[[], bool] | None = None,
) -> Outline | None:  # fmt: skip
    """Return the outline that a model plans, None where it twice sends none that can be read.

    ``budget`` is how many tokens it is shown of the documents. Raises ProviderError, CancelledError.
    """
    system = filled(prompt("report_outline"), most=str(MOST_SECTIONS), language=language)
    user = f"<documents>\n{found.as_text(budget)}\n</documents>\n\nThe report that is asked for: {subject}"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    for _ in range(_TRIES):
        planned = read_outline(llm.complete(messages, json=True, cancelled=cancelled).text, subject)
        if planned is not None:
            return planned
    return None


def read_outline(reply: str, subject: str) -> Outline | None:
    """Return the outline in a reply: what can be read of it, None where that is no section."""
    data = read_arguments(reply)
    given = data.get("sections")
    sections: dict[str, ReportSection] = {}
    for one in given if isinstance(given, list) else []:
        if section := _section(one if isinstance(one, dict) else {"title": one}, subject):
            sections.setdefault(section.title.casefold(), section)
    if not sections:
        return None
    return Outline(_line(data.get("title"), _LONGEST_TITLE) or subject, [*sections.values()][:MOST_SECTIONS])


def _section(about: Mapping[str, Any], subject: str) -> ReportSection | None:
    title, asked = _line(about.get("title"), _LONGEST_TITLE), about.get("questions")
    lines = [_line(text, _LONGEST_QUESTION) for text in (asked if isinstance(asked, list) else [asked])]
    questions = list(filter(None, lines))[:MOST_QUESTIONS]
    return ReportSection(title, questions or [f"{subject}: {title}"]) if title else None


def outline_by_topics(subject: str, found: Material) -> Outline:
    """Return an outline by the topics of the documents that were found; of no sections where none was."""
    return Outline(subject, [ReportSection(name, [f"{subject}: {name}"]) for name in found.by_topic()])


def _line(text: Any, most: int) -> str:
    """Return a text on one line without the marks of a heading; "" for what has no word."""
    line = " ".join(text.split()).strip("#*_ ")[:most].strip() if isinstance(text, str) else ""
    return line if any(map(str.isalnum, line)) else ""
