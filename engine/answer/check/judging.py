"""One statement held against evidence: said there, computed from it, contradicted, or not to be told; and why.

Values and names decide by themselves. Where they do not, the reader that ships tells how surely a text answers: asked
with a statement it tells whether the text speaks of just that. The embedding tells how near the nearest sentence is in
meaning. Both are weighed with what is known of the statement's values; the weights were fitted on true and false
statements (``benchmarks/statements.py``), so that 0 is as likely said as not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from engine.answer.check.cells import Grid, grid_of, is_table
from engine.answer.check.compare import compare
from engine.answer.check.figures import Figure, Source, Standing, figures_of
from engine.answer.check.locate import find_folded, quotations
from engine.answer.check.marks import shortened
from engine.answer.check.reading import Stated, Text, covered, read, spoken, values_held
from engine.answer.check.wording import Wording, wording_of
from engine.model import Evidence, StatementState
from engine.providers.reading import Passage, Reader
from engine.structure.sentences import is_cjk, split_sentences

# Below so many log odds a source does not say a statement; without a reader it holds this share of its words.
LEAST = -1.75
_LEAST_SHARED = 0.34
# What shares neither words nor values with its source must be meant by it the more surely.
_LEAST_BARE, _NOTHING_SHARED = -0.5, 0.2
_WRONG = 10.0
_THERE = ("stands", "computed")
# Shorter quotations are words that a model sets off; longer ones claim to stand there.
_QUOTED, _QUOTED_ZH = 4, 8
# Of two sentences so alike that differ in a word, the word is what they differ in.
_TOGETHER, _LONGEST_CHANGE = 0.6, 5
_MOST_READ, _MOST_COMPARED = 4, 40
_READ_FROM, _READ_TO = (-13.0, 4.0), (-7.0, 6.0)
# Bias, read in the text and in its best sentence, cosine, across languages, in a table, what was computed, values that
# stand there, Chinese in Chinese, Chinese for another language.
WEIGHTS = (-0.76, 0.37, 0.1, 0.43, 0.35, 2.33, 0.92, -0.63)
_USUAL_COSINE, _A_STEP = 0.87, 0.04
# Returns, for a claim, a cosine for each sentence, across languages. Raises ProviderError.
Similarity = Callable[[str, Sequence[str]], Iterable[float]]


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


@dataclass
class Judge:
    """Judges statements by numbered evidence, reading each piece of it once."""

    evidence: Sequence[Evidence]
    question: str
    reader: Reader | None
    similarity: Similarity | None

    def verdict(self, statement: str, items: Sequence[int], told: Sequence[Stated] = ()) -> Verdict:
        """Return what a statement is worth by the evidence ``items`` together. Raises ProviderError.

        ``told`` are values that statements before it told rightly, from which its own may follow.
        """
        pieces = [self.evidence[index] for index in items]
        source = replace(self._source(pieces), told=tuple(told))
        foreign = all(_foreign(item, statement) for item in pieces)
        words = spoken(statement, foreign)
        figures = figures_of(statement, words, source, foreign)
        known = source.keys() | read(self.question).keys
        held = [
            wording_of(statement, words, item.text or item.title, is_table(item.text), known, foreign)
            for item in pieces
        ]
        at = max(range(len(held)), key=lambda i: held[i].together)
        best, wording = items[at], held[at]
        problem = _of_figures(figures) or _of_words(statement, wording, foreign, pieces[at], pieces)
        if problem is not None:
            kind, what, rival = problem
            wrong: StatementState = "contradicted" if rival and wording.together > 0 else "unverified"
            return Verdict(wrong, best, wording.place, wording.together - _WRONG, kind, what, rival)
        standings = [figure.standing for figure in figures]
        seen, sure = self._meaning(statement, pieces[at], pieces, standings, wording.anywhere)
        bare = not foreign and wording.anywhere < _NOTHING_SHARED and not set(_THERE) & set(standings)
        if sure < (_LEAST_BARE if bare else LEAST):
            return Verdict("unverified", best, wording.place, sure, "unsaid", statement, seen=seen)
        state: StatementState = "computed" if "computed" in standings else "supported"
        return Verdict(state, best, wording.place, sure, seen=seen, firm="counted" not in standings)

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
                heads = item.table.text.splitlines()[:4] if item.table and item.table.text else []
                lead = [line for line in heads if line not in item.text]
                columns = item.table.columns if item.table else []
                names = tuple(str(column.get("name") or "") for column in columns)
                about = " ".join([caption, item.title])
                grids.append(grid_of("\n".join([*lead, item.text]), about, names))
            else:
                texts.append(read(item.text))
        titles = " \n ".join(
            part for item in items for part in (item.hit.document, *item.path, item.title, item.subject)
        )
        return Source(tuple(texts), tuple(grids), read(titles.replace("_", " ")), read(self.question))

    def _meaning(
        self,
        statement: str,
        best: Evidence,
        pieces: Sequence[Evidence],
        standings: Sequence[Standing],
        shared: float,
    ) -> tuple[list[float], float]:
        """Return what was weighed and the certainty, by the evidence that holds most of the statement's words.

        ``shared`` is the share of its words that the evidence has anywhere.
        """
        if any(find_folded(statement.strip(" .。"), item.text or item.title) for item in pieces):
            return [], 9.0
        there = sum(standing in _THERE for standing in standings)
        text, table = best.text or best.title, is_table(best.text)
        if self.reader is not None and self.similarity is not None:
            title, computed = " > ".join(best.hit.path), "computed" in standings
            seen = _features(statement, text, title, table, computed, there, self.reader, self.similarity)
            if seen is not None:
                return seen, certainty(seen)
        said = shared >= _LEAST_SHARED or 0 < there == len(standings)
        return [], 1.0 if said else LEAST - 1


def _features(
    statement: str, text: str, title: str, table: bool, computed: bool, values: int, reader: Reader,
    similarity: Similarity,
) -> list[float] | None:  # fmt: skip
    """Return what is weighed of a statement in a text, in the order of :data:`WEIGHTS`; None for an empty text.

    ``computed`` where a value of the statement was; ``values`` of them stand in the text. Raises ProviderError.
    """
    sentences = [sentence.text for sentence in split_sentences(text, table)][:_MOST_COMPARED]
    if not sentences:
        return None
    pairs = [f"{a} {b}" for a, b in pairwise(sentences)]
    cosines = [float(one) for one in similarity(statement, [*sentences, *pairs])]
    nearest = sorted(range(len(sentences)), key=lambda i: -cosines[i])[:_MOST_READ]
    passages = [Passage(title, text), *(Passage("", sentences[i]) for i in nearest)]
    whole, *in_sentences = (reading.certainty for reading in reader.read(statement, passages))
    read = _within(whole, _READ_FROM) + _within(max(in_sentences), _READ_TO)
    chinese, foreign = is_cjk(statement), is_cjk(statement) != is_cjk(text)
    return [
        1.0, read / 5, (max(cosines) - _USUAL_COSINE) / _A_STEP, float(foreign), float(table), float(computed),
        float(min(values, 3)), float(chinese and not foreign),
    ]  # fmt: skip


def certainty(seen: Sequence[float]) -> float:
    """Return how surely (log odds) the source says it."""
    return sum(weight * one for weight, one in zip(WEIGHTS, seen, strict=True))


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])


def _foreign(item: Evidence, statement: str) -> bool:
    return is_cjk(item.text or item.title) != is_cjk(statement)


def _of_figures(figures: Sequence[Figure]) -> tuple[str, str, str] | None:
    """Return what is wrong with the figures of a statement: (reason, figure, what the source says), or None."""
    wrong = {figure.standing: figure for figure in reversed(figures)}  # the first of each
    if figure := wrong.get("another's"):
        return "another", figure.text, figure.rival
    if figure := wrong.get("missing"):
        return ("other" if figure.rival else "nowhere"), figure.text, figure.rival
    return None


def _of_words(
    statement: str, wording: Wording, foreign: bool, best: Evidence, pieces: Sequence[Evidence]
) -> tuple[str, str, str] | None:
    """Return what is wrong with the words of a statement: (reason, words, what the source says), or None."""
    for quote in quotations(statement):
        long = len(quote) >= _QUOTED_ZH if is_cjk(quote) else len(quote.split()) >= _QUOTED
        same = any(is_cjk(quote) == is_cjk(item.text) for item in pieces)
        if long and same and not any(find_folded(quote, f"{item.title} {item.text}") for item in pieces):
            return "quote", quote, ""
    if wording.names_missing:
        return "name", wording.names_missing[0], ""
    if wording.denied:
        return "denied", statement, wording.place
    if wording.other_rate:
        return "word", *wording.other_rate
    if foreign or is_table(best.text) or wording.together < _TOGETHER:
        return None
    done = compare(statement, wording.place)
    changed = max(len(done.a_differs), len(done.b_differs)) <= (
        _LONGEST_CHANGE if is_cjk(statement) else 10 * _LONGEST_CHANGE
    )
    if done.verdict == "entity" and changed:
        return "word", done.a_differs, done.b_differs
    return None


def reason_of(verdict: Verdict, reasons: Mapping[str, str]) -> str:
    """Return why a statement is not simply supported, by the sentences of a language; "" where it is."""
    if verdict.state == "supported":
        return ""
    kind = "computed" if verdict.state == "computed" else verdict.problem
    return reasons[kind].format(what=shortened(verdict.what), rival=shortened(verdict.rival, 120))
