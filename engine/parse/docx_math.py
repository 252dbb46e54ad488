"""Word's equations (OMML) as one line of LaTeX-like text; symbols stay the characters they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.parse.ooxml import M, W, value

_OPERATORS = {"∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint",
              "∮": r"\oint", "⋃": r"\bigcup", "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge"}  # fmt: skip
_ACCENTS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar", "\u0307": "dot", "\u0308": "ddot",
            "\u20d7": "vec", "\u030c": "check", "\u0306": "breve"}  # fmt: skip
_FUNCTIONS = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "lg", "exp", "lim", "max", "min", "sup", "inf",
    "det", "gcd", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
))  # fmt: skip
MAX_DEPTH = 60


def linear(element: Any, depth: int = 0) -> str:
    """Return the text of an equation or of a part of one."""
    if depth > MAX_DEPTH:
        return "".join(element.itertext(f"{M}t"))
    write = _WRITERS.get(element.tag)
    if write:
        return write(element, depth + 1)
    return "".join(linear(child, depth + 1) for child in element)


def _part(element: Any, name: str, depth: int) -> str:
    child = element.find(f"{M}{name}")
    return "" if child is None else linear(child, depth)


def _property(element: Any, holder: str, name: str) -> str | None:
    return value(element.find(f"{M}{holder}/{M}{name}"), f"{M}val")


def _run(element: Any, _depth: int) -> str:
    return "".join(child.text or "" for child in element if child.tag in {f"{M}t", f"{W}t"})


def _fraction(element: Any, depth: int) -> str:
    top, bottom = _part(element, "num", depth), _part(element, "den", depth)
    kind = _property(element, "fPr", "type")
    if kind == "lin" or kind == "skw":
        return f"{top}/{bottom}"
    return rf"\binom{{{top}}}{{{bottom}}}" if kind == "noBar" else rf"\frac{{{top}}}{{{bottom}}}"


def _base(element: Any, depth: int) -> str:
    text = _part(element, "e", depth)
    return f"{{{text}}}" if text.startswith(r"\frac") else text


def _radical(element: Any, depth: int) -> str:
    degree = _part(element, "deg", depth)
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e', depth)}}}"


def _nary(element: Any, depth: int) -> str:
    sign = _property(element, "naryPr", "chr") or "∫"
    text = _OPERATORS.get(sign, sign)
    if low := _part(element, "sub", depth):
        text += f"_{{{low}}}"
    if high := _part(element, "sup", depth):
        text += f"^{{{high}}}"
    return f"{text} {_part(element, 'e', depth)}"


def _delimited(element: Any, depth: int) -> str:
    opening = _property(element, "dPr", "begChr")
    closing = _property(element, "dPr", "endChr")
    separator = _property(element, "dPr", "sepChr") or "|"
    parts = separator.join(linear(child, depth) for child in element.iterchildren(f"{M}e"))
    return f"{'(' if opening is None else opening}{parts}{')' if closing is None else closing}"


def _function(element: Any, depth: int) -> str:
    name = _part(element, "fName", depth).strip()
    head = name.split("_")[0].split("^")[0]
    argument = _part(element, "e", depth)
    known = "\\" if head in _FUNCTIONS else ""
    return f"{known}{name}{'' if argument.startswith('(') else ' '}{argument}"


def _matrix(element: Any, depth: int) -> str:
    rows = (
        " & ".join(linear(cell, depth) for cell in row.iterchildren(f"{M}e"))
        for row in element.iterchildren(f"{M}mr")
    )
    return r"\begin{matrix} " + r" \\ ".join(rows) + r" \end{matrix}"


def _accent(element: Any, depth: int) -> str:
    name = _ACCENTS.get(_property(element, "accPr", "chr") or "\u0302", "hat")
    return rf"\{name}{{{_part(element, 'e', depth)}}}"


_WRITERS: dict[str, Callable[[Any, int], str]] = {
    f"{M}r": _run,
    f"{M}f": _fraction,
    f"{M}rad": _radical,
    f"{M}nary": _nary,
    f"{M}d": _delimited,
    f"{M}func": _function,
    f"{M}m": _matrix,
    f"{M}acc": _accent,
    f"{M}sSup": lambda e, d: f"{_base(e, d)}^{{{_part(e, 'sup', d)}}}",
    f"{M}sSub": lambda e, d: f"{_base(e, d)}_{{{_part(e, 'sub', d)}}}",
    f"{M}sSubSup": lambda e, d: f"{_base(e, d)}_{{{_part(e, 'sub', d)}}}^{{{_part(e, 'sup', d)}}}",
    f"{M}sPre": lambda e, d: f"{{}}_{{{_part(e, 'sub', d)}}}^{{{_part(e, 'sup', d)}}}{_part(e, 'e', d)}",
    f"{M}limLow": lambda e, d: f"{_part(e, 'e', d)}_{{{_part(e, 'lim', d)}}}",
    f"{M}limUpp": lambda e, d: f"{_part(e, 'e', d)}^{{{_part(e, 'lim', d)}}}",
    f"{M}bar": lambda e, d: rf"\bar{{{_part(e, 'e', d)}}}",
    f"{M}eqArr": lambda e, d: r" \\ ".join(linear(child, d) for child in e.iterchildren(f"{M}e")),
}
