"""Formulas of a sheet that no program has computed yet: plain arithmetic on cells of the same sheet.

A formula is turned into an expression in Python's grammar, of which only numbers, signs, comparisons and calls of
the functions below are evaluated; for anything else there is no result.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from engine.model.sheet_columns import column_number

LONGEST = 500
MOST_VISITS = 2_000_000
_PLACE = r"(\$?)([A-Z]{1,3})(\$?)(\d{1,7})"
_TOKEN = re.compile(
    rf"{_PLACE}(?::{_PLACE})?(?![\w(.!])|([A-Z]+)(?=\()|(\d+\.?\d*(?:E[+-]?\d+)?|\.\d+)|(<>|<=|>=|[-+*/^()=<>,%])|\s+",
    re.I,
)
_SIGNS = {"^": "**", "=": "==", "<>": "!=", "%": "/100"}
_OPERATIONS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[[list[float]], float]] = {
    "SUM": math.fsum, "PRODUCT": math.prod, "MIN": min, "MAX": max, "COUNT": len, "ABS": lambda v: abs(v[0]),
    "AVERAGE": lambda v: math.fsum(v) / len(v), "ROUND": lambda v: round(v[0] + math.copysign(1e-12, v[0]), int(v[1])),
}  # fmt: skip
_NO_RESULT = (ValueError, TypeError, ArithmeticError, IndexError, SyntaxError, RecursionError, LookupError)
Place = tuple[int, int]


class Formula(NamedTuple):
    """A formula as written, and how far below and to the right of where it was written it stands (if shared)."""

    text: str
    down: int = 0
    right: int = 0


class Calculation:
    """The formulas of one sheet and the numbers in its other cells (None for texts), by row and column (from 1)."""

    def __init__(self, formulas: Mapping[Place, Formula], numbers: Mapping[Place, float | None]) -> None:
        self._formulas = formulas
        self._known: dict[Place, float | None] = dict(numbers)
        self._visits = 0

    def result(self, place: Place) -> float | None:
        """Return what a cell's formula gives, None where that cannot be told here."""
        if place not in self._known and place in self._formulas:
            self._known[place] = None  # a formula that needs itself has no result
            try:
                tree = ast.parse(_expression(self._formulas[place]), mode="eval")
                value = float(self._value(tree.body))
                self._known[place] = value if math.isfinite(value) else None
            except _NO_RESULT:
                pass
        return self._known.get(place)

    def _value(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return float(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            value = self._value(node.operand)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return _OPERATIONS[type(node.op)](self._value(node.left), self._value(node.right))
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return _OPERATIONS[type(node.ops[0])](self._value(node.left), self._value(node.comparators[0]))
        if isinstance(node, ast.List):
            value = next(self._cells(node), None)
            top, left, *end = (int(self._value(edge)) for edge in node.elts)
            if [top, left] != end or (value is None and (top, left) in self._known):
                raise ValueError("several cells, or a text")
            return value or 0.0  # an empty cell counts as 0
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "IF":
                return self._value(node.args[1 if self._value(node.args[0]) else 2])
            groups = (self._cells(a) if isinstance(a, ast.List) else [self._value(a)] for a in node.args)
            return _FUNCTIONS[node.func.id]([value for group in groups for value in group])
        raise ValueError("not plain arithmetic")

    def _cells(self, node: ast.List) -> Iterator[float]:
        top, left, bottom, right = (int(self._value(edge)) for edge in node.elts)
        self._visits += (bottom - top + 1) * (right - left + 1)
        if self._visits > MOST_VISITS:
            raise ValueError("too many cells")
        for place in ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)):
            value = self.result(place)
            if value is not None:
                yield value
            elif place in self._formulas:
                raise ValueError("needs a formula without a result")


def _expression(formula: Formula) -> str:
    """Return a formula in Python's grammar; cells are lists of their edges."""
    if len(formula.text) > LONGEST:
        raise ValueError("too long")
    parts: list[str] = []
    at = 0
    while at < len(formula.text):
        match = _TOKEN.match(formula.text, at)
        if match is None:
            raise ValueError("not plain arithmetic")
        at = match.end()
        *edges, name, number, sign = match.groups()
        if edges[1]:
            ends = edges[4:] if edges[5] else edges[:4]
            corners = (*_corner(edges[:4], formula), *_corner(ends, formula))
            parts.append(f"[{','.join(map(str, corners))}]")
        elif name or number:
            parts.append(name.upper() if name else number.lstrip("0") or "0")
        elif sign:
            parts.append(_SIGNS.get(sign, sign))
    return "".join(parts)


def _corner(parts: list[str], formula: Formula) -> Place:
    fixed_column, letters, fixed_row, digits = parts
    row = int(digits) + (0 if fixed_row else formula.down)
    return row, column_number(letters.upper()) + (0 if fixed_column else formula.right)
