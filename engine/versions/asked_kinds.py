"""Which kinds of changes a question asks for: "which sections were added", 删除了哪些内容, "what moved".

Only where nothing else is asked: in "How did the value added tax change?" a verb is part of what is asked about.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import engine.language

Kind = Literal["added", "removed", "changed", "moved", "renamed"]
_DATA: dict[str, Any] = tomllib.loads(
    Path(engine.language.__file__).with_name("versions.toml").read_text("utf-8")
)


def pattern(words: str) -> re.Pattern[str]:
    """Return a pattern of the language data, which may go over several lines."""
    return re.compile(words.replace("\n", ""), re.IGNORECASE)


CHANGE, SINCE, _ASKING = pattern(_DATA["change"]), pattern(_DATA["since"]), pattern(_DATA["asking"])
_SECTIONS, _PASSAGES = pattern(_DATA["sections"]), pattern(_DATA["passages"])
_KINDS: dict[Kind, re.Pattern[str]] = {kind: pattern(words) for kind, words in _DATA["kinds"].items()}


@dataclass(frozen=True, slots=True)
class AskedKinds:
    """The kinds that are asked for, none for all; ``sections``: of whole sections, not of passages in them."""

    kinds: frozenset[Kind] = frozenset()
    sections: bool = False


EVERY_KIND = AskedKinds()


def asks_for_changes(question: str) -> bool:
    """Tell whether a question has a word for changes."""
    return bool(CHANGE.search(question)) or any(words.search(question) for words in _KINDS.values())


def kinds_asked(question: str) -> AskedKinds:
    """Return which kinds of changes a question without names asks for; none where it asks what changed at all."""
    found = {kind for kind, words in _KINDS.items() if words.search(question)}
    sections = bool(_SECTIONS.search(question))
    only_changed = found == {"changed"} and not sections and not _PASSAGES.search(question)
    if only_changed or subject_of(question):
        return EVERY_KIND
    return AskedKinds(frozenset(found), sections and bool(found))


def subject_of(question: str) -> str:
    """Return what of a question without names and versions is its subject, "" for none."""
    rest = question
    for words in (*_KINDS.values(), CHANGE, _ASKING):
        rest = words.sub(" ", rest)
    return " ".join(re.sub(r"[^\w%$€¥.]+", " ", rest).split())
