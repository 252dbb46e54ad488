"""Rich Text files (.rtf) as pandoc reads them best: in UTF-8, paragraphs with the outline levels of their styles.

pandoc knows few character sets and takes those of single fonts for the file's, so that text in Chinese, Japanese or
Czech comes out garbled. Which set a byte is in, the font that is on there says (Rich Text Format Specification 1.9.1).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.errors import EncryptedFileError, UnreadableFileError
from engine.parse.docx_styles import NAMES
from engine.parse.pandoc_marks import TITLE

MAX_GROUPS = 5000
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
_CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250", 255: "cp437",
}  # fmt: skip
_PAGES = {936: "gb18030", 10000: "mac_roman", 65001: "utf-8"}
_PROTECTED = re.compile(rb"\\(?:encrypted|password)\b")
_MARKS = re.compile(r"[\\{}]")
_SIGNS = {"~": "\u00a0", "_": "\u2011", "-": "", "\n": "\\par ", "\r": "\\par "}
_LEFT_OUT = frozenset(
    {"nonshppict", "nonesttables", "objdata", "themedata", "datastore", "fontemb", "fldtitle"}
)
# The numbers and bullets of lists as shown; where a paragraph names its list, pandoc counts itself.
_LABELS = frozenset({"listtext", "pntext"})
# Where links and the like stand, pandoc loses words: their results are written as any other text.
_FIELDS = frozenset({"field", "fldrslt", "fldinst"})
# pandoc leaves these out: they come last.
_ASIDE = frozenset(
    {"annotation", *(f"{zone}{page}" for zone in ("header", "footer") for page in ("", "l", "r", "f"))}
)


class Token(NamedTuple):
    """A control word or symbol with its number, a brace, or bytes of text (``word`` is then "")."""

    word: str
    number: int | None = None
    text: bytes = b""


def _tokens(data: bytes) -> Iterator[Token]:
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


@dataclass(frozen=True, slots=True)
class _State:
    """What a group inherits and gives back."""

    font: int = -1
    skip: int = 1
    table: str = ""
    style: int = 0
    dropped: bool = False
    aside: bool = False


@dataclass
class _Writer:
    """Writes the tokens of a file again."""

    name: str
    codec: str = "cp1252"
    default_font: int = 0
    charsets: dict[int, str] = field(default_factory=dict)
    levels: dict[int, int] = field(default_factory=dict)
    state: _State = field(default_factory=_State)
    outer: list[_State] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    star: bool = False
    in_contents: bool = False
    heading: bool = False
    listed: bool = False
    label: range = range(0)
    titles: set[int] = field(default_factory=set)
    waiting: bytes = b""
    fallback: int = 0

    def take(self, token: Token) -> None:
        """Write the next token."""
        if not token.word:
            cut = min(self.fallback, len(token.text))
            self.fallback -= cut
            self.waiting += token.text[cut:]
            return
        self._write_text()
        self.fallback = 0
        if token.word == "{":
            if len(self.outer) > MAX_GROUPS:
                raise UnreadableFileError(
                    f"{self.name} is nested too deeply. Open it in Word and save it as .docx."
                )
            self._add("{")
            self.outer.append(self.state)
        elif token.word != "}":
            self._control(token.word, token.number)
        elif len(self.outer) > 1:  # what stands behind the outermost group belongs to it
            if self.state.table == "label" != self.outer[-1].table:
                self.label = range(self.label.start, len(self.out))
            self.state = self.outer.pop()
            self._add("}")

    def finish(self) -> bytes:
        """Return the file; groups that were never closed are closed."""
        self._write_text()
        while len(self.outer) > 1:
            self.take(Token("}"))
        text = "".join([*self.out, *self.aside, "}"])
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()

    def _control(self, word: str, number: int | None) -> None:
        state = self.state
        if word == "u":
            self.fallback = state.skip
            self._add(_escaped(chr((number or 0) % 65536)))
        elif word in _SIGNS:
            self._add(_SIGNS[word])
        elif word == "uc":
            self.state = replace(state, skip=max(number or 0, 0))
        elif word == "ansicpg":
            self.codec = code_page(number)
        elif word == "mac":
            self.codec = "mac_roman"
        elif word == "deff":
            self.default_font = number or 0
        elif word == "fcharset" and state.table == "fonttbl":
            self.charsets[state.font] = _CHARSETS.get(number or 0, "")
        elif word in _LABELS:
            self.label = range(len(self.out), len(self.out))
            self.state = replace(state, table="label")
        elif state.table == "label" and word in {"pard", "plain"}:
            pass  # the label stands before its paragraph or in it
        elif word == "ls" and self.heading:
            pass  # pandoc would make an item of it
        elif word in _FIELDS:
            self._field(word)
        elif word in _ASIDE:
            self.state = replace(state, aside=True)
            self._add("\\par\\pard\\plain ")
        elif word == "*" or (word == "rtf" and len(self.outer) > 1):
            self.star = word == "*"
        else:
            star, self.star = "\\*" if self.star else "", False
            self._add(f"{star}\\{word}{'' if number is None else number}{' ' if word.isalpha() else ''}")
            self._note(word, number or 0)

    def _take_label(self) -> str:
        """Take the label of the paragraph out of what was written and return it."""
        label = "".join(self.out[place] for place in self.label)
        for place in self.label:
            self.out[place] = ""
        self.label = range(0)
        return label

    def _field(self, word: str) -> None:
        """Leave out what a field asks for, and tables of contents."""
        self.star = False
        if word == "fldinst":
            self.in_contents = False
        dropped = word == "fldinst" or (word == "fldrslt" and self.in_contents)
        self.state = replace(self.state, table=word, dropped=self.state.dropped or dropped)

    def _note(self, word: str, number: int) -> None:
        """Keep what a control word means for the text and the paragraphs behind it."""
        if word in {"f", "plain"}:
            self.state = replace(self.state, font=number if word == "f" else -1)
        elif word == "pard":
            self.heading = self.listed = False
        elif word == "ls" and self.state.table != "listoverridetable":
            self.listed = True
        elif word == "par":
            if self.listed:  # pandoc counts it as an item of its list
                self._take_label()
            self.label = range(0)
        elif word in {"fonttbl", "stylesheet", "listoverridetable"}:
            self.state = replace(self.state, table=word)
        elif word in _LEFT_OUT:
            self.state = replace(self.state, dropped=True)
        elif word == "sbasedon" and number in self.levels:
            self.levels[self.state.style] = self.levels[number]
        elif word == "s" and self.state.table == "stylesheet":
            self.state = replace(self.state, style=number)
        elif word == "s" and number in self.levels:
            self.heading = True
            self._add(f"\\outlinelevel{self.levels[number]} {self._take_label()}")
        elif word == "s" and number in self.titles:
            self._add(TITLE)
        elif word == "outlinelevel" and self.state.table == "stylesheet":
            self.levels[self.state.style] = number

    def _write_text(self) -> None:
        if not self.waiting:
            return
        font = self.state.font if self.state.font >= 0 else self.default_font
        known = self.charsets.get(font, "")
        text = self.waiting.decode(known if known and known != "cp1252" else self.codec, "replace")
        self.waiting = b""
        self._add(_escaped(text))
        self.in_contents |= self.state.table == "fldinst" and text.strip().upper().startswith("TOC")
        if self.state.table == "stylesheet" and (heading := NAMES["heading"].match(text)):
            self.levels[self.state.style] = int(heading["level"]) - 1
        elif self.state.table == "stylesheet" and text.strip().casefold() == "title;":
            self.titles.add(self.state.style)

    def _add(self, text: str) -> None:
        if not self.state.dropped:
            (self.aside if self.state.aside else self.out).append(text)


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\g<0>", text)


def in_unicode(data: bytes, name: str) -> bytes:
    """Return a Rich Text file with the same text, all of it in UTF-8.

    Raises EncryptedFileError for a protected file, UnreadableFileError for groups nested beyond reason.
    """
    if _PROTECTED.search(data[:4096]):
        raise EncryptedFileError(
            f"{name} is protected by a password. Remove the protection and add it again."
        )
    writer = _Writer(
        name,
    )
    for token in _tokens(data):
        writer.take(token)
    return writer.finish()
