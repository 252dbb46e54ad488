"""Values of which a question says a part: "Hill School" of "Hill School, Leeds", 雁塔 of 雁塔区."""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.tables.header_links import QuestionUnits
from engine.answer.tables.lexis import contains, forms, fullest, inner, is_cjk, runs
from engine.answer.tables.links import ValueLink
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
        asking = [*cues(self._question, "operations"), *cues(self._question, "superlatives")]
        closed = taken | self._excluding | self._asked.at(*asking if self._relation.is_list else ())
        about = {form for text in self._context for form in forms(text) if not is_cjk(form)}
        for run in runs([i for i in range(len(self._units)) if i not in closed]):
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
                    c: same
                    for c, one in texts.items()
                    if not self._is_usual(c, one)
                    and (same := [text for text in one if not self._goes_on_otherwise(text, start, end)])
                }
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

    def _goes_on_otherwise(self, text: str, start: int, end: int) -> bool:
        """True for a Chinese value with other characters beside a run than the question has: 温州仓 is no 杭州仓."""
        first, last = self._units[start].start, self._units[end - 1].end
        at = text.find(self._question[first:last])
        if at < 0:
            return is_cjk(self._forms[start])  # 学生 is no part of 化学、生科
        beside = (
            (start - 1, self._question[first - 1 : first], text[at - 1 : at] if at else ""),
            (end, self._question[last : last + 1], text[at + last - first :][:1]),
        )
        return any(
            i not in self._bare and is_cjk(asked) and is_cjk(held) and asked != held
            for i, asked, held in beside
        )

    def _is_usual(self, column: int, texts: Sequence[str]) -> bool:
        """True where so many of a column's values hold a run that it says what they are and names none of them."""
        return len(texts) > max(2, _USUAL * len(self._values.texts[column]))
