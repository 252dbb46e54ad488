"""Which cells of a cited row an answer speaks of: those that hold what it says, else those of the column asked for."""

import re
from collections.abc import Collection, Sequence

from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import tokens
from engine.model import Answer, Citation, Node
from pages.widgets.table_grid import Place, addresses_of, cited_in, header_of, rows_of

# A column is asked for where so much of its name stands in the question.
_NAMED = 0.5
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


def spoken_of(node: Node, cited: Citation, answer: Answer, question: str) -> str:
    """Return the addresses of those cells of the row that a citation names which its answer speaks of.

    "" where the citation names no single row, or nothing tells its cells apart.
    """
    if node.role != "table":
        return ""
    row = sorted(cited_in(node, quote=cited.snippet, cell=cited.cell or ""))
    if len({at for at, _ in row}) != 1 or len(row) == 1:
        return ""
    names = {column: _name(node, column) for _, column in row}
    said = _said(answer, cited.n)
    found = _holding(node, row, said) or _asked_for(names, question)
    first = max(1, int(node.metadata.get("header_columns") or 0))
    values = [column for column in found if column >= first] or found
    told = question + "\n" + said
    chosen = {_best(same, names, told) for same in _alike(node, row[0][0], values)}
    return addresses_of(node, [(row[0][0], column) for column in sorted(chosen)])


def _said(answer: Answer, number: int) -> str:
    """Return what an answer says with a source: its statements, else the lines with its mark."""
    stated = [answer.answer[one.start : one.end] for one in answer.statements if number in one.sources]
    lines = [line for line in answer.answer.splitlines() if f"[{number}]" in line]
    return _THOUSANDS.sub("", "\n".join(stated or lines))


def _holding(node: Node, row: Sequence[Place], said: str) -> list[int]:
    """Return the columns whose text stands in what is said; none where most do, as in a row that is quoted whole."""
    texts = {column: " ".join(rows_of(node)[at][column].split()) for at, column in row}
    held = [column for column, text in texts.items() if text and _stands_in(text, said)]
    long = [column for column in held if len(texts[column]) > 1]
    return (long or held) if 2 * len(held) <= len(row) or len(row) < 4 else []


def _stands_in(text: str, said: str) -> bool:
    bare = re.escape(_THOUSANDS.sub("", text))
    return re.search(rf"(?<![A-Za-z0-9.]){bare}(?![A-Za-z0-9]|\.\d)", said) is not None


def _asked_for(names: dict[int, str], question: str) -> list[int]:
    asked = frozenset(tokens(question))
    shares = {column: coverage(content_terms(name), asked) for column, name in names.items()}
    most = max(shares.values(), default=0.0)
    return [column for column, share in shares.items() if share == most] if most >= _NAMED else []


def _alike(node: Node, row: int, columns: Sequence[int]) -> Collection[list[int]]:
    """Return columns by what stands in them."""
    groups: dict[str, list[int]] = {}
    for column in columns:
        groups.setdefault(rows_of(node)[row][column], []).append(column)
    return groups.values()


def _best(columns: Sequence[int], names: dict[int, str], told: str) -> int:
    """Return which of some columns with the same text is meant: the one whose name is told."""
    terms = frozenset(tokens(told))
    return max(columns, key=lambda column: coverage(content_terms(names[column]), terms))


def _name(node: Node, column: int) -> str:
    head = rows_of(node)[: header_of(node)]
    return " ".join(dict.fromkeys(row[column] for row in head))
