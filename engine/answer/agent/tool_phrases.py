"""What the tools say themselves, in the question's language, to a model and in the trace."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ToolPhrases:
    """The sentences of one language; ``{names}`` are filled in with ``str.format``."""

    language: str
    # a call that cannot be made
    unknown_tool: str
    did_you_mean: str
    missing: str
    wrong: str
    one_of: str
    a_kind: str
    either: str
    kinds: Mapping[str, str]
    outside: str
    keywords_empty: str
    no_table: str
    not_a_table: str
    # what was found
    nothing_found: str
    not_found: str
    no_bearing: str
    no_children: str
    more_children: str
    no_headings: str
    more_sections: str
    no_relatives: str
    statements: str
    differ_in_scope: str
    not_in_evidence: str
    # what a step was worth, and what follows
    qualities: Mapping[str, str]
    strategies: Mapping[str, str]


def _read(language: str) -> ToolPhrases:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return ToolPhrases(**data[language])


ENGLISH, CHINESE = _read("en"), _read("zh")


def tool_phrases(language: str) -> ToolPhrases:
    """Return the phrases of a language: "zh" or "en"."""
    return CHINESE if language == "zh" else ENGLISH
