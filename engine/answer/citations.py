"""Citations that are checked: every mark leads to a snippet that stands word for word in its node.

A reply comes in with marks in whatever form the model gave them; it goes out with marks [1] … [k] in the
order of appearance, each leading to one :class:`engine.model.Citation`. On the way

1. marks are recognised (:mod:`engine.answer.check.marks`);
2. each is checked against the claim it follows (the words since the mark before it, or the whole
   sentence) with :func:`engine.answer.check.locate.locate`; what cannot be located is removed and reported;
   where the claim stands word for word in other evidence the mark goes there;
3. a sentence without a mark is given one when some evidence clearly supports it, and so is one whose figures
   stand in other evidence than it names;
4. every sentence is judged by what it cites: its numbers and quotations too (:mod:`engine.answer.support`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from engine.answer.check.locate import Located, locate, sentences_of
from engine.answer.check.marks import Mark, shortened, without_marks
from engine.answer.numbers import scaled_form, written_numbers
from engine.answer.phrases import Phrases
from engine.answer.check.sources import Sources
from engine.answer.support import SupportedSentence, Written, forms_of, judge, says_other_things
from engine.answer.tables.computed import Computed
from engine.answer.terms import content_terms
from engine.index.tokenize import tokens
from engine.model import Citation, Evidence
from engine.structure.sentences import Sentence, is_cjk, split_sentences

# An unmarked sentence gets a mark when it shares this much of its terms with one place, and enough terms.
_CLEARLY = 0.6
_CLEARLY_TERMS = 3.0
_SUPPORTED = 0.5
# How far below the best cosine a cited sentence in another language may lie.
_NEAR_BEST = 0.03
_MOST_SENTENCES = 30


class Similarity(Protocol):
    """Says which stretches of other text mean what a claim says, across languages."""

    def __call__(self, claim: str, sentences: Sequence[str]) -> Iterable[float]:
        """Return a cosine for each sentence."""
        ...


@dataclass(frozen=True, slots=True)
class Resolved:
    """A checked answer.

    ``claims`` counts the sentences that state something, ``supported`` those with a located citation;
    ``sentences`` says of each how far it is supported.
    """

    text: str
    citations: list[Citation]
    claims: int
    supported: int
    removed: int
    wrong_numbers: int
    warnings: list[str] = field(default_factory=list)
    sentences: tuple[SupportedSentence, ...] = ()

    @property
    def support(self) -> float:
        """The share (0..1) of supported sentences; one that is partly supported counts half."""
        worth = {"supported": 1.0, "partly": 0.5, "unsupported": 0.0}
        return sum(worth[s.support] for s in self.sentences) / self.claims if self.claims else 0.0

    @property
    def contradicted(self) -> bool:
        """True when a sentence says the opposite of what it cites."""
        return any(s.contradicted for s in self.sentences)

    @property
    def unsound(self) -> bool:
        """True when it has numbers that stand nowhere, or says the opposite of what it cites."""
        return bool(self.wrong_numbers) or self.contradicted

    @property
    def refuted(self) -> bool:
        """True when that holds and no sentence is supported."""
        return self.contradicted and all(s.support == "unsupported" for s in self.sentences)


def resolve(
    reply: str,
    evidence: Sequence[Evidence],
    phrases: Phrases,
    similarity: Similarity | None = None,
    question: str = "",
    computed: Sequence[Computed] = (),
) -> Resolved:
    """Check a reply whose marks are numbers of ``evidence`` (1-based) and return it with sources.

    ``question`` tells what short sentences without a mark ("It opened in 1932.") are about;
    ``computed`` are results of operators: a sentence that states one cites the cells it rests on.
    """
    return _Resolution(reply, evidence, phrases, similarity, question, computed).run()


class _Resolution:
    """One run of :func:`resolve`: the reply is walked sentence by sentence."""

    def __init__(
        self,
        reply: str,
        evidence: Sequence[Evidence],
        phrases: Phrases,
        similarity: Similarity | None,
        question: str,
        computed: Sequence[Computed],
    ) -> None:
        self._evidence = evidence
        self._computed = computed
        self._phrases = phrases
        self._similarity = similarity
        self._question, self._asked = question, content_terms(question)
        self._sources = Sources(evidence)
        self._warnings: list[str] = []
        self._removed = 0
        self._shared = 0.0
        self._meanings: dict[str, list[tuple[float, Located | None]]] = {}
        self._numbers: dict[int, set[str]] = {}
        self._by_node = {item.hit.node_id: index for index, item in enumerate(evidence)}
        self._text, self._marks = without_marks(reply)

    def run(self) -> Resolved:
        built: list[str] = []
        done = 0
        written: list[Written] = []
        for sentence, marks in self._sentences():
            built.append(self._text[done : sentence.start])
            self._shared = 0.0
            text, cited = self._sentence(sentence, marks)
            built.append(text)
            done = sentence.end
            written.append(Written(sentence.text, frozenset(cited), self._shared, is_claim(sentence.text)))
        built.append(self._text[done:])
        told = " ".join(" ".join([one.text, *one.values]) for one in self._computed)
        known = frozenset(self._asked).union(
            tokens(told), *(tokens(c.snippet) for c in self._sources.citations)
        )
        written = [
            replace(one, claim=True) if not one.cited and says_other_things(one.text, known) else one
            for one in written
        ]
        judged = judge(written, self._evidence, self._phrases, told, self._question)
        text = re.sub(r"[ \t]+(?=\n|$)", "", "".join(built)).strip()
        supported = sum(sentence.support != "unsupported" for sentence in judged.sentences)
        warnings = list(dict.fromkeys([*self._warnings, *judged.warnings]))
        return Resolved(
            text, self._sources.citations, len(judged.sentences), supported, self._removed,
            judged.wrong_numbers, warnings, judged.sentences,
        )  # fmt: skip

    def _sentences(self) -> list[tuple[Sentence, list[Mark]]]:
        """Pair each sentence with the marks inside it or right behind it."""
        sentences = [
            part
            for line in split_sentences(self._text, by_line=True)
            for part in (_shifted(s, line.start) for s in split_sentences(line.text))
        ]
        paired: list[tuple[Sentence, list[Mark]]] = [(sentence, []) for sentence in sentences]
        for mark in self._marks:
            leads = not self._text[self._text.rfind("\n", 0, mark.at) + 1 : mark.at].strip(" \t-*•#>")
            owner = next((marks for s, marks in paired if leads and s.end > mark.at), None)
            if owner is None:
                owner = next((marks for s, marks in reversed(paired) if s.start < mark.at), None)
            if owner is not None:
                owner.append(mark)
            else:
                self._report_missing(mark)
        return paired

    def _sentence(self, sentence: Sentence, marks: list[Mark]) -> tuple[str, set[int]]:
        """Return the sentence with its checked marks, and the evidence it cites."""
        cited: set[int] = set()
        insertions: list[tuple[int, str]] = []
        stated = [one for one in self._computed if one.stated_in(sentence.text)]
        tables = {citation.node_id for one in stated for citation in one.citations}
        clause_start = sentence.start
        for mark in marks:
            at = min(max(mark.at, sentence.start), sentence.end)
            clause = self._text[clause_start:at]
            numbers: list[int] = []
            for index in (self._home(clause, named) for named in self._named(mark)):
                number = self._cite(clause, sentence.text, index)
                if number is None and self._evidence[index].hit.node_id in tables:
                    continue  # the value was computed from it: its cells are cited below
                if number is None:
                    self._report_unsupported(index, sentence.text)
                else:
                    cited.add(index)
                    if number not in numbers:
                        numbers.append(number)
            place = at - sentence.start or _before_end(sentence.text)
            there = "".join(marks for other, marks in insertions if other == place)
            insertions.append((place, "".join(m for n in numbers if (m := f"[{n}]") not in there)))
            if clause.strip():
                clause_start = at
        standing = "".join(marks for _, marks in insertions)
        cells = [f"[{n}]" for n in self._cite_cells(stated, cited)]
        insertions.append((_before_end(sentence.text), "".join(m for m in cells if m not in standing)))
        mended = self._with_numbers(sentence.text, cited) if cited else self._mend(sentence.text)
        if mended is not None:
            index, number = mended
            cited.add(index)
            insertions.append((_before_end(sentence.text), f"[{number}]"))
        return _inserted(sentence.text, insertions), cited

    def _cite_cells(self, stated: Sequence[Computed], cited: set[int]) -> list[int]:
        """Cite the cells behind the computed values of a sentence; return the numbers of the sources."""
        numbers: list[int] = []
        for citation in (citation for one in stated for citation in one.citations):
            self._shared = 1.0
            if citation.node_id in self._by_node:
                cited.add(self._by_node[citation.node_id])
            numbers.append(self._sources.add_cell(citation))
        return numbers

    def _named(self, mark: Mark) -> list[int]:
        """Return the evidence that a mark names; what does not exist is reported."""
        named = []
        for number in mark.numbers:
            if 1 <= number <= len(self._evidence):
                named.append(number - 1)
            else:
                self._missing(str(number))
        for name in mark.names:
            if name in self._by_node:
                named.append(self._by_node[name])
            else:
                self._missing(name)
        return named

    def _report_missing(self, mark: Mark) -> None:
        for name in (*map(str, mark.numbers), *mark.names):
            self._missing(name)

    def _missing(self, name: str) -> None:
        self._removed += 1
        self._warn(self._phrases.no_such_source.format(n=name))

    def _report_unsupported(self, index: int, sentence: str) -> None:
        self._removed += 1
        document = self._evidence[index].hit.document
        self._warn(self._phrases.unsupported_source.format(document=document, sentence=shortened(sentence)))

    def _cite(self, clause: str, sentence: str, index: int) -> int | None:
        """Cite evidence for a clause, else for its whole sentence; None when it supports neither."""
        item = self._evidence[index]
        for claim in dict.fromkeys((clause, sentence)):
            place = locate(claim, item.text, item.hit.role)
            if place is not None:
                return self._add(index, place)
        if item.title and not item.text and locate(sentence, item.title):
            self._shared = 1.0
            return self._sources.add_title(index)
        place = self._by_meaning(sentence, index)
        return self._add(index, place) if place is not None else None

    def _home(self, clause: str, index: int) -> int:
        """Return the evidence that says a clause word for word where the named one lacks most of it or its figures."""
        if not is_claim(clause):
            return index
        places = [locate(clause, item.text, item.hit.role) for item in self._evidence]
        here = places[index]
        if here is not None and here.score >= _CLEARLY and not _lacking(clause, self._forms(index)):
            return index
        word_for_word = (
            i for i, place in enumerate(places) if place and place.kind in ("exact", "normalised")
        )
        return next(word_for_word, index)

    def _add(self, index: int, place: Located) -> int:
        self._shared = max(self._shared, place.score)
        return self._sources.add(index, place.start, place.end)

    def _by_meaning(self, claim: str, index: int) -> Located | None:
        """Find the sentence of a node in another language that means what the claim says.

        Cosines are only compared with each other: the node's best sentence must come near the best one
        of all the evidence.
        """
        item = self._evidence[index]
        if self._similarity is None or is_cjk(claim) == is_cjk(item.text):
            return None
        if claim not in self._meanings:
            self._meanings[claim] = [
                _most_similar(claim, other, self._similarity) for other in self._evidence
            ]
        found = self._meanings[claim]
        best = max(score for score, _ in found)
        score, place = found[index]
        return place if score >= best - _NEAR_BEST else None

    def _with_numbers(self, sentence: str, cited: set[int]) -> tuple[int, int] | None:
        """Return (evidence, source number) where a sentence clearly stands with figures that its own sources lack.

        Small models name a passage on the subject rather than the one that they have the figure from.
        """
        lacking = _lacking(sentence, set().union(*(self._forms(index) for index in cited)))
        if not lacking:
            return None
        best: tuple[float, int, Located] | None = None
        for index, item in enumerate(self._evidence):
            if index in cited or not all(forms & self._forms(index) for forms in lacking):
                continue
            place = locate(sentence, item.text, item.hit.role)
            if place is not None and place.score >= _CLEARLY and (best is None or place.score > best[0]):
                best = (place.score, index, place)
        return None if best is None else (best[1], self._add(best[1], best[2]))

    def _forms(self, index: int) -> set[str]:
        if index not in self._numbers:
            self._numbers[index] = forms_of(self._evidence[index])
        return self._numbers[index]

    def _mend(self, sentence: str) -> tuple[int, int] | None:
        """Return (evidence, source number) for a sentence that clearly stands in some evidence."""
        if not is_claim(sentence):
            return None
        total = sum(content_terms(sentence).values())
        best: tuple[float, int, Located] | None = None
        for index, item in enumerate(self._evidence):
            place = locate(sentence, item.text, item.hit.role)
            if place is None or place.score < _CLEARLY:
                continue
            stretch = tokens(item.text[place.start : place.end])
            about = sum(self._asked[term] for term in set(stretch) if term in self._asked)
            if place.kind == "sentence" and total + about < _CLEARLY_TERMS:
                continue
            score = place.score * total + about
            if best is None or score > best[0] + 1e-9:
                best = (score, index, place)
        if best is None:
            return None
        return best[1], self._add(best[1], best[2])

    def _warn(self, warning: str) -> None:
        if warning not in self._warnings:
            self._warnings.append(warning)


def _lacking(sentence: str, have: set[str]) -> list[set[str]]:
    """Return the forms of each figure of a sentence that is in none of its forms among those at hand."""
    return [
        {normal, scaled_form(sentence, written) or normal}
        for written, normal in written_numbers(sentence)
        if normal not in have and scaled_form(sentence, written) not in have
    ]


def _most_similar(claim: str, item: Evidence, similarity: Similarity) -> tuple[float, Located | None]:
    """Return the cosine and place of the evidence's sentence whose meaning is nearest the claim."""
    sentences = sentences_of(item.text, item.hit.role)[:_MOST_SENTENCES]
    if not sentences:
        return 0.0, None
    scores = list(similarity(claim, [sentence.text for sentence in sentences]))
    best = max(range(len(scores)), key=scores.__getitem__)
    return scores[best], Located(sentences[best].start, sentences[best].end, "sentence", _SUPPORTED)


def is_claim(sentence: str) -> bool:
    """True for a sentence that states something: not a heading, a lead-in, a question or a few words."""
    bare = sentence.strip(" *_#>-")
    if sentence.lstrip().startswith("#") or bare.endswith((":", "：", "?", "？")):
        return False
    return sum(content_terms(bare).values()) >= 1.5


def _inserted(sentence: str, insertions: list[tuple[int, str]]) -> str:
    merged: dict[int, str] = {}
    for at, marks in insertions:
        merged[at] = merged.get(at, "") + marks
    for at, marks in sorted(merged.items(), reverse=True):
        if marks:
            space = "" if at and (is_cjk(sentence[at - 1]) or sentence[at - 1] in " ]。！？，；：") else " "
            sentence = f"{sentence[:at]}{space}{marks}{sentence[at:]}"
    return sentence


def _before_end(sentence: str) -> int:
    """Return where a mark goes: before the punctuation that ends the sentence."""
    return len(sentence.rstrip(".。!！?？ *_"))


def _shifted(sentence: Sentence, by: int) -> Sentence:
    return Sentence(sentence.start + by, sentence.end + by, sentence.text)
