"""Rich Text Format as a stream of tokens, and the character sets its fonts and headers name."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?"  # a control word with its number
    rb"|\\'([0-9a-fA-F]{2})"  # a byte of text
    rb"|\\(.)"  # a control symbol
    rb"|([{}])"
    rb"|([^\\{}\r\n]+)"
    rb"|[\r\n]+|\\$",
    re.S,
)
# Windows character sets (\fcharset) as code pages.
CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250", 255: "cp437",
}  # fmt: skip
_PAGES = {936: "gb18030", 10000: "mac_roman", 65001: "utf-8"}


class Token(NamedTuple):
    """A control word or symbol with its number, a brace, or bytes of text (``word`` is then "")."""

    word: str
    number: int | None = None
    text: bytes = b""


def tokens(data: bytes) -> Iterator[Token]:
    """Yield the tokens of a file; binary data that is announced is left out."""
    at = 0
    while match := _TOKEN.match(data, at):
        at = match.end()
        word, number, byte, symbol, brace, text = match.groups()
        if word:
            value = int(number) if number else None
            if word == b"bin":
                at += max(value or 0, 0)
            else:
                yield Token(word.decode("ascii"), value)
        elif byte:
            yield Token("", None, bytes((int(byte, 16),)))
        elif symbol and symbol in b"{}\\":
            yield Token("", None, symbol)
        elif symbol:
            yield Token(symbol.decode("latin-1"))
        elif brace:
            yield Token(brace.decode("ascii"))
        elif text:
            yield Token("", None, text)


def code_page(number: int | None) -> str:
    """Return the codec of a Windows code page, cp1252 where there is none."""
    name = _PAGES.get(number or 0, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
