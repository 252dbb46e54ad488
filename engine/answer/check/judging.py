"""One statement held against evidence: said there, computed from it, contradicted, or not to be told; and why.

The judge of statements that ships tells how surely a text entails a statement. What is known of the statement's values
(they stand there, follow from what stands there, belong to something else, stand nowhere) is weighed with it; the
weights were fitted on true and false statements (``benchmarks/statements.py``) about documents that the judge was not
trained on, so that 0 is as likely said as not.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.answer.check.cells import Grid, grid_of, is_table
from engine.answer.check.compare import Comparison, compare
from engine.answer.check.figures import Figure, Source, figures_of
from engine.answer.check.locate import find_folded, quotations
from engine.answer.check.marks import shortened
from engine.answer.check.reading import Spoken, Stated, Text, covered, read, spoken, values_held
from engine.model import Evidence, StatementState
from engine.providers.entailment import Entailment, EntailmentJudge
from engine.providers.reading import Passage
from engine.structure.sentences import is_cjk, split_sentences

# Below so many log odds a source does not say a statement; without a judge it holds this share of its words.
LEAST = -1.4
_LEAST_SHARED = 0.34
_COPIED, _MISQUOTED = 9.0, -10.0
# Of a statement and a sentence so alike (share of the words, 0..1) what differs counts, a name up to so many letters:
# another one is often the same thing's.
_ALIKE, _LONGEST_NAME, _LONGEST_NAME_ZH = 0.75, 50, 5
_SURELY = ("number", "date", "negation")
_THERE, _NOT_THERE = ("stands", "computed"), ("missing", "another's")
# Shorter quotations are words that a model sets off; longer ones claim to stand there.
_QUOTED, _QUOTED_ZH = 4, 8
# Letters of a text that are judged at once, and how many such stretches of all that is cited.
_LETTERS, _LETTERS_ZH, _MOST_JUDGED = 1000, 420, 4
_SUREST = 6.0
_GROUPS = re.compile(r"(?<=\d)[,\u202f\u00a0](?=\d{3}(?!\d))")
# What a value counts for beside the words of a statement, all of which are 1.
_A_VALUE = 0.25
# Bias, log odds of the judge; values that are computed; values that the source lacks (each 1), or has others for (2);
# all values stand there; it is a sentence of the source with one thing put for another (3, a name 1).
WEIGHTS = (0.2, 0.65, 0.7, -0.5, 0.5, -1.0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a statement is worth by some evidence.

    ``problem`` names what is wrong (a key of the reasons) and ``what`` the words of it; ``rival`` is what the evidence
    says there, ``place`` the stretch of evidence ``item`` that speaks of it. ``certainty`` orders verdicts; ``firm``
    where every value of the statement stands there.
    """

    state: StatementState
    item: int
    place: str
    certainty: float
    problem: str = ""
    what: str = ""
    rival: str = ""
    seen: list[float] = field(default_factory=list)
    firm: bool = False


class _Place(NamedTuple):
    """The sentence of a piece of evidence that holds most of a statement, and which share (0..1) of its words."""

    shared: float
    text: str


