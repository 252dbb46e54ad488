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
from engine.answer.check.reading import Stated, Text, read, spoken
from engine.answer.check.wording import Wording, wording_of
from engine.index.affordances import columns_of
from engine.model import Evidence, StatementState
from engine.providers.reading import Reader
from engine.structure.sentences import is_cjk

# Below so many log odds a source does not say a statement; without a reader it holds this share of its words.
LEAST = -1.75
_LEAST_SHARED = 0.34
# What shares neither words nor values with its source must be meant by it the more surely.
_LEAST_BARE, _NOTHING_SHARED = -0.5, 0.2
_WRONG = 10.0
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
        read_items = [(index, self.evidence[index]) for index in items]
        source = replace(self._source([item for _, item in read_items]), told=tuple(told))
        foreign = all(is_cjk(item.text or item.title) != is_cjk(statement) for _, item in read_items)
        words = spoken(statement, foreign)
        figures = figures_of(statement, words, source, foreign)
        known = source.keys() | read(self.question).keys
        held = [
            (
                index,
                wording_of(statement, words, item.text or item.title, is_table(item.text), known, foreign),
            )
            for index, item in read_items
        ]
        best, wording = max(held, key=lambda pair: pair[1].together)
        problem = _of_figures(figures) or _of_words(
            statement, wording, foreign, self.evidence[best], read_items
        )
        if problem is not None:
            kind, what, rival = problem
            wrong: StatementState = "contradicted" if rival and wording.together > 0 else "unverified"
            return Verdict(wrong, best, wording.place, wording.together - _WRONG, kind, what, rival)
        seen, sure = self._meaning(statement, best, read_items, figures, wording)
        values = any(figure.standing in ("stands", "computed") for figure in figures)
        bare = not foreign and not values and wording.anywhere < _NOTHING_SHARED
        if sure < (_LEAST_BARE if bare else LEAST):
            return Verdict("unverified", best, wording.place, sure, "unsaid", statement, seen=seen)
        computed = any(figure.standing == "computed" for figure in figures)
        firm = all(figure.standing != "counted" for figure in figures)
        return Verdict(
            "computed" if computed else "supported", best, wording.place, sure, seen=seen, firm=firm
        )

    def shares(self, statement: str) -> list[float]:
        """Return how much of a statement's words and values each piece of evidence holds, cheaply."""
        found = []
        for item in self.evidence:
            foreign = is_cjk(item.text or item.title) != is_cjk(statement)
            source = self._source([item])
            words = spoken(statement, foreign)
            standing = [
                f.standing == "stands" for f in figures_of(statement, words, source, foreign, derive=False)
            ]
            values = sum(standing) / len(standing) if standing else 0.0
            shared = wording_of(statement, words, item.text, is_table(item.text), source.keys(), foreign)
            found.append(shared.together + 0.5 * shared.anywhere + values)
        return found

    def _source(self, items: Sequence[Evidence]) -> Source:
        texts: list[Text] = []
        grids: list[Grid] = []
        for item in items:
            if is_table(item.text):
                caption = str((item.table.metadata if item.table else {}).get("caption") or "")
                heads = item.table.text.splitlines()[:4] if item.table and item.table.text else []
                lead = [line for line in heads if line not in item.text]
                columns = columns_of(item.table) if item.table else []
                names = tuple(str(column.get("name") or "") for column in columns)
                about = " ".join([caption, item.title])
                grids.append(grid_of("\n".join([*lead, item.text]), about, names))
            else:
                texts.append(read(item.text))
        titles = " \n ".join(
            part for item in items for part in (item.hit.document, *item.hit.path, item.title, item.subject)
        )
        return Source(tuple(texts), tuple(grids), read(titles.replace("_", " ")), read(self.question))

    def _meaning(
        self,
        statement: str,
        best: int,
        items: Sequence[tuple[int, Evidence]],
        figures: Sequence[Figure],
        wording: Wording,
    ) -> tuple[list[float], float]:
        """Return what was weighed and the certainty, by the evidence that says the statement most surely."""
        if any(find_folded(statement.strip(" .。"), item.text or item.title) for _, item in items):
            return [], 9.0
        stands = sum(figure.standing in ("stands", "computed") for figure in figures)
        computed = any(figure.standing == "computed" for figure in figures)
        chosen: tuple[list[float], float] | None = None
        for _, item in sorted(items, key=lambda pair: pair[0] != best)[:2]:
            text, table = item.text or item.title, is_table(item.text)
            title = " > ".join(item.hit.path)
            meaning = meaning_of(statement, text, title, table, self.reader, self.similarity)
            if meaning is None:
                continue
            seen = features(statement, text, meaning, table, computed, stands)
            if chosen is None or certainty(seen) > chosen[1]:
                chosen = seen, certainty(seen)
        if chosen is not None:
            return chosen
        said = wording.anywhere >= _LEAST_SHARED or (bool(figures) and stands == len(figures))
        return [], 1.0 if said else LEAST - 1


def _of_figures(figures: Sequence[Figure]) -> tuple[str, str, str] | None:
    for figure in figures:
        if figure.standing == "another's":
            return "another", figure.text, figure.rival
    for figure in figures:
        if figure.standing == "missing":
            return ("other" if figure.rival else "nowhere"), figure.text, figure.rival
    return None


def _of_words(
    statement: str, wording: Wording, foreign: bool, best: Evidence, items: Sequence[tuple[int, Evidence]]
) -> tuple[str, str, str] | None:
    """Return what is wrong with the words of a statement: (reason, words, what the source says), or None."""
    for quote in quotations(statement):
        long = len(quote) >= _QUOTED_ZH if is_cjk(quote) else len(quote.split()) >= _QUOTED
        same = any(is_cjk(quote) == is_cjk(item.text) for _, item in items)
        if long and same and not any(find_folded(quote, f"{item.title} {item.text}") for _, item in items):
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
