"""One statement held against evidence: said there, computed from it, contradicted, or not to be told; and why.

The judge of statements that ships tells how surely a text entails a statement, in one language or across two. What is
known of the statement's values (they stand there, follow from what stands there, belong to something else, stand
nowhere) is weighed with it; the weights were fitted on true and false statements (``benchmarks/statements.py``) about
documents that the judge was not trained on, so that 0 is as likely said as not.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import NamedTuple

from engine.answer.check.cells import is_table, read_table
from engine.answer.check.compare import Comparison, rather_of, swapped
from engine.answer.check.figures import Figure, Source, figures_of
from engine.answer.check.locate import BORDER, quotations, sentences_of, shares_held
from engine.answer.check.marks import shortened
from engine.answer.check.reading import Stated, Text, read, same
from engine.answer.tables.vocabulary import cues
from engine.answer.understand.terms import content_terms, coverage, terms_with_forms
from engine.enrich.cell_places import text_at
from engine.model import Evidence, Node, StatementState
from engine.providers.entailment import Entailment, EntailmentJudge
from engine.providers.reading import Passage
from engine.structure.numbering import without_number
from engine.structure.sentences import Sentence, is_cjk, split_sentences
from engine.structure.terms import find_folded

# Below so many log odds a source does not say a statement; without a judge it holds this share of its words.
LEAST = -1.12
# Without another value or thing in its place a statement is only contradicted below so many: nearly all are true.
_CONTRADICTED = -2.5
_LEAST_SHARED = 0.34
# A sentence of which a statement holds so much (0..1) is judged by itself, too; one repeated is so much of a statement.
_NEARLY, _MOSTLY, _LEFT = 0.9, 0.6, 0.1
COPIED, _MISQUOTED = 9.0, -10.0
# The problem of what its place says of another party, product, year.
OF_ANOTHER = "of_another"
_THERE, _NOT_THERE = ("stands", "computed"), ("missing", "another's")
# What ends an opening ("According to the leaflet, …"); so many words are named that stand nowhere.
_OPENS, _FEW_WORDS = frozenset(",，:："), 2
# Shorter quotations are words that a model sets off; longer ones claim to stand there.
_QUOTED, _QUOTED_ZH = 4, 8
# Letters of a text that are judged at once, and how many pieces of all that is cited.
_LETTERS, _LETTERS_ZH, _MOST_JUDGED = 1000, 420, 4
_SUREST = 6.0
# 1,149 is judged as 1149.
_GROUPS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# Bias, log odds of the judge; values that are computed; values that the source lacks (each 1), or has others for (2);
# all values stand there; it is a sentence of the source with one thing put for another.
WEIGHTS = (0.37, 0.72, 0.63, -0.5, 0.26, -0.69)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a statement is worth by some evidence.

    ``problem`` names what is wrong (a key of the reasons) and ``what`` the words of it; ``rival`` is what the evidence
    says there, ``place`` the stretch of evidence ``item`` that speaks of it. ``certainty`` orders verdicts; ``firm``
    where every value of the statement stands there. What is supported may have an amount that it lacks for ``what``.
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
    """The sentence of a piece of evidence that holds most of a statement, and how much (0..1)."""

    held: float
    text: str


@dataclass
class Judge:
    """Judges statements by numbered evidence."""

    evidence: Sequence[Evidence]
    question: str
    entailment: EntailmentJudge | None

    def verdict(self, statement: str, items: Sequence[int], told: Sequence[Stated] = ()) -> Verdict:
        """Return what a statement is worth by the evidence ``items`` together. Raises ProviderError.

        ``told`` are values that statements before it told rightly, from which its own may follow.
        """
        made = self._judged(statement, items, told)
        if made.certainty < LEAST or len(items) > 1:  # of several places each may say a part
            return made
        return self._by_subject(statement, made, told)

    def _judged(self, statement: str, items: Sequence[int], told: Sequence[Stated]) -> Verdict:
        """Return the verdict by the evidence itself, whatever a sentence much like it says of something else."""
        pieces = [self.evidence[index] for index in items]
        for item in pieces:  # the numbers in a file's name state nothing
            statement = statement.replace(item.hit.document, "").strip() or statement
        source = self._source(statement, pieces, told)
        figures = figures_of(statement, source)
        places = [_place(statement, item) for item in pieces]
        place = max(places, key=lambda one: one.held)
        best = items[places.index(place)]
        if quote := _misquoted(statement, pieces):
            return Verdict("unverified", best, place.text, _MISQUOTED, "quote", quote)
        swap = swapped(statement, without_number(place.text))
        judged, seen, sure = self._meaning(statement, pieces, figures, places, swap)
        if swap and swap.clear and sure < COPIED:  # a synonym or its contrary, which no judge tells surely
            sure = min(sure, LEAST - 0.1)
        if sure >= LEAST:
            if sure >= COPIED:  # figures and all
                return Verdict("supported", best, place.text, sure, firm=True)
            standings = {figure.standing for figure in figures}
            firm = standings <= set(_THERE)
            state: StatementState = "computed" if standings - {"stands", "counted"} == {"computed"} else "supported"
            return Verdict(state, best, place.text, sure, "", self._lacking(figures, source), "", seen, firm)
        wrong, kind, what, rival = _reason(statement, figures, judged, place, swap, sure)
        if kind == "unsaid" and (words := _words_nowhere(statement, pieces)):
            kind, what = "nowhere", words
        return Verdict(wrong if place.held > 0 else "unverified", best, place.text, sure, kind, what, rival, seen)

    def _by_subject(self, statement: str, made: Verdict, told: Sequence[Stated]) -> Verdict:
        """Return a verdict, or that by a sentence much like its place that is of what the statement speaks of.

        What is said of Party A no clause on Party B says.
        """
        home = _home(statement, made.place, here := self.evidence[made.item])
        whole = re.sub(r"\W", "", statement) in re.sub(r"\W", "", home)  # word for word, but for signs
        if whole or is_cjk(statement) != is_cjk(made.place) or is_table(here.text):
            return made
        for index, there in self._like(home):
            if rather_of(statement, [*above_of(here), home], [*above_of(there), there.text]):
                better = Judge([there], self.question, self.entailment)._judged(statement, [0], told)
                if better.firm and better.state in ("supported", "computed"):
                    return replace(better, item=index)
                unsure = replace(made, state="contradicted", certainty=LEAST - 1, firm=False)
                return replace(unsure, place=home, problem=OF_ANOTHER, what="", rival=home)
        return made

    def _like(self, sentence: str) -> Iterator[tuple[int, Evidence]]:
        """Yield the sentences of the evidence that hold some of another one's words, each as evidence of its own."""
        wanted = content_terms(sentence)
        for index, item in enumerate(self.evidence):
            for one in () if is_table(item.text) else sentences_of(item.text, item.hit.role):
                if coverage(wanted, terms_with_forms(one.text)) >= _LEAST_SHARED:
                    yield index, replace(item, text=one.text)

    def _lacking(self, figures: Sequence[Figure], source: Source) -> str:
        """Return the first amount or code that does not stand there, "" for none; what was asked with needs not.

        A bare number need not be in the unit that its column is in.
        """
        asked = read(self.question).values
        written = {one.amount.value / one.amount.scale for text in source.texts for one in text.values if one.amount}

        def lacks(one: Stated) -> bool:
            bare = one.amount is not None and one.amount.unit is None and one.amount.value in written
            return one.when is None and not bare and not any(same(one, other) for other in asked)

        wrong = (figure.text for figure in figures if figure.standing in _NOT_THERE)
        return next((text for text in wrong if any(map(lacks, read(text).values))), "")

    def shares(self, statement: str) -> list[float]:
        """Return how much of a statement the best sentence of each piece of evidence holds, cheaply."""
        return [_place(statement, item).held for item in self.evidence]

    def _source(self, statement: str, items: Sequence[Evidence], told: Sequence[Stated]) -> Source:
        texts: list[Text] = []
        beside = [self.question]
        for item in items:
            beside += [item.hit.document.replace("_", " "), *item.path, item.title, item.subject]
            if is_table(item.text):
                caption = str((item.table.metadata if item.table else {}).get("caption") or "")
                names = tuple(str(c.get("name") or "") for c in (item.table.columns if item.table else []))
                text = f"{_lead(item)}{item.text}"
                texts.append(read_table(text, f"{caption} {item.title}", names))
                beside += [caption, text, *(_cells_told(statement, item.table) if item.table else ())]
            else:
                texts.append(read(item.text))
        pages = frozenset(item.hit.page for item in items if item.hit.page)
        rows = (line for item in items if is_table(item.text) for line in item.text.splitlines())
        labels = (one for one in read("\n".join(row.split(BORDER)[0] for row in rows)).values if one.amount)
        return Source(tuple(texts), read(" \n ".join(beside)).values, tuple(told), pages, tuple(labels))

    def _meaning(
        self, statement: str, pieces: Sequence[Evidence], figures: Sequence[Figure], places: Sequence[_Place],
        swap: Comparison | None,
    ) -> tuple[Entailment | None, list[float], float]:  # fmt: skip
        """Return the surest judgement, what was weighed with it, and how surely the pieces say the statement."""
        place = max(places, key=lambda one: one.held)
        standings = {figure.standing for figure in figures}
        wrong = sum(1 + bool(one.rival) for one in figures if one.standing in _NOT_THERE)
        stands = bool(standings) and standings <= set(_THERE)
        changed = swap is not None and swap.contradicts
        alike, whole = not wrong and not changed, without_number(place.text).strip(" .。")
        repeated = alike and len(whole) >= _MOSTLY * len(statement) and find_folded(whole, statement)
        if repeated or any(_says_again(statement.strip(" .。"), one) for one in pieces):
            return None, [], COPIED
        [back] = shares_held(whole, [Sentence(0, len(statement), statement)])
        denials = {sum(cue.kind == "!=" for cue in cues(text, "comparisons")) for text in (statement, whole)}
        if alike and swap and min(place.held, back + _LEFT) >= _NEARLY and len(denials) == 1:  # a word is left out
            return None, [], COPIED
        if self.entailment is None:
            return None, [], 1.0 if (place.held >= _LEAST_SHARED or stands) and alike else LEAST - 1
        near = [Passage("", f"{whole}.")] if alike and back >= _NEARLY else []
        passages = _passages(statement, pieces) + near
        said = _GROUPS.sub("", statement.strip(" .。") + ("。" if is_cjk(statement) else "."))
        judged = max(self.entailment.judge(said, passages), key=lambda one: one.entailed)
        told = map(float, ("computed" in standings, wrong, stands, changed))
        seen = [1.0, _log_odds(judged.entailed), *told]
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


