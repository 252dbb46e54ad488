"""Values of which a question says a part: "Hill School" of "Hill School, Leeds", 雁塔 of 雁塔区."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.tables.header_links import QuestionUnits
from engine.answer.tables.lexis import contains, forms, fullest, inner, is_cjk, lemmas, runs, units
from engine.answer.tables.links import ValueLink
from engine.answer.tables.query import LABEL
from engine.answer.tables.values import LONGEST_RUN
from engine.answer.tables.vocabulary import cues, is_total_word

# A run that is less of the values that hold it names none of them.
_LEAST_SHARE = 0.1
# Where this share of a column's values hold a run, it says what they are and names none of them.
_USUAL = 0.3


class PartialValues(QuestionUnits):
    """The links of a question to values that it names in part."""

    def _partial_values(self, taken: frozenset[int]) -> list[ValueLink]:
        """Return values that hold a run of the question, or of which it says nearly all, for units still open."""
        found: list[ValueLink] = []
        spoken = taken | self._spoken() if self._relation.is_list else taken
        about = {form for text in self._context for form in forms(text) if not is_cjk(form)}
        for run in runs([i for i in range(len(self._units)) if i not in spoken]):
            for start, end in inner(run, self._forms, LONGEST_RUN):
                covered = frozenset(range(start, end))
                bare_edge = start in self._bare or end - 1 in self._bare
                if bare_edge or covered & taken or self._too_little(self._forms[start:end]):
                    continue
                if about.issuperset(self._forms[start:end]) or self._in_title(self._forms[start:end]):
                    continue  # what the title says is said of all rows
                texts = self._values.holding(self._forms[start:end], self._written(start, end))
                if not texts or self._asked.weight(covered - self._bare) < 1.0:
                    continue
                texts = {
                    c: one for c, one in texts.items() if not (self._is_usual(c, one) or self._remarks(c))
                }
                texts = texts and self._not_other_names(texts, start, end, taken)
                texts = {c: held for c, one in texts.items() if (held := self._in_its_words(one, start, end))}
                if texts and not is_total_word(self._written(start, end)):
                    texts, share = fullest(texts, end - start)
                    if share < _LEAST_SHARE:
                        continue  # a word in a long remark
                    found.append(ValueLink(covered, {c: tuple(t) for c, t in texts.items()}, share))
                    taken |= covered
        return found

    def _in_title(self, run: Sequence[str]) -> bool:
        """True for Chinese characters that stand side by side in what the table stands under."""
        return all(map(is_cjk, run)) and any(contains(forms(text), run) for text in self._context)

    def _in_its_words(self, texts: Sequence[str], start: int, end: int) -> list[str]:
        """Return the values that have the words of a run, inflected or not: "appear" is no word of "Appearance"."""
        if is_cjk(self._forms[start]):
            return [*texts]
        wanted = lemmas(self._written(start, end))
        return [text for text in texts if wanted <= lemmas(text)]

    def _spoken(self) -> frozenset[int]:
        """Return the units that name no value by a part of it: words of the headers, and what says what to do."""
        headers = {form for column in self._relation.columns for part in column.path for form in forms(part)}
        named = {i for i, form in enumerate(self._forms) if form in headers and not is_cjk(form)}
        return self._excluding | named | self._asked.at(*cues(self._question, "operations"))

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

    def _remarks(self, column: int) -> bool:
        """True for a column most of whose cells are empty: a word of a remark names no row."""
        return column != LABEL and 2 * sum(self._values.texts[column].values()) < len(self._relation.rows)
