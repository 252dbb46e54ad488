"""What the pages say, in English and Chinese; ``t("key")`` gives the text of the session's language.

That is the browser's at first, then the one chosen, remembered in a cookie. The texts stand in ``pages/texts``, a file
a page: a key with the English and the Chinese text. What Streamlit itself writes on the page (its uploader, its fields,
the names of its buttons) is English; the page changes it in the browser. The engine (errors, notes on a file) speaks
English, too, and answers in the question's language: its remarks are shown in the session's, where they have both.
"""

import re
import time
import tomllib
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from engine.answer.phrases import in_both
from engine.answer.understand.terms import content_terms
from engine.export.harmless import plain
from engine.retrieve.notes import NOTES
from pages.widgets.fragments import component

Language = Literal["en", "zh"]
COOKIE = "dropqa_language"
YEAR_AND_MORE = 34_560_000
_CHOSEN = "language.chosen"
_NAMES: dict[Language, str] = {"en": "English", "zh": "中文"}
_HOLE, _PLAIN_HOLE = re.compile(r"\\\{(\w+)\\\}"), re.compile(r"\{(\w+)[^}]*\}")
_LEAST_TOLD = 6
_FOLDER = Path(__file__).parents[1] / "texts"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SAID_BY_THE_ENGINE, _SAID_BY_STREAMLIT = "messages.toml", "streamlit.toml"
# A script run cannot set a cookie; the page itself can.
_cookie, _native = component("language"), component("language_native")


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / name).read_text("utf-8"))


TEXTS: dict[str, tuple[str, str]] = {
    key: (both[0], both[1])
    for file in sorted(_FOLDER.glob("*.toml"))
    if file.name not in (_SAID_BY_THE_ENGINE, _SAID_BY_STREAMLIT)
    for key, both in _read(file.name).items()
}


def current() -> Language:
    """Return the language of this session."""
    chosen = st.session_state.get(_CHOSEN) or st.context.cookies.get(COOKIE)
    if chosen not in _NAMES:
        chosen = str(st.context.locale or "").lower()[:2]
    return "zh" if chosen == "zh" else "en"


def switch() -> None:
    """Draw the button that changes to the other language."""
    other: Language = "en" if current() == "zh" else "zh"
    st.button(
        _NAMES[other], key="language.switch", icon=":material/translate:", type="tertiary",
        on_click=st.session_state.update, args=({_CHOSEN: other},),
    )  # fmt: skip
    if chosen := st.session_state.get(_CHOSEN):
        remember(COOKIE, chosen)


def remember(name: str, value: str, seconds: int = YEAR_AND_MORE) -> None:
    """Have the browser keep a cookie for so long; ``value`` holds only letters, digits and ``%.-_``."""
    _cookie({"name": name, "value": value, "seconds": seconds}, f"remember.{name}")


def engine_messages() -> dict[str, str]:
    """Return what the engine says, with its Chinese text, in the order in which they are tried."""
    return _read(_SAID_BY_THE_ENGINE)


def translate() -> None:
    """Have the page say in the session's language what Streamlit says, name its own language, and name toasts."""
    chinese = current() == "zh"
    said = _read(_SAID_BY_STREAMLIT) if chinese else {"texts": {}, "patterns": {}}
    data = {"language": "zh-CN" if chinese else "en", "texts": said["texts"]}
    _native(data | {"patterns": [list(pair) for pair in said["patterns"].items()]}, "language.native")


def t(key: str, **values: object) -> str:
    """Return the text of ``key`` in the session's language, with ``values`` put in."""
    return text(key, current(), **values)


def named(key: str, otherwise: str) -> str:
    """Return the text of ``key`` in the session's language; what has none goes by ``otherwise``."""
    return t(key) if key in TEXTS else otherwise


def text(key: str, language: Language, **values: object) -> str:
    """Return the text of ``key`` in a language, with ``values`` put in; for a ``count`` of 1 that of ``key.one``."""
    if values.get("count") == 1 and f"{key}.one" in TEXTS:
        key = f"{key}.one"
    chosen = TEXTS[key][1 if language == "zh" else 0]
    return chosen.format(**values) if values else chosen


def short(text: str, most: int) -> str:
    """Return a text that is cut where it has more than ``most`` characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def around(text: str, question: str, most: int) -> str:
    """Return a text on one line, cut to where most of a question's words stand in it."""
    line = " ".join(text.split())
    telling = [word for word in re.findall(r"\w+", question.casefold()) if content_terms(word)]
    sought = "|".join(re.escape(one) for word in telling for one in ([word] if word.isascii() else content_terms(word)))
    places = [found.start() for found in re.finditer(sought or "(?!)", line.casefold())]
    start = max(places, key=lambda at: (sum(at <= one < at + most // 2 for one in places), -at), default=0)
    if len(line) <= most or start < most // 2:
        return short(line, most)
    start += line[start - most // 5 : start].find(" ") + 1 - most // 5
    return "…" + short(line[start:], most - 1)


def day(timestamp: float) -> str:
    """Return a date as people write it: 21 Nov 2026, or 2026年11月21日."""
    moment = time.localtime(timestamp)
    if current() == "zh":
        return f"{moment.tm_year}年{moment.tm_mon}月{moment.tm_mday}日"
    return f"{moment.tm_mday} {_MONTHS[moment.tm_mon - 1]} {moment.tm_year}"


def moment(timestamp: float) -> str:
    """Return a date with the time of day."""
    return f"{day(timestamp)} {time.strftime('%H:%M', time.localtime(timestamp))}"


def said(message: object) -> str:
    """Return Markdown that shows an error or another message of the engine."""
    return plain(in_language(str(message)))


def in_language(message: str) -> str:
    """Return a message of the engine in the session's language, where that is known."""
    for pattern, told in _patterns(current()):
        if found := pattern.fullmatch(message):
            return told.format(**{name: in_language(held) for name, held in found.groupdict().items()})
    said, colon, reason = message.partition("：")
    return said + colon + in_language(reason) if colon else message


@cache
def _patterns(language: Language) -> list[tuple[re.Pattern[str], str]]:
    """Return what the engine says in the other language, as patterns, with the same in this one."""
    messages = [(_pattern(english), chinese) for english, chinese in engine_messages().items() if language == "zh"]
    both = [[_PLAIN_HOLE.sub(r"{\1}", one) for one in pair] for pair in chain(NOTES.values(), in_both())]
    own = ("en", "zh").index(language)
    # What is hardly more than names would be found in other sentences.
    remarks = [(_pattern(one[1 - own]), one[own]) for one in both if len(_PLAIN_HOLE.sub("", one[1])) >= _LEAST_TOLD]
    return [*messages, *remarks]


def _pattern(english: str) -> re.Pattern[str]:
    whole = _HOLE.sub(r"(?P<\1>.+?)", re.escape(english.removesuffix("…")))
    return re.compile(whole + (".*" if english.endswith("…") else ""), re.DOTALL)
