"""Formulas in MathML as a line of text: x^{2}, \\frac{a}{b}, as those of Word files are written."""

from __future__ import annotations

from typing import Any

MAX_DEPTH = 60
_WRAPPED = {"msqrt": "\\sqrt{%s}", "mroot": "\\sqrt[%s]{%s}", "mfrac": "\\frac{%s}{%s}"}
_SCRIPTS = {
    "msup": "^", "msub": "_", "mover": "^", "munder": "_", "msubsup": "_^", "munderover": "_^",
}  # fmt: skip
_LEFT_OUT = frozenset({"annotation", "annotation-xml", "mphantom"})


def linear(element: Any, depth: int = 0) -> str:
    """Return a formula, or a part of one, on one line."""
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "annotation"
    if name in _LEFT_OUT or depth > MAX_DEPTH:
        return ""
    if not len(element):
        return " ".join((element.text or "").split())
    parts = [linear(child, depth + 1) for child in element]
    if name == "mroot" and len(parts) == 2:
        return _WRAPPED[name] % (parts[1], parts[0])
    if name == "msqrt":
        return _WRAPPED[name] % "".join(parts)
    if name == "mfrac" and len(parts) == 2:
        return _WRAPPED[name] % tuple(parts)
    if name in _SCRIPTS and len(parts) == len(_SCRIPTS[name]) + 1:
        scripts = zip(_SCRIPTS[name], parts[1:], strict=True)
        return parts[0] + "".join(f"{sign}{{{part}}}" for sign, part in scripts if part)
    if name == "mtable":
        return "; ".join(parts)
    return (", " if name == "mtr" else "").join(parts)
