"""The numbers that Word shows in front of headings and list items, computed as Word computes them.

Instances (num) share an abstract numbering and its counters. A level starts at its start value, a deeper level starts
again after a higher one, and an instance with a start override starts again where it is first used.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.parse.docx_number_formats import formatted
from engine.parse.ooxml import MC, W, integer, is_on, value

LEVELS = 9
_PLACE = re.compile(r"%([1-9])")


class Label(NamedTuple):
    """What stands in front of a paragraph: its text ("1.1", "第一章", "•"), its level from 0."""

    text: str
    level: int
    ordered: bool
    gap: str


@dataclass
class _Level:
    start: int = 1
    form: str = "decimal"
    pattern: str = ""
    restart: int | None = None
    legal: bool = False
    style: str | None = None
    gap: str = " "


@dataclass
class _Instance:
    """``counters`` are those of all instances of one abstract numbering."""

    counters: list[int | None]
    levels: defaultdict[int, _Level] = field(default_factory=lambda: defaultdict(_Level))
    overrides: dict[int, int] = field(default_factory=dict)
    started: set[int] = field(default_factory=set)


class Numberings:
    """All numberings of a document, with their counters."""

    def __init__(self, root: Any | None) -> None:
        self._instances: dict[str, _Instance] = {}
        if root is None:
            return
        elements = {item.get(f"{W}abstractNumId"): item for item in root.iterchildren(f"{W}abstractNum")}
        linked = {value(item.find(f"{W}styleLink")): key for key, item in elements.items()}
        counters: defaultdict[str, list[int | None]] = defaultdict(lambda: [None] * LEVELS)
        for num in root.iterchildren(f"{W}num"):
            key = value(num.find(f"{W}abstractNumId")) or ""
            if (abstract := elements.get(key)) is not None:
                source = elements.get(linked.get(value(abstract.find(f"{W}numStyleLink")) or ""))
                instance = _instance(num, abstract if source is None else source, counters[key])
                self._instances[num.get(f"{W}numId", "")] = instance

    def label(self, num_id: str | None, level: int | None, style_id: str = "") -> Label | None:
        """Count one paragraph and return its label; None when the numbering does not exist ("0": none)."""
        instance = self._instances.get(num_id or "")
        if instance is None:
            return None
        if level is None:
            level = next((n for n, item in instance.levels.items() if item.style == style_id), 0)
        level = min(max(level, 0), LEVELS - 1)
        self._count(instance, level)
        definition = instance.levels[level]
        if definition.form == "bullet":
            return Label("•", level, False, " ")

        def shown(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            item = instance.levels[place]
            number = instance.counters[place]
            form = "decimal" if definition.legal and item.form != "none" else item.form
            return formatted(item.start if number is None else number, form)

        text = _PLACE.sub(shown, definition.pattern).strip()
        return Label(text, level, True, definition.gap) if text or definition.form != "none" else None

    @staticmethod
    def _count(instance: _Instance, level: int) -> None:
        counters = instance.counters
        override, number = instance.overrides.get(level), counters[level]
        usual = instance.levels[level].start if number is None else number + 1
        counters[level] = usual if override is None or level in instance.started else override
        instance.started.add(level)
        for higher in range(level):
            if counters[higher] is None:
                counters[higher] = instance.levels[higher].start
        for deeper in range(level + 1, LEVELS):
            restart = instance.levels[deeper].restart
            if restart is None or level < restart:
                counters[deeper] = None


def _instance(num: Any, abstract: Any, counters: list[int | None]) -> _Instance:
    instance = _Instance(counters)
    for item in (abstract, *num.iterchildren(f"{W}lvlOverride")):
        for definition in item.iterchildren(f"{W}lvl"):
            number = integer(item.get(f"{W}ilvl") or definition.get(f"{W}ilvl"))
            instance.levels[number] = _level(definition)
        for start in item.iterchildren(f"{W}startOverride"):
            instance.overrides[integer(item.get(f"{W}ilvl"))] = integer(value(start), 1)
    return instance


def _level(lvl: Any) -> _Level:
    restart = value(lvl.find(f"{W}lvlRestart"))
    newer = f"{MC}AlternateContent/{MC}Choice/{W}numFmt"
    return _Level(
        start=integer(value(lvl.find(f"{W}start")), 0),
        form=value(lvl.find(f"{W}numFmt")) or value(lvl.find(newer)) or "decimal",
        pattern=value(lvl.find(f"{W}lvlText")) or "",
        restart=integer(restart) if restart is not None else None,
        legal=is_on(lvl.find(f"{W}isLgl")),
        style=value(lvl.find(f"{W}pStyle")),
        gap="" if value(lvl.find(f"{W}suff")) == "nothing" else " ",
    )
