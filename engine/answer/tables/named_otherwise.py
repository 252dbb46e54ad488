"""A question that names a thing which the table does not have.

"Frozen meat" is not the row "Frozen foods": beside the word that both have stands another one. And a Chinese name is
none of the rows of an English table that share nothing with it.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from engine.answer.tables.finding import Finding
from engine.answer.tables.matching import features, plain
from engine.answer.tables.question import Question, is_asking
from engine.answer.tables.short_forms import without_asides
from engine.answer.tables.statement_words import TOTAL, is_period
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.word_families import alike
from engine.structure.sentences import is_cjk

_WORD = re.compile(r"[a-z][a-z'-]*[a-z]")
# These stand before a name and change nothing of what it is; what they stand for is told apart elsewhere.
_PLAIN = frozenset(
    {"total", "net", "gross", "other", "all", "own", "new", "average", "overall", "main", "further"}
)
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "sir", "prof"})
# So alike (Ratcliff and Metzener, 1988) one is the other, misspelt.
_MISSPELT = 0.75
_PARTICIPLE = re.compile(r"(?:ed|ing|ly)$")


def named_otherwise(question: Question, source: TableSource, finding: Finding) -> bool:
    """True where the question names another thing than the rows whose cells were looked up."""
    if finding.kind != "lookup":
        return False
    cells = [cell for row in source.table.cells for cell in row]
    leaves = [cell.row_header.rsplit(" / ", 1)[-1] for cell in finding.cells]
    if is_cjk(question.plain) and not any(map(is_cjk, cells)):
        return any(_shares_nothing(question, leaf) for leaf in leaves)
    known = frozenset().union(*map(features, cells), source.context)
    words = _WORD.findall(plain(question.plain))
    return any(_other_word(words, _WORD.findall(plain(without_asides(leaf))), known) for leaf in leaves)


def _shares_nothing(question: Question, leaf: str) -> bool:
    return bool(features(leaf)) and not (
        features(leaf) & question.names or is_period(leaf) or TOTAL.search(leaf)
    )


def _other_word(asked: list[str], name: list[str], known: frozenset[str]) -> bool:
    if len(name) != 2 or _PLAIN & set(name):
        return False
    said = [any(features(word) == features(one) for one in asked) for word in name]
    if sum(said) != 1 or not all(map(features, name)):
        return False
    shared, missing = (name[0], name[1]) if said[0] else (name[1], name[0])
    step = 1 if said[0] else -1
    for at, word in enumerate(asked):
        beside = at + step
        if features(word) == features(shared) and 0 <= beside < len(asked):
            return _is_other(asked[beside], missing, known)
    return False


def _is_other(word: str, missing: str, known: frozenset[str]) -> bool:
    own = features(word)
    if not own or own & known or word in _PLAIN | _TITLES or _PARTICIPLE.search(word):
        return False
    if all(map(is_asking, own)) or SequenceMatcher(None, word, missing).ratio() >= _MISSPELT:
        return False
    return not frozenset().union(*map(alike, own)) & features(missing)