def _home(statement: str, place: str, item: Evidence) -> str:
    """Return the sentence that states most of a statement's values: it need not be the one that holds its words."""
    values = read(statement).values
    sentences = [place, *(one.text for one in sentences_of(item.text, item.hit.role))]
    return max(sentences, key=lambda text: sum(any(same(v, one) for one in read(text).values) for v in values))


def _words_nowhere(statement: str, pieces: Sequence[Evidence]) -> str:
    """Return the words of a statement that stand nowhere in its evidence; "" for many, and in another language."""
    there = " ".join(part for one in pieces for part in (*above_of(one), _lead(one), one.title, one.text))
    known, words = terms_with_forms(there), () if is_cjk(statement) or is_cjk(there) else read(statement).words
    lacking = [word.text for word in words if not (word.keys | terms_with_forms(word.text)) & known]
    return ", ".join(lacking) if len(lacking) <= _FEW_WORDS else ""


def _cells_told(statement: str, table: Node) -> list[str]:
    """Return the addresses of cells that a statement names and whose content it states, too."""
    cells = [(one.text, text) for one in read(statement).values if (text := text_at(table, one.text))]
    return [at for at, text in cells if find_folded(text, statement) or _numbers(text) & _numbers(statement)]


def _numbers(text: str) -> set[Decimal]:
    """Return the numbers of a text as they are written, without unit and scale."""
    return {one.amount.value / one.amount.scale for one in read(text).values if one.amount}


