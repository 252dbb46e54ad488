"""All texts of the interface in English and Chinese; ``t("key")`` gives the one of the session's language.

They stand in ``pages/texts``, a file a page: a key with the English and the Chinese text. What Streamlit itself writes
on the page (its uploader, its fields, the names of its buttons) is English; the page changes it in the browser.
"""

import time
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pages.widgets.frontend import component
from pages.widgets.language import Language, current

_FOLDER = Path(__file__).parents[1] / "texts"
_SAID_BY_THE_ENGINE, _SAID_BY_STREAMLIT = "messages.toml", "streamlit.toml"
_native = component("language_native")


@cache
def _read(name: str) -> dict[str, Any]:
    """Return one file of texts."""
    return tomllib.loads((_FOLDER / name).read_text("utf-8"))


TEXTS: dict[str, tuple[str, str]] = {
    key: (both[0], both[1])
    for file in sorted(_FOLDER.glob("*.toml"))
    if file.name not in (_SAID_BY_THE_ENGINE, _SAID_BY_STREAMLIT)
    for key, both in _read(file.name).items()
}


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


def day(timestamp: float) -> str:
    """Return a date as people write it: 21 Nov 2026, or 2026年11月21日."""
    moment = time.localtime(timestamp)
    if current() == "zh":
        return f"{moment.tm_year}年{moment.tm_mon}月{moment.tm_mday}日"
    return f"{moment.tm_mday} {_MONTHS[moment.tm_mon - 1]} {moment.tm_year}"


def moment(timestamp: float) -> str:
    """Return a date with the time of day."""
    return f"{day(timestamp)} {time.strftime('%H:%M', time.localtime(timestamp))}"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
