"""What a chart shows, from its caption, description and OCR text: kind, axes, legend, number of series."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.enrich.labels import label_of
from engine.language import compiled, patterns
from engine.model import Node
from engine.structure.numbering import value_of

LONGEST, LONGEST_DESCRIPTION, LONGEST_AXIS, MOST_LEGEND = 4000, 500, 80, 12
_TOLD = patterns("charts")
_TYPES = tuple((name, compiled(words)) for name, words in _TOLD["kinds"].items())
CHARTS = frozenset(["heatmap", "box", "histogram", "scatter", "pie", "radar", "area", "bar", "line", "chart"])
_END = r"(?=[.;,，。；、()（）\n]|\s(?:and the|while|whereas|with|in which|is shown|are shown|for)\b|$)"
_MEANS = r"(?:\(|（|:|：|(?:show|represent|denote|indicate|display|give|plot)s?|is|corresponds to|表示|代表|为|是|显示)"
_NAMED = rf"([^.;。；\n()（）]{{1,{LONGEST_AXIS}}}?(?:\s?[(（][^()（）\n]{{1,16}}[)）])?){_END}"
_AXES = {
    name: re.compile(rf"(?:{words})\s*{_MEANS}\s*(?:the\s)?{_NAMED}", re.IGNORECASE)
    for name, words in (
        ("x_axis", r"(?:\bx|horizontal)[\s-]?ax[ie]s|横轴|横坐标|x\s?轴|水平轴"),
        ("y_axis", r"(?:\by|vertical)[\s-]?ax[ie]s|纵轴|纵坐标|y\s?轴|竖轴"),
    )
}
_LEGEND, _COUNTED, _FILE_NAME = (compiled(_TOLD[name]) for name in ("legend", "counted", "file_name"))
_SPLIT = re.compile(r"\s*(?:[,，、;；|/]|\band\b|和|及|与)\s*")
_TICK = re.compile(r"^[-−(]?[$€£¥]?\d[\d,.]*\s?(?:%|k|K|M|bn)?\)?$")


def enrich_figure(node: Node) -> Node:
    """Return an image node with ``chart_type``, ``x_axis``, ``y_axis``, ``legend``, ``series_count``,
    ``has_numbers`` and ``label`` in its metadata, as far as its texts say them.

    Where no model has described it, ``description`` is its caption and alternative text
    (``description_method`` "caption"), else the text in it ("ocr").
    """
    metadata = node.metadata
    caption = str(metadata.get("caption") or node.title or "")
    alt, description, ocr = (str(metadata.get(key) or "") for key in ("alt", "description", "ocr_text"))
    prose = "\n".join(text[:LONGEST] for text in (caption, alt, description) if text)
    facts = chart_facts(prose, ocr[:LONGEST])
    if not is_described_by_model(node):
        facts |= _description(caption, alt, ocr[:LONGEST])
    if not metadata.get("label") and (label := label_of(caption)):
        facts["label"] = label.printed
    return replace(node, metadata=metadata | facts)


def is_described_by_model(node: Node) -> bool:
    """Tell whether a model has described an image; other descriptions are made of what its other texts say."""
    return str(node.metadata.get("description_method") or "").startswith("model:")


def _description(caption: str, alt: str, ocr: str) -> dict[str, str]:
    """Return what a figure is said to be by its caption and alternative text, else by the text in it."""
    alt = "" if _FILE_NAME.fullmatch(alt.strip()) else alt
    if said := "\n".join(dict.fromkeys(text.strip() for text in (caption, alt) if text.strip())):
        return {"description": said, "description_method": "caption"}
    if read := " ".join(ocr.split()):
        return {"description": read[:LONGEST_DESCRIPTION], "description_method": "ocr"}
    return {}


def chart_facts(prose: str, ocr: str = "") -> dict[str, Any]:
    """Return what a figure's caption and description (``prose``) and the text in it (``ocr``) say of it."""
    kind, legend = _chart_type(prose, _TYPES) or _chart_type(ocr, _TYPES[:9]), _legend(prose)
    facts = {
        "chart_type": kind,
        **{name: match[1].strip() for name, pattern in _AXES.items() if (match := pattern.search(prose))},
        "legend": legend,
        "series_count": _series(prose, legend) if legend or kind in CHARTS else 0,
        "has_numbers": sum(map(bool, map(_TICK.match, ocr.split()))) >= 3,
    }
    return {name: fact for name, fact in facts.items() if fact}


def _series(prose: str, legend: Sequence[str]) -> int:
    """Return how many series a figure has, as its texts say or its legend shows; 0 for one."""
    counted = _COUNTED.search(prose)
    count = value_of(counted[1] or counted[2]) if counted else len(legend)
    return count if count > 1 else 0


def _chart_type(text: str, types: Sequence[tuple[str, re.Pattern[str]]]) -> str | None:
    return next((name for name, pattern in types if pattern.search(text)), None)


def _legend(prose: str) -> list[str]:
    match = _LEGEND.search(prose)
    names = map(str.strip, _SPLIT.split(match[1]) if match else ())
    return list(dict.fromkeys(filter(None, names)))[:MOST_LEGEND]
