"""An index of a relation's cell values: which of them a question names, and in which columns they stand.

Every distinct text is kept as its sequence of units (:mod:`engine.answer.tables.lexis`), so that a question's runs of
units are looked up rather than compared with each value. Rows' labels and the groups above them are one more column.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from engine.answer.tables.lexis import contains, forms
from engine.answer.tables.query import LABEL
from engine.answer.tables.relation import LONG, Relation
from engine.answer.tables.vocabulary import truth_words

_LIST = re.compile(r"[,;，；、]")
# A column of yes and no has these in so many of its cells.
_MOSTLY = 0.8
LONGEST_VALUE = 120
LONGEST_RUN = 40
SHORTEST_CODE, LONGEST_NUMBER = 5, 2
# Columns with more values than this are not cut into units.
MANY = 20_000
# A run of units that more values than this hold names none of them.
MOST_HOLDING = 60


class ValueIndex:
    """The distinct texts of a relation's columns that are no measures. Built once for each relation."""

    def __init__(self, relation: Relation) -> None:
        self._relation = relation

    @cached_property
    def texts(self) -> dict[int, Counter[str]]:
        """Return for each column its distinct texts with how many rows have them; :data:`LABEL` for the labels."""
        found: dict[int, Counter[str]] = {}
        relation = self._relation
        labelled = len(relation.rows) <= LONG and any(row.label for row in relation.rows)
        if labelled:
            found[LABEL] = Counter(part for row in relation.rows for part in row.label)
        for column in relation.columns:
            if (labelled and column.names_rows) or (column.numeric and not self._names(column.index)):
                continue
            texts = relation.texts(column.index)
            found[column.index] = Counter(text for text in texts if text and len(text) <= LONGEST_VALUE)
        return found

    def saying(self, column: int, yes: bool) -> tuple[str, ...]:
        """Return the texts by which a column of yes and no, remarks in few cells aside, says so; else nothing."""
        held = self.texts.get(column, Counter())
        known = {text: said for text in held if (said := truth_words().get(text.casefold())) is not None}
        mostly = sum(held[text] for text in known) >= _MOSTLY * held.total()
        return tuple(text for text, said in known.items() if mostly and said is yes)

    def _names(self, column: int) -> bool:
        """True for a column of whole numbers without a unit by which things are called: of one length, or short."""
        plain = self._relation.columns[column].plain
        sample = [text for text in self._relation.texts(column)[:LONG] if plain and text]
        lengths = set(map(len, sample))
        if not sample or not all(map(str.isdecimal, sample)):
            return False
        return max(lengths) <= LONGEST_NUMBER or (len(lengths) == 1 and max(lengths) >= SHORTEST_CODE)

    @cached_property
    def _by_forms(self) -> dict[tuple[str, ...], dict[int, list[str]]]:
        """The values by their units; those of columns with very many of them as they are written."""
        found: dict[tuple[str, ...], dict[int, list[str]]] = {}
        for column, counts in self.texts.items():
            for text in counts:
                key = forms(text) if len(counts) <= MANY else (text.casefold(),)
                if 0 < len(key) <= LONGEST_RUN:
                    found.setdefault(key, {}).setdefault(column, []).append(text)
        return found

    @cached_property
    def longest(self) -> int:
        """How many units the longest value has."""
        return max(map(len, self._by_forms), default=1)

    def named_by(self, run: Sequence[str], written: str = "") -> dict[int, list[str]]:
        """Return the values that a run of units names in full, by column; ``written`` is the run as it is written."""
        return self._by_forms.get(tuple(run)) or self._by_forms.get((written.casefold(),), {})

    def listing(self, column: int, held: Sequence[str]) -> list[str]:
        """Return these values of a column, and those that list one of them among others: "celery, milk"."""
        if column in (LABEL, self._relation.key):
            return list(held)  # "Receivables, net" is a name of its own
        wanted = {text.casefold() for text in held}
        return [
            text for text in self.texts.get(column, {})
            if not wanted.isdisjoint(part.strip() for part in _LIST.split(text.casefold()))
        ] or list(held)  # fmt: skip

    @cached_property
    def _postings(self) -> dict[str, dict[tuple[str, ...], None]]:
        """For each unit the values that hold it, in the order of the table; not those of very many."""
        postings: dict[str, dict[tuple[str, ...], None]] = {}
        for key, held in self._by_forms.items():
            for form in key if any(len(self.texts[column]) <= MANY for column in held) else ():
                postings.setdefault(form, {})[key] = None
        return postings

    def holding(self, run: Sequence[str]) -> dict[int, list[str]]:
        """Return the values in which a run of units stands, by column; nothing where too many hold it."""
        fewest = min((self._postings.get(form, {}) for form in run), key=len, default={})
        keys = [key for key in fewest if contains(key, run)]
        found: dict[int, list[str]] = {}
        for key in keys if len(keys) <= MOST_HOLDING else ():
            for column, texts in self._by_forms[key].items():
                found.setdefault(column, []).extend(texts)
        return found
