"""One statement held against evidence: said there, computed from it, contradicted, or not to be told; and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.answer.check.cells import Grid, grid_of, is_table
from engine.answer.check.compare import compare
from engine.answer.check.figures import Figure, Source, figures_of
from engine.answer.check.locate import find_folded, quotations
from engine.answer.check.marks import shortened
from engine.answer.check.meaning import Similarity, certainty, features, meaning_of
from engine.answer.check.reading import Spoken, Stated, Text, covered, read, same, spoken
from engine.answer.check.wording import Wording, wording_of
from engine.model import Evidence, StatementState
from engine.providers.reading import Reader
from engine.structure.sentences import is_cjk

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
        held = [_wording(statement, words, item, known, foreign) for item in pieces]
        at = max(range(len(held)), key=lambda i: held[i].together)
        best, wording = items[at], held[at]
        problem = _of_figures(figures) or _of_words(statement, wording, foreign, pieces[at], pieces)
        if problem is not None:
            kind, what, rival = problem
            wrong: StatementState = "contradicted" if rival and wording.together > 0 else "unverified"
            return Verdict(wrong, best, wording.place, wording.together - _WRONG, kind, what, rival)
        seen, sure = self._meaning(statement, pieces[at], pieces, figures, wording)
        values = any(figure.standing in _THERE for figure in figures)
        bare = not foreign and not values and wording.anywhere < _NOTHING_SHARED
        if sure < (_LEAST_BARE if bare else LEAST):
            return Verdict("unverified", best, wording.place, sure, "unsaid", statement, seen=seen)
        state: StatementState = "computed" if _computed(figures) else "supported"
        firm = all(figure.standing != "counted" for figure in figures)
        return Verdict(state, best, wording.place, sure, seen=seen, firm=firm)

    def shares(self, statement: str) -> list[float]:
        """Return how much of a statement's words and values each piece of evidence holds, cheaply."""
        stated, found = read(statement).values, []
        for item in self.evidence:
            there = read(item.text)
            held = sum(any(same(one, other) for other in there.values) for one in stated)
            words = covered(spoken(statement, _foreign(item, statement)), there.keys)
            found.append(words + held / max(1, len(stated)))
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
        figures: Sequence[Figure],
        wording: Wording,
    ) -> tuple[list[float], float]:
        """Return what was weighed and the certainty, by the evidence that holds most of the statement's words."""
        if any(find_folded(statement.strip(" .。"), item.text or item.title) for item in pieces):
            return [], 9.0
        there = sum(figure.standing in _THERE for figure in figures)
        text, table = best.text or best.title, is_table(best.text)
        meaning = meaning_of(statement, text, " > ".join(best.hit.path), table, self.reader, self.similarity)
        if meaning is None:
            said = wording.anywhere >= _LEAST_SHARED or (bool(figures) and there == len(figures))
            return [], 1.0 if said else LEAST - 1
        seen = features(statement, text, meaning, table, _computed(figures), there)
        return seen, certainty(seen)


def _foreign(item: Evidence, statement: str) -> bool:
    return is_cjk(item.text or item.title) != is_cjk(statement)


def _wording(
    statement: str, words: Sequence[Spoken], item: Evidence, known: frozenset[str], foreign: bool
) -> Wording:
    return wording_of(statement, words, item.text or item.title, is_table(item.text), known, foreign)


def _computed(figures: Sequence[Figure]) -> bool:
    return any(figure.standing == "computed" for figure in figures)


def _of_figures(figures: Sequence[Figure]) -> tuple[str, str, str] | None:
    for figure in figures:
        if figure.standing == "another's":
            return "another", figure.text, figure.rival
    for figure in figures:
        if figure.standing == "missing":
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
