"""Columns that a question names in other words: 工资 for 月薪, "hire date" for 入职日期, "pay" for Salary.

What the question says and nothing in the table explains is held against the headers by the embedding model that ships,
as short phrases of one kind. Its cosines lie in a narrow band, so a header must be near and clearly the nearest: of 357
headers of public tables held against those of other tables four were taken for something else.
"""

import numpy as np

from engine.answer.tables.explained import is_exact
from engine.answer.tables.lexis import is_cjk, runs
from engine.answer.tables.links import ColumnLink, Links
from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import cues
from engine.errors import ProviderError
from engine.providers.embedding import shipped_model
from engine.providers.similarity import vectors_of

_NEAR, _LEAD = 0.88, 0.03
# A name said in other words counts as one of which this share is said.
_SHARE = 0.75
# A phrase is of so many words or Chinese characters; where more of a question is open, a column would not explain it.
_WORDS, _CHARACTERS, _MOST_PHRASES = 3, 6, 2
_MOST_COLUMNS = 60


def columns_by_meaning(links: Links, relation: Relation) -> tuple[ColumnLink, ...]:
    """Return the columns that the open phrases of a question name; none where the model's weights are missing."""
    phrases = _open_phrases(links)
    names = ((c.index, c.levels[-1]) for c in relation.columns[:_MOST_COLUMNS] if c.path and not c.years)
    # Of what a program flattened, "biz_ext.rating", the last part is the name.
    headers = {c: one if " " in one or not one.islower() else one.rpartition(".")[2] or one for c, one in names}
    if not phrases or len(headers) < 2:
        return ()
    try:
        vectors = vectors_of([*phrases, *headers.values()], "phrases", lambda texts: shipped_model().phrases(texts))
    except ProviderError:
        return ()
    cosines = vectors[: len(phrases)] @ vectors[len(phrases) :].T
    linked = {column for one in links.columns for column in one.columns}
    found = []
    for covered, row in zip(phrases.values(), cosines, strict=True):
        first, second = np.argsort(-row)[:2]
        column = list(headers)[int(first)]
        if row[first] >= _NEAR and row[first] - row[second] >= _LEAD and column not in linked:
            found.append(ColumnLink(covered, (column,), _SHARE, covered, True))
    return tuple(found)


def _open_phrases(links: Links) -> dict[str, frozenset[int]]:
    """Return what the question says and nothing explains, with its units; nothing where that is much."""
    found: dict[str, frozenset[int]] = {}
    comparing = links.at(*cues(links.question, "comparisons"), *cues(links.question, "behind"))
    for run in runs([i for i in links.unexplained if i not in comparing]):
        chinese = is_cjk(links.units[run[0]].form)
        if (chinese and len(run) < 2) or any(is_exact(links, i) for i in run):
            continue
        if len(run) > (_CHARACTERS if chinese else _WORDS):
            return {}
        found[links.written(run)] = frozenset(run)
    return found if len(found) <= _MOST_PHRASES else {}