@dataclass
class Judge:
    """Judges statements by numbered evidence, reading each piece of it once."""

    evidence: Sequence[Evidence]
    question: str
    entailment: EntailmentJudge | None

    def verdict(self, statement: str, items: Sequence[int], told: Sequence[Stated] = ()) -> Verdict:
        """Return what a statement is worth by the evidence ``items`` together. Raises ProviderError.

        ``told`` are values that statements before it told rightly, from which its own may follow.
        """
        pieces = [self.evidence[index] for index in items]
        source = replace(self._source(pieces), told=tuple(told))
        foreign = all(_foreign(item, statement) for item in pieces)
        words = spoken(statement, foreign)
        figures = figures_of(statement, words, source)
        places = [_place(statement, words, item) for item in pieces]
        place = max(places, key=lambda one: one.shared)
        best = items[places.index(place)]
        if quote := _misquoted(statement, pieces):
            return Verdict("unverified", best, place.text, _MISQUOTED, "quote", quote)
        standings = {figure.standing for figure in figures}
        altered = None if foreign or is_table(self.evidence[best].text) else _altered(statement, place.text)
        judged, seen, sure = self._meaning(statement, pieces, figures, place, altered)
        if sure >= LEAST:
            firm = standings <= set(_THERE)
            state: StatementState = "computed" if firm and "computed" in standings else "supported"
            return Verdict(state, best, place.text, sure, seen=seen, firm=firm)
        kind, what, rival = _reason(statement, figures, judged, place, altered)
        wrong: StatementState = "contradicted" if rival and place.shared > 0 else "unverified"
        return Verdict(wrong, best, place.text, sure, kind, what, rival, seen)

    def shares(self, statement: str) -> list[float]:
        """Return how much of a statement's words and values each piece of evidence holds, cheaply."""
        stated, found = read(statement).values, []
        for item in self.evidence:
            there = read(item.text)
            words = covered(spoken(statement, _foreign(item, statement)), there.keys)
            found.append(words + values_held(stated, there) / max(1, len(stated)))
        return found

    def _source(self, items: Sequence[Evidence]) -> Source:
        texts: list[Text] = []
        grids: list[Grid] = []
        for item in items:
            if is_table(item.text):
                caption = str((item.table.metadata if item.table else {}).get("caption") or "")
                columns = item.table.columns if item.table else []
                names = tuple(str(column.get("name") or "") for column in columns)
                about = " ".join([caption, item.title])
                grids.append(grid_of("\n".join([*_lead(item), item.text]), about, names))
            else:
                texts.append(read(item.text))
        titles = " \n ".join(
            part for item in items for part in (item.hit.document, *item.path, item.title, item.subject)
        )
        return Source(tuple(texts), tuple(grids), read(titles.replace("_", " ")), read(self.question))

    def _meaning(
        self,
        statement: str,
        pieces: Sequence[Evidence],
        figures: Sequence[Figure],
        place: _Place,
        altered: Comparison | None,
    ) -> tuple[Entailment | None, list[float], float]:
        """Return the surest judgement, what was weighed with it, and how surely the pieces say the statement."""
        if any(find_folded(statement.strip(" .。"), item.text or item.title) for item in pieces):
            return None, [], _COPIED
        standings = {figure.standing for figure in figures}
        wrong = sum(1 + bool(one.rival) for one in figures if one.standing in _NOT_THERE)
        changed = 0 if altered is None else 3 if altered.verdict in _SURELY else 1
        stands = bool(standings) and standings <= set(_THERE)
        passages = _passages(statement, pieces) if self.entailment is not None else []
        if self.entailment is None or not passages:
            shared = place.shared >= _LEAST_SHARED or stands
            return None, [], 1.0 if shared and not (wrong or changed) else LEAST - 1
        said = _ungrouped(statement.strip(" .。") + ("。" if is_cjk(statement) else "."))
        judged = max(self.entailment.judge(said, passages), key=lambda one: one.entailed)
        weighed = ("computed" in standings, wrong, stands, changed)
        seen = [1.0, _log_odds(judged.entailed), *map(float, weighed)]
        return judged, seen, certainty(seen)


def certainty(seen: Sequence[float]) -> float:
    """Return how surely (log odds) the source says it."""
    return sum(weight * one for weight, one in zip(WEIGHTS, seen, strict=True))


def reason_of(verdict: Verdict, reasons: Mapping[str, str]) -> str:
    """Return why a statement is not simply supported, by the sentences of a language; "" where it is."""
    if verdict.state == "supported":
        return ""
    kind = "computed" if verdict.state == "computed" else verdict.problem
    return reasons[kind].format(what=shortened(verdict.what), rival=shortened(verdict.rival, 120))


def _passages(statement: str, pieces: Sequence[Evidence]) -> list[Passage]:
    """Return what is judged: the stretches of the pieces that hold most of the statement, and those of all in one."""
    found: list[tuple[float, int, Passage]] = []
    for number, item in enumerate(pieces):
        title = " > ".join([item.hit.document.rsplit(".", 1)[0], *item.hit.path])
        words, stated = spoken(statement, _foreign(item, statement)), read(statement).values
        for text in _stretches(item):
            there = read(text)
            found.append(
                (covered(words, there.keys) + values_held(stated, there), number, Passage(title, text))
            )
    found.sort(key=lambda one: -one[0])
    passages = [passage for *_, passage in found[:_MOST_JUDGED]]
    firsts = {number: passage for _, number, passage in reversed(found)}
    if len(firsts) > 1:  # what is said of two places together
        of_each = [firsts[number] for number in sorted(firsts)][:_MOST_JUDGED]
        passages.append(Passage("", "\n".join(filter(None, (part for one in of_each for part in one)))))
    return passages


