"""Everything the answering engine says itself, in the question's language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.answer.understand.language import is_chinese


class Phrases:
    """The sentences of one language by their names in the file; ``{names}`` in them are filled in with ``str.format``.

    ``tools`` are those that the agent's tools say, to a model and in the trace.
    """

    language: str
    tools: Phrases
    disagree_kinds: Mapping[str, str]
    check_reasons: Mapping[str, str]
    report_words: Mapping[str, str]
    table_words: Mapping[str, str]
    table_refusals: Mapping[str, str]
    table_names: Mapping[str, str]
    operators: Mapping[str, str]
    kinds: Mapping[str, str]
    modes: Mapping[str, str]
    qualities: Mapping[str, str]
    strategies: Mapping[str, str]

    def __init__(self, told: Mapping[str, Any]) -> None:
        """``told`` are the phrases, and those of the tools under "tools"."""
        self.__dict__.update(told)
        if "tools" in told:
            self.tools = Phrases(told["tools"])

    def __getattr__(self, name: str) -> str:
        raise AttributeError(f"There is no phrase {name!r} in {self.__dict__.get('language')!r}.")


_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
ENGLISH, CHINESE = Phrases(_SAID["en"]), Phrases(_SAID["zh"])


def in_both(english: Mapping[str, Any] = _SAID["en"], chinese: Mapping[str, Any] = _SAID["zh"]) -> Iterator[list[str]]:
    """Yield every sentence in English and in Chinese."""
    for name, said in english.items():
        yield from [[said, chinese[name]]] if isinstance(said, str) else in_both(said, chinese[name])


# The name of a file is in no language: "storms.pdf有多少页？" is Chinese.
_FILE_NAME = re.compile(r"[\w-]+\.[a-z]{2,5}(?!\w)", re.A | re.I)


def phrases_for(question: str) -> Phrases:
    """Return the phrases of the question's language: Chinese when most of it is, whatever names it holds."""
    return CHINESE if is_chinese(_FILE_NAME.sub(" ", question)) else ENGLISH
