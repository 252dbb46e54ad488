"""The language of a question or a text, by the shares of its scripts."""

import re
from functools import lru_cache

# A character of an unspaced script says about as much as half a word.
_SCRIPTS = {
    "zh": (re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]"), 0.5),
    "ja": (re.compile(r"[\u3040-\u30ff]"), 0.5), "ko": (re.compile(r"[\uac00-\ud7af]"), 0.5),
    "en": (re.compile(r"[A-Za-z\u00c0-\u024f]+"), 1.0),
    "ru": (re.compile(r"[\u0400-\u04ff]+"), 1.0), "el": (re.compile(r"[\u0370-\u03ff]+"), 1.0),
    "ar": (re.compile(r"[\u0600-\u06ff]+"), 1.0), "he": (re.compile(r"[\u0590-\u05ff]+"), 1.0),
    "hi": (re.compile(r"[\u0900-\u097f]+"), 1.0), "th": (re.compile(r"[\u0e00-\u0e7f]"), 0.3),
}  # fmt: skip
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


def is_chinese(text: str) -> bool:
    """True for a text that is Chinese as a whole, whatever names in Latin letters it holds."""
    return language_of(text) == "zh"