def _stretches(item: Evidence) -> list[str]:
    """Return a piece of evidence in stretches that are judged at once; a table's rows are under its header."""
    text = item.text or item.title
    most = _LETTERS_ZH if is_cjk(text) else _LETTERS
    lead = "\n".join(_lead(item)) + "\n" if is_table(item.text) and _lead(item) else ""
    if len(lead) + len(text) <= most * 1.3:
        return [lead + text] if text.strip() else []
    sentences = split_sentences(text, is_table(text))
    header = lead or (sentences[0].text + "\n" if is_table(text) and sentences else "")
    stretches, first = [], 0
    while first < len(sentences):
        last = first
        while last + 1 < len(sentences) and sentences[last + 1].end - sentences[first].start <= most:
            last += 1
        stretch = text[sentences[first].start : sentences[last].end]
        stretches.append(stretch if stretch.startswith(header) else header + stretch)
        # The next one begins in the middle of this one: what is said may stand across its end.
        first = last + 1 if last + 1 >= len(sentences) else max(first + 1, (first + last + 1) // 2)
    return stretches


def _ungrouped(text: str) -> str:
    """Return a text with its numbers written in one way, as 1149 for 1,149."""
    return _GROUPS.sub("", unicodedata.normalize("NFKC", text))


def _lead(item: Evidence) -> list[str]:
    """Return the first lines of the table that rows are of, where the rows lack them."""
    heads = item.table.text.splitlines()[:4] if item.table and item.table.text else []
    return [line for line in heads if line not in item.text]


def _foreign(item: Evidence, statement: str) -> bool:
    return is_cjk(item.text or item.title) != is_cjk(statement)


def _log_odds(share: float) -> float:
    odds = math.log(max(share, 1e-6) / max(1 - share, 1e-6))
    return min(max(odds, -_SUREST), _SUREST)


def _misquoted(statement: str, pieces: Sequence[Evidence]) -> str:
    """Return a quotation that stands in no piece of its language, "" for none."""
    for quote in quotations(statement):
        long = len(quote) >= _QUOTED_ZH if is_cjk(quote) else len(quote.split()) >= _QUOTED
        same = any(is_cjk(quote) == is_cjk(item.text) for item in pieces)
        if long and same and not any(find_folded(quote, f"{item.title} {item.text}") for item in pieces):
            return quote
    return ""


def _place(statement: str, words: Sequence[Spoken], item: Evidence) -> _Place:
    text, stated = item.text or item.title, read(statement).values
    sentences = [sentence.text for sentence in split_sentences(text, is_table(text))]

    def held(sentence: str) -> float:
        there = read(sentence)
        return covered(words, there.keys) + _A_VALUE * values_held(stated, there)

    best = max(sentences, key=held, default="")
    return _Place(covered(words, read(best).keys), best)


def _altered(statement: str, sentence: str) -> Comparison | None:
    """Return how a statement differs from a sentence that is nearly the same but for one thing put for another."""
    done = compare(statement, sentence)
    longest = _LONGEST_NAME_ZH if is_cjk(statement) else _LONGEST_NAME
    named = done.verdict == "entity" and max(len(done.a_differs), len(done.b_differs)) <= longest
    return done if done.shared >= _ALIKE and (named or done.verdict in _SURELY) else None


def _reason(
    statement: str,
    figures: Sequence[Figure],
    judged: Entailment | None,
    place: _Place,
    altered: Comparison | None,
) -> tuple[str, str, str]:
    """Return what is wrong with a statement: (reason, its words, what the source says)."""
    wrong = {figure.standing: figure for figure in reversed(figures)}  # the first of each
    if figure := wrong.get("another's"):
        return "another", figure.text, figure.rival
    if (figure := wrong.get("missing")) and figure.rival:
        return "other", figure.text, figure.rival
    if altered is not None and altered.a_differs and altered.b_differs:
        return "other", altered.a_differs, altered.b_differs
    if altered is not None or (judged is not None and judged.contradicted > judged.neutral):
        return "contradicted", statement, place.text
    if figure := wrong.get("missing"):
        return "nowhere", figure.text, ""
    return "unsaid", statement, ""
