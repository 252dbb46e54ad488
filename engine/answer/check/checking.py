"""A model's reply checked against its evidence: every mark leads somewhere, every statement is told for what it is.

The reply itself is never rewritten. Its marks, in whatever form, become [1] … [k] in the order of appearance; one that
leads nowhere is removed and told. A statement without a mark is held against all of the evidence; one whose figures
or words stand elsewhere than it says has its mark led there.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from engine.answer.check.judging import COPIED, OF_ANOTHER, Judge, Verdict, reason_of
from engine.answer.check.locate import around, items_for, locate, rows_for, sentences_of
from engine.answer.check.marks import Mark, Segment, is_statement, marks_of, renumbered, says_not_told, segments_of
from engine.answer.check.reading import Stated, read
from engine.answer.phrases import Phrases
from engine.answer.tables.cite import Computed
from engine.answer.trace import survived
from engine.errors import ProviderError
from engine.model import Answer, Citation, Evidence, Statement
from engine.providers.entailment import EntailmentJudge
from engine.retrieve.sources import Sources

# So many other pieces of evidence are looked at for a statement that those it cites do not support.
_OTHERS = 2
# A statement may reckon with so many of the values told right before it.
_MOST_TOLD = 10
_MOST_QUOTED = 600  # letters of a table that is cited whole where a statement names none of its rows
_HIGH, _MEDIUM = 0.9, 0.6
_GOOD = ("supported", "computed")


@dataclass(frozen=True, slots=True)
class Checked:
    """A reply that was checked.

    ``text`` is the reply but for its marks; ``removed`` counts the marks that led nowhere. ``not_found`` says that the
    model itself found no answer in the documents. ``statements`` are in the order of the text.
    """

    text: str
    citations: list[Citation]
    statements: list[Statement]
    removed: int = 0
    warnings: list[str] = field(default_factory=list)
    not_found: bool = False

    @property
    def confidence(self) -> Literal["high", "medium", "low"]:
        """How far the statements are supported or computed."""
        if not self.statements:
            return "low"
        share = sum(one.state in _GOOD for one in self.statements) / len(self.statements)
        high = share >= _HIGH and not any(one.state == "contradicted" for one in self.statements)
        return "high" if high else "medium" if share >= _MEDIUM else "low"

    def as_answer(self, denied: bool = False) -> Answer:
        """Return it as an answer of a model; ``denied`` where the reply began by saying that nothing tells."""
        of_web_alone = not self.citations and any(mark.outside for mark in marks_of(self.text))
        not_found = denied or self.not_found or of_web_alone
        return Answer(
            self.text, "direct", self.confidence, not not_found, self.citations, warnings=self.warnings,
            engine="llm", statements=list(self.statements), state="not_found" if not_found else "answered",
        )  # fmt: skip


def check(
    reply: str, evidence: Sequence[Evidence], *, question: str, phrases: Phrases,
    entailment: EntailmentJudge | None = None, computed: Sequence[Computed] = (), not_told: bool = False,
    outside: int = 0, pictured: Collection[int] = (),
) -> Checked:  # fmt: skip
    """Check a reply whose marks are numbers of ``evidence`` (1-based), or node ids.

    ``computed`` are results of operators: a sentence that states one rests on its cells. ``not_told`` where the reply
    begins by saying that the documents do not tell, which no place in them says. ``outside`` places of the web may be
    named by marks [W1] …; what rests on them alone is not verified, nor what the texts do not say of evidence
    that the model saw a picture of, ``pictured`` (1-based). A judge that fails is done without; where the check
    itself fails, the marks lead to the evidence as it is, and that it failed is told.
    """
    done = partial(_Check, reply, evidence, phrases, tuple(computed), not_told, outside, pictured)
    everything = [*evidence, *(replace(evidence[0], text=one.placed, table=None) for one in computed if evidence)]

    def judged() -> Checked | None:
        try:
            return done(Judge(everything, question, entailment)).checked()
        except ProviderError:
            return done(Judge(everything, question, None)).checked()

    return survived("check", judged, None) or _unjudged(reply, evidence, phrases)


def _unjudged(reply: str, evidence: Sequence[Evidence], phrases: Phrases) -> Checked:
    """Return a reply with its sources, of which no statement is judged."""
    sources = Sources(evidence)
    named = dict.fromkeys(n for mark in marks_of(reply) for n in mark.numbers if n <= len(evidence))
    numbers = {n: sources.add(n - 1, 0, len(evidence[n - 1].text)) for n in named}
    return Checked(renumbered(reply, numbers), sources.citations, [], warnings=[phrases.unchecked])


class _Places:
    """The reply with its marks replaced, whole or up to a place outside of them, and the numbers each became."""

    def __init__(self, reply: str, marks: Sequence[Mark], replaced: Sequence[str]) -> None:
        self._reply, self._replaced = reply, list(zip(marks, replaced, strict=True))
        self.numbers = [[int(n) for n in re.findall(r"\[(\d+)\]", new)] for new in replaced]
        self.text = self.until(len(reply))

    def until(self, at: int) -> str:
        """Return the text up to a place of the reply."""
        text, done = "", 0
        for mark, new in self._replaced:
            if mark.end <= at:
                before = text + self._reply[done : mark.start]
                text = before + new if new else before.rstrip(" \t")
                done = mark.end
        return text + self._reply[done:at]


@dataclass
class _Check:
    """One run of :func:`check`; ``judge`` knows the evidence, and behind it what was computed."""

    reply: str
    evidence: Sequence[Evidence]
    phrases: Phrases
    computed: Sequence[Computed]
    not_told: bool
    outside: int
    pictured: Collection[int]
    judge: Judge

    def __post_init__(self) -> None:
        self._results = _amounts("\n".join(one.text for one in self.computed))[:_MOST_TOLD]
        self._told: list[Stated] = []
        self._sources = Sources(self.evidence)
        self._by_node = {item.hit.node_id: index for index, item in enumerate(self.evidence)}
        self._marks = marks_of(self.reply)
        # The places of the web that each mark names, of those that there are.
        self._web = [[n for n in dict.fromkeys(mark.outside) if 0 < n <= self.outside] for mark in self._marks]
        self._warnings: list[str] = []
        self._removed = 0

    def checked(self) -> Checked:
        segments = segments_of(self.reply, self._marks)
        if not any(segment.states for segment in segments):  # a word or two may be all there is
            segments = [replace(segment, states=bool(segment.says)) for segment in segments]
        named = [self._named(mark) for mark in self._marks]
        of_documents = (i for i, one in enumerate(segments) if one.states and not self._outside_of(one))
        denial = next(of_documents, -1) if self.not_told else -1
        judged: list[Verdict | None] = []
        for i, segment in enumerate(segments):
            verdict = None if i == denial else self._judged(segment, segments, named)
            judged.append(verdict)
            if verdict is not None and verdict.state in _GOOD:
                self._told = [*self._told, *_amounts(segment.says)][-_MOST_TOLD:]
        replaced = self._cite(segments, named, judged)
        places = _Places(self.reply, self._marks, replaced)
        statements = [
            self._statement(segment, verdict, places)
            for segment, verdict in zip(segments, judged, strict=True)
            if verdict is not None
        ]
        first = next((segment.says for segment in segments if segment.states or segment.says), "")
        return Checked(
            places.text, self._sources.citations, statements, self._removed, list(dict.fromkeys(self._warnings)),
            says_not_told(first),
        )  # fmt: skip

    def _named(self, mark: Mark) -> list[int]:
        """Return the evidence that a mark names; what does not exist is told."""
        named = [(str(n), n - 1 if n <= len(self.evidence) else None) for n in mark.numbers]
        named += [(name, self._by_node.get(name)) for name in mark.names]
        missing = [name for name, index in named if index is None]
        missing += [f"W{number}" for number in mark.outside if not 0 < number <= self.outside]
        self._removed += len(missing)
        self._warnings += [self.phrases.no_such_source.format(n=name) for name in missing]
        return list(dict.fromkeys(index for _, index in named if index is not None))

    def _judged(self, segment: Segment, segments: Sequence[Segment], named: Sequence[list[int]]) -> Verdict | None:
        """Return the verdict on a statement; None for what states nothing, or that documents do not tell something."""
        if not segment.states or says_not_told(segment.says):
            return None
        # An item of a list may be cited by its lead-in.
        marked = [segment, *([segments[segment.follows]] if segment.follows >= 0 else [])]
        found = ([i for number in one.marks for i in named[number]] for one in marked)
        cited = list(dict.fromkeys(next(filter(None, found), [])))
        if not self.evidence or (self._outside_of(segment) and not cited):
            return Verdict("unverified", -1, "", -1.0, "outside") if self._outside_of(segment) else None
        if stated := [one for one in self.computed if one.stated_in(segment.says)]:
            return Verdict("supported" if any(one.is_read for one in stated) else "computed", -1, "", 9.0)
        if not cited and not is_statement(segment.says):  # a bare word stands in many places
            return Verdict("unverified", 0, "", -1.0, "unsaid", segment.says)
        verdict = self._verdict(segment, cited) if cited else None
        good = verdict is not None and verdict.state in _GOOD
        if self.computed and not (verdict and verdict.state == "supported" and verdict.firm):  # one of a list's, say
            results = range(len(self.evidence), len(self.evidence) + len(self.computed))
            told = self.judge.verdict(segment.says, [*results, *cited])
            if told.state in _GOOD and told.firm:
                made = any(not one.is_read and one.stated_in(segment.says, any) for one in self.computed)
                return Verdict("computed" if made else told.state, -1, "", told.certainty)
        verdict = verdict if verdict and good else self._by_others(segment, cited, verdict)
        if verdict.state not in _GOOD and any(index + 1 in self.pictured for index in cited):
            return Verdict("unverified", -1, "", -1.0, "pictured")
        absent = verdict.state != "contradicted" and verdict.certainty < COPIED and says_not_told(segment.says, False)
        return None if absent else verdict  # that something is lacking, no place says

    def _verdict(self, segment: Segment, items: Sequence[int]) -> Verdict:
        made = self.judge.verdict(segment.says, items, [*self._results, *self._told])
        # Beside what was computed another amount, which stands nowhere, is no other wording.
        doubted = self.computed and made.state in _GOOD and made.what
        return replace(made, state="unverified", problem="nowhere") if doubted else made

    def _by_others(self, segment: Segment, cited: Sequence[int], verdict: Verdict | None) -> Verdict:
        """Look for a statement in the evidence that holds most of it beside what it cites.

        What its own place contradicts must stand in one that holds more of it: 0.5‰ is the rate of the other party.
        """
        shares = self.judge.shares(segment.says)[: len(self.evidence)]
        rest = sorted((i for i in range(len(shares)) if i not in cited), key=lambda i: -shares[i])[:_OTHERS]
        of_another = verdict is not None and verdict.problem == OF_ANOTHER  # which no more of it makes right
        together = [[*cited, *rest]] if rest and len(rest) + len(cited) > 1 and not of_another else []
        tried = [self._verdict(segment, items) for items in [*([index] for index in rest), *together]]
        if verdict is not None:  # another place must say surely what is doubted, nothing be reckoned from it
            held = max((shares[i] for i in cited), default=0.0) if verdict.state == "contradicted" else -1.0
            alone = (one for n, one in zip(rest, tried, strict=False) if shares[n] > held)
            elsewhere = [*(one for one in alone if one.state == "supported"), *(tried[len(rest) :] if held < 0 else ())]
            sure = [one for one in elsewhere if one.state in _GOOD and one.firm and one.certainty >= 0]
            return max(sure, key=lambda one: one.certainty, default=verdict)
        best = max(tried, key=lambda one: one.certainty)
        denied = best.state == "contradicted"  # nothing was cited that could contradict
        return replace(best, state="unverified", problem="nowhere", rival="") if denied else best

    def _cite(
        self, segments: Sequence[Segment], named: Sequence[list[int]], judged: Sequence[Verdict | None]
    ) -> list[str]:
        """Cite what every mark names; return what each mark becomes."""
        owner = {number: i for i, segment in enumerate(segments) for number in segment.marks}
        replaced: list[str] = []
        last = ""
        for number, indices in enumerate(named):
            at = owner.get(number)
            segment, verdict = (segments[at], judged[at]) if at is not None else (None, None)
            cited = {index for n in segment.marks for index in named[n]} if segment else set[int]()
            said = verdict if verdict and verdict.state in _GOOD and verdict.item >= 0 else None
            if said and indices and said.item not in cited:  # another place says it than those named
                indices = [said.item]
            says = segment.says if segment else ""
            cells = self._cells_of(says, verdict) if verdict and verdict.state in _GOOD else []
            part = self._part(number, segment) if segment else says
            told = [number for index in indices for number in self._numbers(index, part, cells, says)]
            marks = "".join([f"[{n}]" for n in dict.fromkeys(told)] + [f"[W{n}]" for n in self._web[number]])
            before = self._marks[number - 1] if number else None
            again = before is not None and before.end == self._marks[number].start and marks == last
            replaced.append("" if again else marks)  # [3][5] of one place are its mark once
            last = marks
        return replaced

    def _part(self, number: int, segment: Segment) -> str:
        """Return what stands right before a mark of a statement that has several, where that states something."""
        before = [self._marks[one].end for one in segment.marks if one < number]
        part = self.reply[max([segment.start, *before]) : self._marks[number].start].strip()
        return part if part in segment.says and is_statement(part) else segment.says

    def _cells_of(self, says: str, verdict: Verdict) -> list[Citation]:
        """Return the cells of the results that a statement states.

        Those of the longest value come first: of "31 regions sum up to 1,140,098.4" the sum's.
        """
        longest_first = sorted(self.computed, key=lambda one: -max(map(len, one.values), default=0))
        return [cell for one in longest_first for cell in one.cells_of(says, verdict.item < 0)]

    def _numbers(self, index: int, says: str, cells: Sequence[Citation], within: str = "") -> list[int]:
        """Cite a piece of evidence: its table's ``cells``, where some are of it, else the place that speaks of a claim,
        of a table its rows; return the sources' numbers."""
        item = self.evidence[index]
        if own := [one for one in cells if item.table is not None and one.document_id == item.hit.document_id]:
            return [self._sources.add_cell(one) for one in own]
        text, role = item.text, item.hit.role
        place = locate(says, text, role)
        if place and place.kind != "sentence":
            found = [around((place.start, place.end), text, role)]
        elif role == "table" and (rows := rows_for(says, text, _heads_of(item), within)):
            found = [(row.start, row.end) for row in rows]
        elif items := items_for(says, text) if "\n" in text and role != "table" else []:
            found = [(one.start, one.end) for one in items]
        else:
            first = place or next(iter(sentences_of(text, role)), None)
            a_part = first and (role != "table" or len(text) > _MOST_QUOTED)
            found = [(first.start, first.end) if first and a_part else (0, len(text))]
        return [self._sources.add(index, *one) for one in found]

    def _outside_of(self, segment: Segment) -> bool:
        return any(self._web[number] for number in segment.marks)

    def _rests_on(self, segment: Segment, verdict: Verdict, marked: Sequence[int]) -> list[int]:
        """Return the numbers of the sources of a statement; what it rests on without a mark is cited, too."""
        if verdict.state == "unverified":
            return []
        own = self.evidence[verdict.item].hit.node_id if verdict.item >= 0 else None
        if any(self._sources.citations[n - 1].node_id == own for n in marked):
            return []
        cells = self._cells_of(segment.says, verdict) if verdict.state in _GOOD else []
        if verdict.item >= 0:
            return self._numbers(verdict.item, segment.says, cells)
        return [self._sources.add_cell(cell) for cell in cells]

    def _statement(self, segment: Segment, verdict: Verdict, places: _Places) -> Statement:
        marked = [n for number in segment.marks for n in places.numbers[number]]
        quotes = [segment.says, verdict.place or verdict.rival] if verdict.state == "contradicted" else []
        return Statement(
            len(places.until(segment.start)), len(places.until(segment.end)), verdict.state,
            reason_of(verdict, self.phrases.check_reasons),
            list(dict.fromkeys([*marked, *self._rests_on(segment, verdict, marked)])), quotes,
        )  # fmt: skip


def _heads_of(item: Evidence) -> list[str]:
    """Return the lines of a table's text that name its columns, the first one of a table whose node is not known."""
    heads = int(item.table.metadata.get("header_rows") or 0) if item.table else 1
    return (item.table or item).text.split("\n", heads)[:heads]


def _amounts(text: str) -> list[Stated]:
    return [value for value in read(text).values if value.amount]
