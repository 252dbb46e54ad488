"""Rich Text files (.rtf) as pandoc reads them best: in UTF-8, paragraphs with the outline levels of their styles.

pandoc knows few character sets and takes those of single fonts for the file's, so that text in Chinese, Japanese or
Czech comes out garbled. Which set a byte is in, the font that is on there says (Rich Text Format Specification 1.9.1).
"""

import codecs
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace

from engine.errors import UnreadableFileError
from engine.parse.docx_styles import NAMES
from engine.parse.limits import protected

# Before the words of a title: a private character of Unicode.
TITLE = "\ue002"
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
_LEFT_OUT = frozenset({"nonshppict", "nonesttables", "objdata", "themedata", "datastore", "fontemb", "fldtitle"})
# Where links and the like stand, pandoc loses words: their results are written as any other text.
_FIELDS = frozenset({"field", "fldrslt", "fldinst"})
# pandoc leaves these out: they come last.
_ASIDE = frozenset({"annotation", *(f"{zone}{page}" for zone in ("header", "footer") for page in ("", "l", "r", "f"))})


def code_page(number: int | None) -> str:
    """Return the codec of a Windows code page, cp1252 where there is none."""
    with suppress(LookupError):
        return codecs.lookup(_PAGES.get(number or 0, f"cp{number}")).name
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

    codec: str = "cp1252"
    default_font: int = 0
    charsets: dict[int, str] = field(default_factory=dict)
    levels: dict[int, int] = field(default_factory=dict)
    state: _State = field(default_factory=_State)
    outer: list[_State] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    star: bool = False
    heading: bool = False
    titles: set[int] = field(default_factory=set)
    waiting: bytes = b""
    fallback: int = 0

    def written(self, data: bytes, name: str) -> str:
        """Return the tokens of a file as a text without binary data, all groups closed. Raises UnreadableFileError."""
        at = 0
        while match := _TOKEN.match(data, at):
            at = match.end()
            word, number, byte, symbol, brace, text = match.groups()
            if word == b"bin":
                at += max(int(number or 0), 0)
            elif word or brace or (symbol and symbol not in b"{}\\"):
                self._write_text()
                self.fallback = 0
                if brace == b"{":
                    self._add("{")
                    self.outer.append(self.state)
                elif brace:
                    self._close()
                else:
                    self._control((word or symbol).decode("latin-1"), int(number) if number else None)
                if len(self.outer) > MAX_GROUPS:
                    raise UnreadableFileError(f"{name} is nested too deeply. Open it in Word and save it as .docx.")
            else:
                shown = bytes.fromhex(byte.decode("ascii")) if byte else symbol or text or b""
                cut = min(self.fallback, len(shown))
                self.fallback -= cut
                self.waiting += shown[cut:]
        self._write_text()
        while len(self.outer) > 1:
            self._close()
        return "".join([*self.out, *self.aside, "}"])

    def _close(self) -> None:
        if len(self.outer) > 1:  # what stands behind the outermost group belongs to it
            self.state = self.outer.pop()
            self._add("}")

    def _control(self, word: str, number: int | None) -> None:
        state = self.state
        if word == "u":
            self.fallback = state.skip
            self._add(_escaped(chr((number or 0) % 65536)))
        elif word in _SIGNS:
            self._add(_SIGNS[word])
        elif word == "uc":
            self.state = replace(state, skip=max(number or 0, 0))
        elif word in {"ansicpg", "mac"}:
            self.codec = code_page(10000 if word == "mac" else number)
        elif word == "deff":
            self.default_font = number or 0
        elif word == "fcharset" and state.table == "fonttbl":
            self.charsets[state.font] = _CHARSETS.get(number or 0, "")
        elif word == "ls" and self.heading:
            pass  # pandoc would make an item of it
        elif word in _FIELDS:  # what it asks for is left out
            self.star = False
            self.state = replace(state, dropped=state.dropped or word == "fldinst")
        elif word in _ASIDE:
            self.state = replace(state, aside=True)
            self._add("\\par\\pard\\plain ")
        elif word == "*" or (word == "rtf" and len(self.outer) > 1):
            self.star = word == "*"
        else:
            star, self.star = "\\*" if self.star else "", False
            self._add(f"{star}\\{word}{'' if number is None else number}{' ' if word.isalpha() else ''}")
            self._note(word, number or 0)

    def _note(self, word: str, number: int) -> None:
        """Keep what a control word means for the text and the paragraphs behind it."""
        if word in {"f", "plain"}:
            self.state = replace(self.state, font=number if word == "f" else -1)
        elif word == "pard":
            self.heading = False
        elif word in {"fonttbl", "stylesheet"}:
            self.state = replace(self.state, table=word)
        elif word in _LEFT_OUT:
            self.state = replace(self.state, dropped=True)
        elif word == "sbasedon" and number in self.levels:
            self.levels[self.state.style] = self.levels[number]
        elif word == "s" and self.state.table == "stylesheet":
            self.state = replace(self.state, style=number)
        elif word == "s" and number in self.levels:
            self.heading = True
            self._add(f"\\outlinelevel{self.levels[number]} ")
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
    """Return the file with all text in UTF-8. Raises EncryptedFileError, or UnreadableFileError for endless nesting."""
    if _PROTECTED.search(data[:4096]):
        raise protected(name)
    text = _Writer().written(data, name)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
