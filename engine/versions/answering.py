"""Answers to what changed between two versions, with citations into both."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from engine.answer.check.marks import harmless
from engine.answer.events import OnEvent, Token
from engine.answer.extractive import quotable
from engine.answer.phrases import phrases_for
from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.model import Answer, Evidence, TraceStep, Tree
from engine.retrieve.sources import Sources
from engine.retrieve.tree_evidence import TreeEvidence
from engine.versions.asking import VersionQuestion
from engine.versions.changes import Change, Difference, Passage
from engine.versions.words import Span

MOST_POINTS = 12
LONG = 260
_SAYS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def says(language: str, key: str, **values: object) -> str:
    """Return one of the sentences about versions in "en" or "zh"."""
    return _SAYS[language][key].format(**values)


@dataclass(frozen=True, slots=True)
class _Point:
    """One thing to tell: a passage of a section, a section, a heading."""

    form: str
    """What happened to the passage, or to the section where all of it is told."""
    change: Change
    passage: Passage | None = None

    @property
    def text(self) -> str:
        told = self.passage or self.change
        return " ".join([*self.change.path, told.before, told.after])


def cannot_tell(question: str, asked: VersionQuestion, numbers: Mapping[str, Sequence[int]]) -> Answer:
    """Say which documents could be meant, or which versions there are."""
    language = phrases_for(question).language
    names = ", ".join(harmless(document.name) for document in asked.documents[:8])
    known = ", ".join(map(str, numbers[asked.documents[0].document_id]))
    return Answer(says(language, asked.kind, names=names, document=names, numbers=known), "direct", "low", False, [])


@dataclass
class Telling:
    """Tells what differs, all of it or what has to do with ``subject``; ``trees`` are the two versions' trees.

    ``tell`` gets the events of the answer.
    """

    question: str
    subject: str
    found: Difference
    trees: tuple[Tree, Tree]
    tell: OnEvent

    def __post_init__(self) -> None:
        self._phrases = phrases_for(self.question)
        self._before, self._after = map(TreeEvidence, self.trees)
        self._evidence: list[Evidence] = []
        self._place: dict[tuple[bool, str], int] = {}
        self._sources = Sources(self._evidence)

    def answer(self) -> Answer:
        """Return the answer: the changes, quoted from both versions."""
        points, lead = self._chosen()
        steps = [
            TraceStep(0, "initial_assessment", self._say("versions")),
            TraceStep(
                1, "action", self._say("step"), "compare_versions",
                {"document": self.found.document, "before": self.found.before, "after": self.found.after},
                self._say("found"),
            ),
        ]  # fmt: skip
        lines = [self._line(point) for point in points[:MOST_POINTS]]
        text = "\n".join([lead, *([""] if lines else []), *(f"- {line}" for line in lines)])
        if len(points) > MOST_POINTS:
            text += "\n\n" + self._say("more", count=len(points) - MOST_POINTS)
        for step in steps:
            self.tell(step)
        self.tell(Token(text))
        return Answer(
            text, "direct", "high", True, self._sources.citations, reasoning_steps=len(steps),
            reasoning_trace=steps,
        )  # fmt: skip

    def _chosen(self) -> tuple[list[_Point], str]:
        """Return what to tell, the subject's first, and the sentence before it."""
        points = list(_points(self.found))
        if not points:
            return [], self._say("none")
        wanted = content_terms(self.subject)
        if not wanted:
            return points, self._say("lead" if len(points) > 1 else "lead.one", count=len(points))
        scores = [coverage(wanted, frozenset(tokens(f"{point.text} {self._head(point)}"))) for point in points]
        best = max(scores)
        if best < 0.34:
            return points, self._say("not_about")
        return [p for p, score in zip(points, scores, strict=True) if score >= best * 0.6], self._say("about")

    def _head(self, point: _Point) -> str:
        """Return the caption and the first row of the table that a row stands in: what its cells are about."""
        passage = point.passage
        if passage is None or passage.role != "row":
            return ""
        node = passage.after_node or passage.before_node or ""
        item = (self._after if passage.after_node else self._before).by_id(node)
        caption = item.table.metadata.get("caption") if item and item.table else None
        return f"{caption or ''} {item.text.partition(chr(10))[0]}" if item else ""

    def _line(self, point: _Point) -> str:
        change, passage = point.change, point.passage
        place = harmless(" > ".join(change.path) or self._say("top"))
        if passage is not None:
            old = self._quote(False, passage.before_node, passage.before, passage.spans, "added")
            new = self._quote(True, passage.after_node, passage.after, passage.spans, "removed")
            return self._say(passage.kind, place=place, old=old, new=new)
        if point.form in ("added", "removed"):
            title = self._title(point.form == "added", change.after_node or change.before_node, change.path[-1])
            return self._say(point.form, place=place, old=title, new=title)
        form, names = point.form, (change.before, change.after)
        if form == "moved" and change.before == change.after:
            form, names = "moved.within", (change.path[-1], change.path[-1])
        within = harmless(" > ".join(change.path[:-1]) or self.found.document)
        old = self._title(False, change.before_node, harmless(names[0]))
        new = self._title(True, change.after_node, harmless(names[1]))
        return self._say(form, place=place, within=within, old=old, new=new)

    def _quote(self, newer: bool, node_id: str | None, text: str, spans: Sequence[Span], other: str) -> str:
        """Return the part of a passage that differs, with the mark of its source behind the quote."""
        if node_id is None or not text:
            return ""
        start, end = _telling_part(text, [span for span in spans if span.kind != other])
        quoted = text[start:end]
        index = self._index(newer, node_id)
        at = self._evidence[index].text.find(quoted) if index is not None else -1
        n = None if index is None or at < 0 else self._sources.add(index, at, at + len(quoted))
        return _cited(quotable(quoted), n)

    def _title(self, newer: bool, node_id: str | None, shown: str) -> str:
        index = self._index(newer, node_id) if node_id else None
        return _cited(shown, None if index is None else self._sources.add(index, 0, 0))

    def _index(self, newer: bool, node_id: str) -> int | None:
        item = (self._after if newer else self._before).by_id(node_id)
        if item is not None and (newer, node_id) not in self._place:
            self._place[newer, node_id] = len(self._evidence)
            self._evidence.append(item)
        return self._place.get((newer, node_id))

    def _say(self, key: str, **values: object) -> str:
        found = self.found
        facts: dict[str, object] = {
            "document": harmless(found.document), "before": found.before, "after": found.after,
            "subject": self.subject, "count": found.count,
        }  # fmt: skip
        return says(self._phrases.language, key, **{**facts, **values})


def _cited(text: str, n: int | None) -> str:
    return f"“{text}”" + (f" [{n}]" if n else "")


def _points(found: Difference) -> Iterable[_Point]:
    """Yield what there is to tell, changed passages first."""
    for change in found.changed:
        for passage in change.passages:
            yield _Point(passage.kind, change, passage)
    for form in ("added", "removed"):
        for change in getattr(found, form):
            longest = max(change.passages, key=lambda one: len(one.after or one.before), default=None)
            yield _Point(form, change, longest)
    for form in ("moved", "renamed"):
        yield from (_Point(form, change) for change in getattr(found, form))


def _telling_part(text: str, spans: Sequence[Span]) -> tuple[int, int]:
    """Return the start and end of what is quoted: all of a short text, else what is around the first change."""
    if len(text) <= LONG:
        return 0, len(text)
    before = takewhile(lambda span: span.kind == "same", spans)
    first = min(sum(len(span.text) for span in before), len(text) - 1)
    start = max(0, first - LONG // 2)
    if start and (space := text.find(" ", start, first)) >= 0:
        start = space + 1
    return start, min(len(text), first + LONG)
