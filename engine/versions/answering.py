"""Answers to what changed between two versions, with citations into both."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from engine.answer.answerer import Answerer
from engine.answer.basis import Basis
from engine.answer.check.marks import harmless
from engine.answer.events import OnEvent, Token
from engine.answer.evidence.judging import NOTHING_JUDGED
from engine.answer.extractive import quotable
from engine.answer.phrases import phrases_for
from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.model import Answer, Evidence, Hit, TraceStep, Tree
from engine.retrieve.sources import Sources
from engine.retrieve.tree_evidence import TreeEvidence
from engine.versions.asking import VersionQuestion
from engine.versions.changes import Change, Difference, Passage
from engine.versions.words import Span

MOST_POINTS = 12
LONG = 260
# What tells of a subject has this share of its words; where nothing is found for it, this much.
LEAST, ENOUGH = 0.2, 0.34
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

    @property
    def nodes(self) -> set[str]:
        told = (self.change, self.passage or self.change)
        return {node for one in told for node in (one.before_node, one.after_node) if node}


def cannot_tell(question: str, asked: VersionQuestion, numbers: Mapping[str, Sequence[int]]) -> Answer:
    """Say which documents could be meant, or which versions there are."""
    language = phrases_for(question).language
    names = ", ".join(harmless(document.name) for document in asked.documents[:8])
    known = ", ".join(map(str, numbers[asked.documents[0].document_id]))
    return Answer(says(language, asked.kind, names=names, document=names, numbers=known), "direct", "low", False, [])


class FromVersions(Answerer):
    """What a model writes over what differs; that versions do is no disagreement, and nothing else is searched for."""

    def _made(self) -> Answer:
        evidence = self.retrieve(self.question.standalone).evidence
        made = self._by_model(Basis(self.question, evidence, NOTHING_JUDGED, [], None))
        return made or Answer("", "direct", "low", False, [])


@dataclass
class Telling:
    """Tells what differs, all of it or what has to do with ``subject``; ``trees`` are the two versions' trees.

    ``places`` are the nodes of both that were found to tell of the subject.
    """

    question: str
    subject: str
    found: Difference
    trees: tuple[Tree, Tree]
    places: Iterable[Hit] = ()

    def __post_init__(self) -> None:
        self._phrases = phrases_for(self.question)
        self._versions = [TreeEvidence(tree) for tree in self.trees]
        self._evidence: list[Evidence] = []
        self._place: dict[tuple[bool, str], int] = {}
        self._sources = Sources(self._evidence)
        self._points, self._lead = self._chosen()
        self.found_about = self._lead == self._say("about")  # what is asked about did change

    def answer(self, tell: OnEvent, write: Callable[..., Answer] | None = None) -> Answer:
        """Return the changes, quoted from both versions, or what a model writes of them; ``tell`` gets the events."""
        points = self._points
        steps = [
            TraceStep(0, "initial_assessment", self._say("versions")),
            TraceStep(
                1, "action", self._say("step"), "compare_versions",
                {"document": self.found.document, "before": self.found.before, "after": self.found.after},
                self._say("found"),
            ),
        ]  # fmt: skip
        lines = [self._line(point) for point in points[:MOST_POINTS]]
        text = "\n".join([self._lead, *([""] if lines else []), *(f"- {line}" for line in lines)])
        if len(points) > MOST_POINTS:
            text += "\n\n" + self._say("more", count=len(points) - MOST_POINTS)
        for step in steps:
            tell(step)
        made = write(given=self._shown(lines)) if write and lines else None
        if made is None or made.engine != "llm":
            tell(Token(text))
            made = Answer(text, "direct", "high", True, self._sources.citations)
        steps += made.reasoning_trace
        return replace(made, reasoning_steps=len(steps), reasoning_trace=steps)

    def _chosen(self) -> tuple[list[_Point], str]:
        """Return what to tell, the subject's first, and the sentence before it."""
        points = list(_points(self.found))
        if not points:
            return [], self._say("none")
        wanted = content_terms(self.subject)
        if not wanted:
            return points, self._say("lead" if len(points) > 1 else "lead.one", count=len(points))
        scores = [_covered(wanted, f"{point.text} {self._head(point)}") for point in points]
        told = {
            hit.node_id: (newer, item, score)
            for hit in self.places
            if (item := self._item(newer := hit.version == self.found.after, hit.node_id))
            and (score := _covered(wanted, " ".join([*item.path, item.title, item.text]))) > LEAST
        }
        least = max(ENOUGH, 0.6 * max([*scores, *(score for *_, score in told.values())]))
        about = [p for p, one in zip(points, scores, strict=True) if one >= least or told.keys() & p.nodes]
        if about or not told:
            return about or points, self._say("about" if about else "not_about")
        quotes = [self._quote(newer, node, item.text[:LONG], (), "") for node, (newer, item, _) in told.items()]
        return [], " ".join([self._say("unchanged"), *quotes])

    def _head(self, point: _Point) -> str:
        """Return the caption and the first row of the table that a row stands in: what its cells are about."""
        passage = point.passage
        if passage is None or passage.role != "row":
            return ""
        node = passage.after_node or passage.before_node or ""
        item = self._item(bool(passage.after_node), node)
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

    def _shown(self, lines: Sequence[str]) -> list[Evidence]:
        """Return what is quoted as a model is shown it: with its version and what became of it."""
        cited = {int(mark[1]): line.partition("“")[0] for line in lines for mark in re.finditer(r"\[(\d+)\]", line)}
        return [
            replace(
                item, text=one.snippet, title=f"{self._say('version', number=one.version)} {cited[one.n]}", table=None
            )
            for one in self._sources.citations
            if one.n in cited and (item := self._item(one.version == self.found.after, one.node_id))
        ]

    def _item(self, newer: bool, node_id: str) -> Evidence | None:
        return self._versions[newer].by_id(node_id)

    def _index(self, newer: bool, node_id: str) -> int | None:
        item = self._item(newer, node_id)
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


def _covered(wanted: dict[str, float], text: str) -> float:
    return coverage(wanted, frozenset(tokens(text)))


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