def above_of(item: Evidence) -> list[str]:
    """Return the titles above a text: its document's name and its sections."""
    return [item.hit.document.rsplit(".", 1)[0], *item.path]


def _place(statement: str, item: Evidence) -> _Place:
    """Return the sentence of a piece that holds most of a statement."""
    text = item.text or item.title
    sentences = split_sentences(text, is_table(text))
    places = map(_Place, shares_held(statement, sentences), (one.text for one in sentences))
    return max(places, key=lambda one: one.held, default=_Place(0.0, ""))


def _passages(statement: str, pieces: Sequence[Evidence]) -> list[Passage]:
    """Return what is judged: the stretches of the pieces that hold most of the statement, and those of all in one."""
    found: list[tuple[float, int, Passage]] = []
    numbers = {one.amount.value for one in read(statement).values if one.amount}
    for number, item in enumerate(pieces):
        title = " > ".join(above_of(item))
        stretches = [Sentence(0, len(text), text) for text in _stretches(item)]
        held, page = shares_held(statement, stretches), item.hit.page
        at = f" This stands on slide {page} (page {page})." if page in numbers else ""
        found += [(share, number, Passage(title, s.text + at)) for share, s in zip(held, stretches, strict=True)]
    found.sort(key=lambda one: -one[0])
    passages = [passage for *_, passage in found[:_MOST_JUDGED]]
    firsts = {number: passage for _, number, passage in reversed(found)}
    if len(firsts) > 1:  # what is said of two places together
        of_each = [firsts[number] for number in sorted(firsts)][:_MOST_JUDGED]
        passages.append(Passage("", "\n".join(filter(None, (part for one in of_each for part in one)))))
    return passages


