"""Answers to what changed between two versions, with citations into both."""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from engine.answer.answerer import Answerer
from engine.answer.basis import Basis
from engine.answer.check.marks import harmless, shortened
from engine.answer.events import OnEvent, Token
from engine.answer.evidence.judging import NOTHING_JUDGED
from engine.answer.extractive import quotable
from engine.answer.phrases import phrases_for
from engine.answer.understand.terms import content_terms, coverage
from engine.enrich.cell_places import range_address
from engine.index.tokenize import tokens
from engine.model import Answer, Evidence, Hit, TraceStep, Tree
from engine.retrieve.sources import Sources
from engine.retrieve.tree_evidence import TreeEvidence
from engine.versions.asking import Numbers, VersionQuestion
from engine.versions.changes import Change, Difference, Passage, Span

MOST_POINTS, MOST_GIVEN = 12, 40
# So much of a passage is quoted, and so much of a text is shown to a model.
LONG, WHOLE = 260, 2000
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


def cannot_tell(question: str, asked: VersionQuestion, numbers: Numbers) -> Answer:
    """Say which documents could be meant, or which versions there are."""
    language = phrases_for(question).language
    names = ", ".join(harmless(document.name) for document in asked.documents[:8])
    known = ", ".join(map(str, numbers(asked.documents[0].document_id)))
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
    trees: Sequence[Tree]
    places: Iterable[Hit] = ()

    def __post_init__(self) -> None:
        self._phrases = phrases_for(self.question)
        self._versions = [TreeEvidence(tree) for tree in self.trees]
        self._evidence: list[Evidence] = []
        self._shown: dict[int, Evidence] = {}
        self._sources = Sources(self._evidence)
        self._points, self._lead = self._chosen()
        self.found_about = self._lead == self._say("about")  # what is asked about did change

    def answer(self, tell: OnEvent, write: Callable[..., Answer] | None = None) -> Answer:
        """Return the changes, quoted from both versions, or what a model writes of them; ``tell`` gets the events."""
        compared = {"document": self.found.document, "before": self.found.before, "after": self.found.after}
        steps = [
            TraceStep(0, "initial_assessment", self._say("versions")),
            TraceStep(1, "action", self._say("step"), "compare_versions", compared, self._say("found")),
        ]
        lines = [self._line(point) for point in self._points[:MOST_POINTS]]
        cited = [*self._sources.citations]
        for point in [*_points(self.found, every=True)][:MOST_GIVEN] if write and lines else ():
            if point not in self._points[:MOST_POINTS]:  # a model judges itself what has to do with the question
                self._line(point)
        text = "\n".join([self._lead, *([""] if lines else []), *(f"- {line}" for line in lines)])
        if (left := len(self._points) - MOST_POINTS) > 0:
            text += "\n\n" + self._say("more", count=left)
        for step in steps:
            tell(step)
        made = write(given=[*self._shown.values()]) if write and lines else None
        if made is None or made.engine != "llm":
            tell(Token(text))
            made = Answer(text, "direct", "high", True, cited)
        steps += made.reasoning_trace
        return replace(made, reasoning_steps=len(steps), reasoning_trace=steps)

    def _chosen(self) -> tuple[list[_Point], str]:
        """Return what to tell, the subject's first, and the sentence before it."""
        points = list(_points(self.found))
        if not points:
            return [], self._say("none")
        wanted = content_terms(self.subject)
        if not wanted:
            return points, self._say(f"lead.{min(len(points), 2)}", count=len(points))
        scores = [_covered(wanted, f"{point.text} {self._head(point)}") for point in points]
        told, best = self._where(wanted)
        least = max(ENOUGH, 0.6 * max([*scores, best]))
        about = [p for p, one in zip(points, scores, strict=True) if one >= least or told.keys() & p.nodes]
        if about:
            return about, self._say("about")
        if not told:
            return points, self._say("not_about")
        quotes = [self._cited(newer, node, "same", text, quotable(text)) for node, (newer, text) in told.items()]
        return [], " ".join([self._say("unchanged"), *quotes])

    def _where(self, wanted: dict[str, float]) -> tuple[dict[str, tuple[bool, str]], float]:
        """Return the nodes that tell of a subject, each with whether it is of the newer version and its text.

        With them comes which share of the subject's words the best one has.
        """
        told, best = {}, 0.0
        for hit in self.places:
            newer = hit.version == self.found.after
            item = self._versions[newer].by_id(hit.node_id)
            share = _covered(wanted, " ".join([*item.path, item.title, item.text])) if item else 0.0
            if item and share > LEAST:
                told[hit.node_id], best = (newer, item.text[:LONG]), max(best, share)
        return told, best

    def _head(self, point: _Point) -> str:
        """Return the caption and the first row of the table that a row stands in: what its cells are about."""
        passage = point.passage
        if passage is None or passage.role != "row":
            return ""
        node = passage.after_node or passage.before_node or ""
        item = self._versions[bool(passage.after_node)].by_id(node)
        caption = item.table.metadata.get("caption") if item and item.table else None
        return f"{caption or ''} {item.text.partition(chr(10))[0]}" if item else ""

    def _line(self, point: _Point) -> str:
        change, passage = point.change, point.passage
        place = harmless(" > ".join(change.path) or self._say("top"))
        if passage is not None:
            place = " · ".join([place, *filter(None, _row_place(passage))])
            return self._say(passage.kind, place=place, old=self._quote(False, passage), new=self._quote(True, passage))
        form, names = point.form, (change.before, change.after)
        if form in ("added", "removed"):
            node = change.after_node or change.before_node
            title = self._cited(form == "added", node, form, "", change.path[-1])
            return self._say(form, place=place, old=title, new=title)
        if form == "moved" and change.before == change.after:
            form, names = "moved.within", (change.path[-1], change.path[-1])
        within = harmless(" > ".join(change.path[:-1]) or self.found.document)
        old = self._cited(False, change.before_node, form, "", harmless(names[0]))
        new = self._cited(True, change.after_node, form, "", harmless(names[1]))
        return self._say(form, place=place, within=within, old=old, new=new)

    def _quote(self, newer: bool, passage: Passage) -> str:
        """Return the part of a passage that differs, as it is in one version."""
        node, text, other = passage.before_node, passage.before, "added"
        if newer:
            node, text, other = passage.after_node, passage.after, "removed"
        start, end = _telling_part(text, [span for span in passage.spans if span.kind != other])
        values = ((cell.column, cell.after if newer else cell.before) for cell in passage.cells)
        shown = "; ".join(": ".join(filter(None, value)) for value in values if value[1]) or text[start:end]
        shown = quotable(shortened(shown, LONG + 1))
        return self._cited(newer, node, passage.kind, text[start:end], shown) if text else ""

    def _cited(self, newer: bool, node_id: str | None, kind: str, quoted: str, shown: str) -> str:
        """Return what is shown of a node with the mark of its source: where it is quoted, "" for its title."""
        item = self._versions[newer].by_id(node_id) if node_id else None
        at = item.text.find(quoted) if item else -1
        if item is None or at < 0:
            return f"“{shown}”"
        self._evidence.append(item)
        n = self._sources.add(len(self._evidence) - 1, at, at + len(quoted))
        told = f"Version {item.hit.version} ({kind})"
        whole = item.text[:WHOLE] if quoted and not item.table else quoted
        self._shown[n] = replace(item, text=whole or item.title, title=told, table=None)
        return f"“{shown}” [{n}]"

    def _say(self, key: str, **values: object) -> str:
        found = self.found
        facts: dict[str, object] = {
            "document": harmless(found.document), "before": found.before, "after": found.after,
            "subject": self.subject, "count": found.count,
        }  # fmt: skip
        return says(self._phrases.language, key, **{**facts, **values})


def _row_place(passage: Passage) -> Sequence[str]:
    """Return what a row is called, and where its cells that differ stand in a sheet; nothing for other passages."""
    if not passage.cells:
        return ()
    cells = [cell.address.rpartition("!")[2] for cell in passage.cells if cell.address]
    changed = passage.kind == "changed" or not cells
    return harmless(passage.cells[0].row), ", ".join(cells) if changed else range_address(cells[0], cells[-1])


def _covered(wanted: dict[str, float], text: str) -> float:
    return coverage(wanted, frozenset(tokens(text)))


def _points(found: Difference, every: bool = False) -> Iterable[_Point]:
    """Yield what there is to tell, changed passages first; of a section that is new or gone the longest, or all."""
    for change in found.changed:
        for passage in change.passages:
            yield _Point(passage.kind, change, passage)
    for form in ("added", "removed"):
        for change in getattr(found, form):
            yield from (_Point(form, change, one) for one in (every and change.passages) or [_longest(change)])
    for form in ("moved", "renamed"):
        yield from (_Point(form, change) for change in getattr(found, form))


def _longest(change: Change) -> Passage | None:
    return max(change.passages, key=lambda one: len(one.after or one.before), default=None)


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
