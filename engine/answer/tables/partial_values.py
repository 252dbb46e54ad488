"""Values of which a question says a part: "Lockheed" of "Lockheed Martin Corp.".

In a statement, whose rows are measures, any words may be such a part. In a list of records, whose values are names,
common words are none: they say what the records are.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from engine.answer.tables.lexis import forms, fullest, inner, is_cjk, runs, units
from engine.answer.tables.links import LinkedRelation, ValueLink
from engine.answer.tables.mention import mention_of
from engine.answer.tables.values import LONGEST_RUN
from engine.answer.tables.vocabulary import asking_forms, cues, is_total_word

# Of a value, a question says nearly all: parts of names are other names.
_NAMED = 0.75
# Common words name a record where they are at least this share of its name; a name may be shorter ("Lockheed").
_PART = 0.5
SHORT_LIST = 4000
# In place of a word that names the table: no header and no value has it.
_NAMES_TABLE = "\0"
_USUAL = 0.3


class PartialValues:
    """A question's units beside a relation, and the values of which these say a part."""

    def __init__(self, question: str, linked: LinkedRelation) -> None:
        self._question = question
        self._relation, self._values = linked.relation, linked.values
        self._units = units(question)
        self._context = linked.context
        self._mention = mention_of(question, self._units, linked.context)
        self._forms = [
            _NAMES_TABLE if i in self._mention else unit.form for i, unit in enumerate(self._units)
        ]
        asking = cues(question, "asking")
        self._bare = {
            i for i, unit in enumerate(self._units)
            if unit.form in asking_forms() or any(cue.start <= unit.start and unit.end <= cue.end for cue in asking)
        }  # fmt: skip

    def partial_values(self, taken: frozenset[int]) -> list[ValueLink]:
        """Return values that hold a run of the question, or of which it says nearly all, for units still open."""
        found: list[ValueLink] = []
        records = self._relation.is_list  # the rows of a statement are no names
        spoken = taken | self._spoken() if records else taken
        for run in runs([i for i in range(len(self._units)) if i not in spoken]):
            for start, end in inner(run, self._forms, LONGEST_RUN):
                covered = frozenset(range(start, end))
                bare_edge = start in self._bare or end - 1 in self._bare
                bare_edge = bare_edge or self._too_little(self._forms[start:end])
                if covered & taken or bare_edge or self._weight(covered - self._bare) < 1.0:
                    continue
                if records and (same := self._holding(found, start, end)) is not None:
                    one = found[same]
                    share = min(1.0, one.share * (1 + len(covered) / len(one.covered)))
                    found[same] = replace(one, covered=one.covered | covered, share=share)
                    taken |= covered
                    continue
                texts = self._values.holding(self._forms[start:end], self._written(start, end))
                texts = {c: one for c, one in texts.items() if not self._is_usual(c, one)}
                texts = self._not_other_names(texts, start, end, taken)
                if is_total_word(self._written(start, end)):
                    texts = {}
                if texts:
                    texts, share = fullest(texts, end - start)
                    named = share >= _PART or self._like_a_name(start, end)
                    if records and (not named or (share < _NAMED and self._is_of_context(start, end))):
                        continue
                    found.append(ValueLink(covered, {c: tuple(t) for c, t in texts.items()}, share))
                    taken |= covered
        return found

    def _spoken(self) -> set[int]:
        """Return the units that name no value by a part of it: words of the headers, and what says what to do."""
        headers = {form for column in self._relation.columns for part in column.path for form in forms(part)}
        asked = cues(self._question, "operations")
        return {
            i for i, unit in enumerate(self._units)
            if (unit.form in headers and not is_cjk(unit.form))
            or any(unit.start < cue.end and cue.start < unit.end for cue in asked)
        }  # fmt: skip

    def _like_a_name(self, start: int, end: int) -> bool:
        """True for names and numbers by their writing, and for Chinese units, whose writing does not tell."""
        return any(
            is_cjk(unit.form) or unit.form[0].isdigit()
            or (unit.start > 0 and self._question[unit.start].isupper())
            for unit in self._units[start:end]
        )  # fmt: skip

    def _is_of_context(self, start: int, end: int) -> bool:
        """True for a common word that the table's title has, and for one that is a part of a name there."""
        form = self._forms[start]
        if is_cjk(form):
            wider = [
                self._written(max(0, start - 1), end),
                self._written(start, min(len(self._forms), end + 1)),
            ]
            run = self._written(start, end)
            return any(one != run and one in text for one in wider for text in self._context)
        told = [forms(text) for text in self._context]
        if end - start > 1 or not any(form in held for held in told):
            return False
        pairs = {pair for held in told for pair in itertools.pairwise(held)}
        beside = {tuple(self._forms[i : i + 2]) for i in (start - 1, start) if i >= 0}
        return not self._like_a_name(start, end) or bool(pairs & beside)

    def _holding(self, found: Sequence[ValueLink], start: int, end: int) -> int | None:
        """Return the place of a value that holds these units of the question, too."""
        run = set(self._forms[start:end])
        for place, one in enumerate(found):
            if not any(map(is_cjk, run)) and all(
                run <= set(forms(text)) for texts in one.texts.values() for text in texts
            ):
                return place
        return None

    def _not_other_names(
        self, texts: dict[int, list[str]], start: int, end: int, taken: frozenset[int]
    ) -> dict[int, list[str]]:
        """Return the values that do not go on otherwise than the question beside a run: 温州仓 is not 杭州仓."""
        run = tuple(self._forms[start:end])

        def open_character(at: int) -> str:
            there = 0 <= at < len(self._forms) and at not in taken and at not in self._bare
            touches = there and "".join(self._written(min(at, start), max(at + 1, end)).split())
            form = self._forms[at] if there else ""
            return form if touches and is_cjk(form) else ""

        before, behind = open_character(start - 1), open_character(end)

        def fits(text: str) -> bool:
            held = units(text)
            told = tuple(unit.form for unit in held)
            at = next((i for i in range(len(held)) if told[i : i + len(run)] == run), -1)
            if at < 0:
                return True
            ahead, after = text[: held[at].start][-1:], text[held[at + len(run) - 1].end :][:1]
            return not (
                (before and is_cjk(ahead) and ahead != before)
                or (behind and is_cjk(after) and after != behind)
            )

        kept = {c: [text for text in one if fits(text)] for c, one in texts.items()}
        return {c: one for c, one in kept.items() if one}

    def _is_usual(self, column: int, texts: Sequence[str]) -> bool:
        """True where so many of a column's values hold a run that it says what they are and names none of them."""
        return len(texts) > max(2, _USUAL * len(self._values.texts[column]))

    def _written(self, start: int, end: int) -> str:
        return self._question[self._units[start].start : self._units[end - 1].end]

    def _too_little(self, run: Sequence[str]) -> bool:
        """True for a single Chinese character, and a bare number that is no year: these stand in texts by chance."""
        return len(run) == 1 and (is_cjk(run[0]) or (len(run[0]) < 3 and run[0].isdigit()) or len(run[0]) < 2)

    def _weight(self, covered: frozenset[int]) -> float:
        return sum(self._units[i].weight for i in covered)
