"""A ranking or a trend that was computed from cells, as a chart that its reader can switch on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from engine.model import Answer
from pages.widgets.fragments import fragment
from pages.widgets.texts import t

LEAST = 3
ROW_PIXELS = 30
# A line of a computed list, as the operators on tables write it: "- Zone NA: 12,553 million CHF [1]".
_LINE = re.compile(
    r"^\s*[-*] (?P<label>.+?)[:：]\s*(?P<number>[-−]?\d[\d,]*(?:\.\d+)?)(?P<unit>[^\[\]\d]*?)(?:\s*\[\d+\])*\s*$"
)
_YEAR = re.compile(r"\D{0,6}(?:19|20)\d\d\D{0,3}")


@dataclass(frozen=True, slots=True)
class Figures:
    """Labels with their numbers, all of one unit ("" for none)."""

    labels: Sequence[str]
    numbers: Sequence[float]
    unit: str

    @property
    def over_time(self) -> bool:
        """Tell whether the labels are years."""
        return all(_YEAR.fullmatch(label) for label in self.labels)


def figures_of(answer: Answer) -> Figures | None:
    """Return the first computed list of an answer with three or more numbers of one unit, None where there is none."""
    computed = (one for one in answer.statements if one.state == "computed")
    lists = (_listed(answer.answer[one.start : one.end]) for one in computed)
    return next(filter(None, lists), None)


def _listed(text: str) -> Figures | None:
    found = [line for line in map(_LINE.match, text.splitlines()) if line]
    units = {line["unit"].strip() for line in found}
    if not len({line["label"] for line in found}) == len(found) >= LEAST or len(units) != 1:
        return None
    numbers = [float(line["number"].replace(",", "").replace("−", "-")) for line in found]
    return Figures([line["label"].strip("* ") for line in found], numbers, units.pop())


def show(answer: Answer, key: str) -> None:
    """Draw the switch, and the chart once it is on, where an answer has figures to compare."""
    if (figures := figures_of(answer)) is not None:
        fragment(_chart)(figures, key)


def _chart(figures: Figures, key: str) -> None:
    if not st.toggle(t("answer.chart"), key=f"chart.{key}"):
        return
    # Units stand in the labels of the axes: a name of a column may hold neither a dot nor a bracket.
    name, value = t("answer.chart.name"), t("answer.chart.value")
    data = {name: figures.labels, value: figures.numbers}
    axes: dict[str, Any] = {"x": name, "y": value, "x_label": "", "y_label": figures.unit}
    if figures.over_time:
        st.line_chart(data, **axes, height=240)
    else:
        st.bar_chart(data, **axes, horizontal=True, sort=False, height=70 + ROW_PIXELS * len(figures.labels))
