"""Columns that a question names in other words: 工资 for 月薪, "hire date" for 入职日期, "pay" for Salary.

What the question says and nothing in the table explains is held against the headers by the embedding model that ships,
as short phrases of one kind. Its cosines lie in a narrow band, so a header must be near and clearly the nearest: of 357
headers of public tables held against those of other tables four were taken for something else.

And columns that it asks of without naming them: 订了多少册 of 数量, "worth" of a value. The reader that ships is
asked: a row is put before it a cell at a time, under its header, and the cell that it takes for the answer is of the
column that is meant. To choose among columns is easier than to say whether a text answers at all: its certainties are
held against each other only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.answer.similarity import vectors_of
from engine.answer.tables.explained import is_exact
from engine.answer.tables.lexis import is_cjk, runs
from engine.answer.tables.links import ColumnLink, LinkedRelation, Links
from engine.answer.tables.query import LABEL
from engine.answer.tables.relation import Relation
from engine.errors import ProviderError
from engine.providers.embedding import shipped_model
from engine.providers.reading import Passage, Reader

_NEAR, _LEAD = 0.88, 0.03
# A name said in other words counts as one of which this share is said.
_SHARE = 0.75
# A phrase is of so many words or Chinese characters; where more of a question is open, a column would not explain it.
_WORDS, _CHARACTERS, _MOST_PHRASES = 3, 6, 2
_MOST_COLUMNS = 60
# Columns further behind the best (in log odds) are not meant, and of those nearer only so many may be.
_BEHIND, _MOST_MEANT = 5.0, 3
_MOST_READ, _LONGEST_CELL = 24, 200


def _embedded(phrases: Sequence[str]) -> np.ndarray:
    """Return the vectors of phrases by the model that ships, whatever model the library is searched with."""
    return shipped_model().phrases(phrases)


def columns_by_meaning(links: Links, relation: Relation) -> tuple[ColumnLink, ...]:
    """Return the columns that the open phrases of a question name; none where the model's weights are missing."""
    phrases = _open_phrases(links)
    headers = {c.index: c.levels[-1] for c in relation.columns[:_MOST_COLUMNS] if c.path and not c.years}
    if not phrases or len(headers) < 2:
        return ()
    try:
        vectors = vectors_of([*phrases, *headers.values()], "phrases", _embedded)
    except ProviderError:
        return ()
    cosines = vectors[: len(phrases)] @ vectors[len(phrases) :].T
    linked = {column for one in links.columns for column in one.columns}
    found = []
    for covered, row in zip(phrases.values(), cosines, strict=True):
        order = np.argsort(-row)
        column = list(headers)[int(order[0])]
        lead = float(row[order[0]] - row[order[1]])
        if row[order[0]] >= _NEAR and lead >= _LEAD and column not in linked:
            found.append(ColumnLink(covered, (column,), _SHARE, covered, True))
    return tuple(found)


def _open_phrases(links: Links) -> dict[str, frozenset[int]]:
    """Return what the question says and nothing explains, with its units; nothing where that is much."""
    found: dict[str, frozenset[int]] = {}
    for run in runs(links.unexplained):
        chinese = is_cjk(links.units[run[0]].form)
        too_short = chinese and len(run) < 2
        if too_short or any(is_exact(links, i) for i in run):
            continue
        if len(run) > (_CHARACTERS if chinese else _WORDS):
            return {}
        found[links.written(run)] = frozenset(run)
    return found if len(found) <= _MOST_PHRASES else {}


def columns_meant(
    links: Links, linked: LinkedRelation, among: Sequence[int], reader: Reader | None
) -> list[int]:
    """Return the columns, of those given, whose cells the reader takes for the answer, the likeliest first.

    Nothing is returned without a reader, or where its weights are missing.
    """
    relation = linked.relation
    named = next((row for row in range(len(relation.rows)) if _is_named(relation, row, links)), 0)
    cells = [(column, text) for column in among[:_MOST_READ] if (text := _cell(relation, named, column))]
    if reader is None or not cells:
        return []
    if len(cells) == 1:
        return [cells[0][0]]
    title = " > ".join(linked.context)
    passages = [Passage(title, f"{relation.columns[c].levels[-1]}: {text}") for c, text in cells]
    try:
        read = reader.read(links.question, passages)
    except ProviderError:
        return []
    order = sorted(range(len(cells)), key=lambda i: -read[i].certainty)
    least = read[order[0]].certainty - _BEHIND
    return [cells[i][0] for i in order[:_MOST_MEANT] if read[i].certainty >= least]


def _cell(relation: Relation, row: int, column: int) -> str:
    """Return what a column says of a row, or of the first one that it says anything of."""
    told = relation.text(row, column) or next((text for text in relation.texts(column) if text), "")
    return told[:_LONGEST_CELL]


def _is_named(relation: Relation, row: int, links: Links) -> bool:
    """True for a row that all values of the question are of."""
    return bool(links.values) and all(
        any(_said(relation, row, column) & set(texts) for column, texts in one.texts.items())
        for one in links.values
    )


def _said(relation: Relation, row: int, column: int) -> set[str]:
    return set(relation.rows[row].label) if column == LABEL else {relation.text(row, column)}
