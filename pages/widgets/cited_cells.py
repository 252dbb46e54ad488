"""Which cells of cited rows an answer speaks of: those that hold what it says, else those of the column asked for."""

import re
from collections.abc import Sequence

from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.model import Answer, Citation, Node
from pages.widgets.table_grid import addresses_of, cited_in, header_of, rows_of

# A column is asked for where so much of its name stands in the question.
_NAMED = 0.5
# A row of fewer cells is seen at one glance, whatever is said of it.
_FEW = 4
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


def spoken_of(node: Node, cited: Citation, answer: Answer, question: str) -> str:
    """Return the addresses of those cells of the rows that a citation names which its answer speaks of.

    "" where the citation names one cell, or nothing tells its cells apart.
    """
    cells = cited_in(node, quote=cited.snippet, cell=cited.cell or "") if node.role == "table" else set()
    if len(cells) < 2:
        return ""
    said, found = _said(answer, cited.n), {}
    rows = sorted({row for row, _ in cells})
    for row in rows:
        texts = [" ".join(text.split()) * ((row, at) in cells) for at, text in enumerate(rows_of(node)[row])]
        held = _holding(texts, said)
        if len(rows) == 1 and not held:
            asked = _told_of(node, question)
            held = [n for n, share in enumerate(asked) if share == max(asked) >= _NAMED]
        if row >= header_of(node) and held:
            found[row] = _one_of_each(node, held, texts, f"{question}\n{said}")
    # Of a block the rows that are told by name, where some are: the same number may stand in others.
    named = [row for row in found if _stands_in(" ".join(rows_of(node)[row][0].split()), said)]
    return addresses_of(node, [(row, column) for row in named or found for column in found[row]])


def _one_of_each(node: Node, columns: Sequence[int], texts: Sequence[str], told: str) -> list[int]:
    """Return columns without what only names the row, and of those with the same text the one whose name is told."""
    first, shares = max(1, int(node.metadata.get("header_columns") or 0)), _told_of(node, told)
    best: dict[str, int] = {}
    for column in [column for column in columns if column >= first] or columns:
        best[texts[column]] = max(best.get(texts[column], column), column, key=shares.__getitem__)
    return sorted(best.values())


def _told_of(node: Node, text: str) -> list[float]:
    """Return which share of each column's name stands in a text."""
    head, terms = rows_of(node)[: max(1, header_of(node))], frozenset(tokens(text))
    return [coverage(content_terms(" ".join(dict.fromkeys(one))), terms) for one in zip(*head, strict=True)]


def _said(answer: Answer, number: int) -> str:
    """Return what an answer says with a source: its statements, else the lines with its mark."""
    stated = [answer.answer[one.start : one.end] for one in answer.statements if number in one.sources]
    lines = [line for line in answer.answer.splitlines() if f"[{number}]" in line]
    return _THOUSANDS.sub("", "\n".join(stated or lines))


def _holding(texts: Sequence[str], said: str) -> list[int]:
    """Return the columns whose text stands in what is said; none where most do, as in a row that is quoted whole."""
    held = [column for column, text in enumerate(texts) if text and _stands_in(text, said)]
    long = [column for column in held if len(texts[column]) > 1]
    return (long or held) if 2 * len(held) <= len(texts) or len(texts) < _FEW else []


def _stands_in(text: str, said: str) -> bool:
    bare = re.escape(_THOUSANDS.sub("", text))
    return bare != "" and re.search(rf"(?<![A-Za-z0-9.]){bare}(?![A-Za-z0-9]|\.\d)", said) is not None