def _stretches(item: Evidence) -> list[str]:
    """Return a piece of evidence in stretches that are judged at once, each begun in the middle of the one before."""
    text = item.text or item.title
    most = _LETTERS_ZH if is_cjk(text) else _LETTERS
    sentences = split_sentences(text, is_table(text))
    header = (_lead(item) or f"{sentences[0].text}\n") if is_table(text) and sentences else ""
    stretches, first = [], 0
    while first < len(sentences):
        last = first
        while last + 1 < len(sentences) and sentences[last + 1].end - sentences[first].start <= most:
            last += 1
        stretch = text[sentences[first].start : sentences[last].end]
        stretches.append(stretch if stretch.startswith(header) else header + stretch)
        # What is said may stand across the end of this one.
        first = last + 1 if last + 1 >= len(sentences) else max(first + 1, (first + last + 1) // 2)
    return stretches


def _lead(item: Evidence) -> str:
    """Return the first lines of the table that rows are of, where the rows lack them."""
    heads = item.table.text.splitlines()[:4] if item.table and item.table.text else []
    return "".join(f"{line}\n" for line in heads if line not in item.text)


def _log_odds(share: float) -> float:
    return min(max(math.log(max(share, 1e-6) / max(1 - share, 1e-6)), -_SUREST), _SUREST)


def _misquoted(statement: str, pieces: Sequence[Evidence]) -> str:
    """Return a quotation that stands in no piece of its language, "" for none."""
    for quote in quotations(statement):
        long = len(quote) >= _QUOTED_ZH if is_cjk(quote) else len(quote.split()) >= _QUOTED
        places = (f"{item.hit.document} {' '.join(item.path)} {item.title} {item.text}" for item in pieces)
        own = long and any(is_cjk(quote) == is_cjk(item.text) for item in pieces)
        if own and not any(find_folded(quote, place) for place in places):
            return quote
    return ""


def _says_again(statement: str, item: Evidence) -> bool:
    """True for a statement that stands in a piece but for an opening ("For guests, …") of which that does not speak."""
    text, most = item.text or item.title, (1 - _MOSTLY) * len(statement)
    for cut in [0, *(at + 1 for at, letter in enumerate(statement) if letter in _OPENS and at < most)]:
        place = find_folded(statement[cut:].strip(), text)
        if place and not text[place[1] :][:1].isdigit():
            return not content_terms(statement[:cut]).keys() & terms_with_forms(text)
    return False


def _reason(
    statement: str, figures: Sequence[Figure], judged: Entailment | None, place: _Place, swap: Comparison | None,
    sure: float,
) -> tuple[StatementState, str, str, str]:  # fmt: skip
    """Return what a statement is that is not supported, and why: (state, reason, its words, what the source says)."""
    wrong = {figure.standing: figure for figure in reversed(figures)}  # the first of each
    if figure := wrong.get("another's"):
        return "contradicted", "another", figure.text, figure.rival
    if (figure := wrong.get("missing")) and figure.rival:
        return "contradicted", "other", figure.text, figure.rival
    denied = judged is None or judged.contradicted > judged.entailed
    if swap and swap.contradicts and (denied or swap.clear):
        return "contradicted" if denied else "unverified", "other", swap.a_differs, swap.b_differs
    if sure < _CONTRADICTED and judged is not None and judged.contradicted > judged.neutral:
        return "contradicted", "contradicted", statement, place.text
    return ("unverified", "nowhere", figure.text, "") if figure else ("unverified", "unsaid", statement, "")
