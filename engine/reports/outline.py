"""What a report can draw on (topics, documents with title and summary), and the outline that is planned from it.

The outline is made by a model that has seen what there is, else by the topics of what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.answer.agent.protocol import read_arguments
from engine.answer.grounded.prompt import filled
from engine.model import Filters, ReportSection, SearchResult
from engine.providers.llm import Llm, estimate_tokens
from engine.providers.prompts import prompt
from storage.base import Storage
from storage.topics import TopicProfile

if TYPE_CHECKING:
    from engine.topics.known import Topic

MOST_SECTIONS, MOST_QUESTIONS = 12, 8
_LONGEST_TITLE, _LONGEST_QUESTION = 160, 400
_TRIES = 2
# So many passages on the subject are looked at to tell which documents come first.
_FOUND = 100
_SUMMARY_LETTERS = 320
# Documents are told with a summary within this share of the budget, topics within the other; then come bare titles.
_WITH_SUMMARY, _TOPICS = 0.6, 0.15
# What a topic weighs falls with the rank of its documents; so many of them make an outline without a model.
_MOST_TOPICS = 6


@dataclass(frozen=True, slots=True)
class Source:
    """A document that a report can draw on."""

    document_id: str
    name: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Material:
    """The documents, those that speak most of the subject first, of which ``found`` were found by it, and topics."""

    sources: list[Source]
    found: int
    topics: list[Topic]

    def as_text(self, budget: int) -> str:
        """Return it for a model, in at most about ``budget`` tokens: what does not fit is counted."""
        told = len(self.sources)
        sizes = ((one.name, len(one.documents)) for one in self.topics)
        counted = (f"- {_defused(name)} (documents: {size})" for name, size in sizes if size > 1)
        topics = list(_within(counted, int(budget * _TOPICS)))
        full = list(_within(map(_line, self.sources), int(budget * _WITH_SUMMARY)))
        left = budget - sum(estimate_tokens(line) for line in [*topics, *full])
        bare = list(_within((f"- {_defused(_titled(one))}" for one in self.sources[len(full) :]), left))
        rest = told - len(full) - len(bare)
        more = [f"… and {rest} more documents"] if rest else []
        heads = ["Topics:", *topics, ""] if topics else []
        return "\n".join([*heads, f"Documents ({told}), the nearest to the subject first:", *full, *bare, *more])

    def by_topic(self) -> list[str]:
        """Return names under which the documents that were found can be told: of topics, else their own titles."""
        found = self.sources[: self.found]
        worth = {one.document_id: 1 / rank for rank, one in enumerate(found, 1)}
        return _covering(self.topics, worth) or [one.title for one in found[:_MOST_TOPICS]]


def material(
    storage: Storage, search: Callable[..., SearchResult], subject: str, filters: Filters, topics: Sequence[Topic]
) -> Material:
    """Return what a report on a subject can draw on within the filters. Raises what a search raises."""
    names = {one.document_id: one.name for one in storage.documents_within(filters)}
    hits = search(subject, filters=filters, top_k=_FOUND).hits
    found = [*filter(names.__contains__, dict.fromkeys(hit.document_id for hit in hits))]
    profiles = {one.document_id: one for one in storage.topics.profiles()}
    none = TopicProfile("", "", "", "")
    sources = []
    for one in dict.fromkeys([*found, *names]):
        profile = profiles.get(one, none)
        sources.append(Source(one, names[one], profile.title or PurePath(names[one]).stem, profile.about))
    there = [topic for topic in topics if any(member.document_id in names for member in topic.documents)]
    return Material(sources, len(found), there)


def _covering(topics: Sequence[Topic], worth: dict[str, float]) -> list[str]:
    """Return the names of few topics that have most of some documents, each for what those before it have not."""
    members = {topic.name: {one.document_id for one in topic.documents} for topic in topics}
    names: list[str] = []
    while members and len(names) < _MOST_TOPICS:
        best = max(members, key=lambda name: sum(worth.get(one, 0) for one in members[name]))
        if members[best].isdisjoint(worth):
            break
        names.append(best)
        taken = members.pop(best)
        worth = {key: value for key, value in worth.items() if key not in taken}
    return names


def _titled(source: Source) -> str:
    same = PurePath(source.name).stem == source.title
    return source.name if same else f"{source.title} ({source.name})"


def _line(source: Source) -> str:
    text = "; ".join(map(str.strip, source.text.splitlines()))[:_SUMMARY_LETTERS]
    return f"- {_defused(_titled(source))}{f': {_defused(text)}' if text else ''}"


def _defused(text: str) -> str:
    """Keep a text on its line, and from closing the block that holds it."""
    return " ".join(text.split()).replace("<", "‹")


def _within(lines: Iterable[str], budget: int) -> Iterable[str]:
    for line in lines:
        budget -= estimate_tokens(line)
        if budget < 0:
            return
        yield line


class Outline(NamedTuple):
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
    return Outline(_on_a_line(data.get("title"), _LONGEST_TITLE) or subject, [*sections.values()][:MOST_SECTIONS])


def _section(about: Mapping[str, Any], subject: str) -> ReportSection | None:
    title, asked = _on_a_line(about.get("title"), _LONGEST_TITLE), about.get("questions")
    lines = [_on_a_line(text, _LONGEST_QUESTION) for text in (asked if isinstance(asked, list) else [asked])]
    questions = list(filter(None, lines))[:MOST_QUESTIONS]
    return ReportSection(title, questions or [f"{subject}: {title}"]) if title else None


def outline_by_topics(subject: str, found: Material) -> Outline:
    """Return an outline by the topics of the documents that were found; of no sections where none was."""
    return Outline(subject, [ReportSection(name, [f"{subject}: {name}"]) for name in found.by_topic()])


def _on_a_line(text: Any, most: int) -> str:
    """Return a text on one line without the marks of a heading; "" for what has no word."""
    line = " ".join(text.split()).strip("#*_ ")[:most].strip() if isinstance(text, str) else ""
    return line if any(map(str.isalnum, line)) else ""
