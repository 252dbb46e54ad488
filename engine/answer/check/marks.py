"""Citation marks as models write them: [1], [1, 2], [1-3], 【1】, [^1], [source 1], [n3f…] by node id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_WORD = r"(?:(?:sources?|evidence|docs?|documents?|passages?|refs?|来源|资料|文档|证据|引用)\s*[:#：]?\s*)?"
_MARK = re.compile(
    rf"[\[【［]\s*\^?{_WORD}(?P<numbers>\d{{1,6}}(?:\s*(?:[-–~,，、;；]|and|和)\s*{_WORD}\d{{1,6}})*)"
    r"\s*(?:†[^\]】］]*)?[\]】］](?!\()"
    r"|[\[【(（]\s*(?P<node>n[0-9a-f]{8,16}(?:-\d+)?)\s*[\]】)）]",
    re.I,
)
_CHECKED = re.compile(r"\[(\d+)\]")
_CODE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)",
    re.M | re.S,
)
_RANGE = 20
# "[2023]" is a year. No evidence has so many pieces.
_MOST_NUMBERED = 200


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as a model wrote it at ``reply[start:end]``; it names evidence by number or node id."""

    start: int
    end: int
    numbers: tuple[int, ...]
    names: tuple[str, ...]


def marks_of(reply: str) -> list[Mark]:
    """Return the marks of a reply in order; what stands in code is none."""
    code = code_spans(reply)
    marks = []
    for match in _MARK.finditer(reply):
        numbers = _numbers_in(match["numbers"]) if match["numbers"] else ()
        if any(not 0 < number <= _MOST_NUMBERED for number in numbers):
            continue  # an interval, an index or a year, not a citation
        if any(start <= match.start() < end for start, end in code):
            continue
        marks.append(Mark(match.start(), match.end(), numbers, (match["node"],) if match["node"] else ()))
    return marks


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return where Markdown code stands in a text: fenced blocks and spans."""
    return [match.span() for match in _CODE.finditer(text)]


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """Return a checked text with its marks [1] … [k] renumbered; one that is not among ``numbers`` stays."""
    return _CHECKED.sub(lambda mark: f"[{numbers.get(int(mark[1]), int(mark[1]))}]", text)


def harmless(text: str) -> str:
    """Return a text of documents whose square brackets are round, so that none looks like a mark of ours."""
    return text.replace("[", "(").replace("]", ")")


def shortened(text: str, most: int = 60) -> str:
    """Return a text on one line, cut where it has more than ``most`` letters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def _numbers_in(written: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[,，、;；]|and|和", written):
        found = [int(number) for number in re.findall(r"\d+", part)]
        if len(found) == 2 and found[0] < found[1] <= found[0] + _RANGE:
            found = list(range(found[0], found[1] + 1))
        numbers.extend(found)
    return tuple(dict.fromkeys(numbers))
