"""The language of a question or a text, by the shares of its scripts."""

import re
from functools import lru_cache

from engine.language import patterns

_SCRIPTS = {code: (re.compile(letters), worth) for code, (letters, worth) in patterns("scripts").items()}
# Han with this share of kana is Japanese.
_KANA = 0.15


@lru_cache(maxsize=4096)
def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the script that says most of a text; "en" for one without letters.

    Languages of the Latin script are not told apart: the engine's own words are English or Chinese.
    """
    said = {code: len(letters.findall(text)) * worth for code, (letters, worth) in _SCRIPTS.items()}
    if said["ja"] > _KANA * (said["ja"] + said["zh"]):
        said["ja"] += said.pop("zh")
    return max(said, key=lambda code: (said[code], code == "en"))


def own_language(text: str, otherwise: str) -> str:
    """Return the code of a text's language; of another text's where it has no letters: "2023?"."""
    return language_of(text if any(map(str.isalpha, text)) else otherwise)


def is_chinese(text: str) -> bool:
    """True for a text that is Chinese as a whole, whatever names in Latin letters it holds."""
    return language_of(text) == "zh"
