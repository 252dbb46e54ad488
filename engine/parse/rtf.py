"""Rich Text files (.rtf) -> blocks (Rich Text Format Specification 1.9.1).

Headings come from outline levels and heading styles; only a file without any has them inferred from looks, as
Word files have. Lists carry the numbers that the writing program put beside the items.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field, replace

from engine.errors import EncryptedFileError, UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.docx_headings import inferred_headings
from engine.parse.rtf_flow import Flow, Paragraph, Style
from engine.parse.rtf_table import Definition
from engine.parse.rtf_tokens import CHARSETS, Token, code_page, tokens

MEDIA_TYPE = "application/rtf"
MAX_GROUPS = 5000
_MAX_PARENTS = 20
_SIZE = 24.0
_SIGNS = {
    "tab": "\t", "line": "\v", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "~": "\u00a0", "_": "\u2011", "emspace": " ", "enspace": " ", "qmspace": " ",
    "\n": "\v", "\r": "\v",
}  # fmt: skip
_SKIPPED = frozenset({
    "colortbl", "filetbl", "revtbl", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "xe", "tc",
    "tcn", "rxe", "txe", "private", "nonshppict", "objdata", "themedata", "do", "pntxta", "pntxtb", "keycode",
    "author", "operator", "subject", "creatim", "revtim", "printim", "buptim", "comment", "doccomm", "keywords",
    "company", "manager", "category", "hlinkbase", "atnid", "atnauthor", "template", "panose", "falt", "fontemb",
    "sp", "shpinst",
    "nonesttables",
})  # fmt: skip
_DESTINATIONS = {
    "fonttbl": "fonts", "stylesheet": "styles", "title": "title", "listtext": "marker", "pntext": "marker",
    "fldinst": "field", "pict": "picture", "sn": "property", "sv": "value", "info": "info",
    "nesttableprops": "inner row",
}  # fmt: skip
# Of the groups that readers may skip (\*), these hold words or pictures.
_READ_ANYWAY = frozenset({"fldinst", "shppict", "shpinst", "footnote", "annotation", "picprop"})
_SILENT = frozenset({"skipped", "picture", "info"})
_FLOWS = {
    "footnote": "footnote", "annotation": "comment", "shptxt": "box",
    **{f"{zone}{pages}": zone for zone in ("header", "footer") for pages in ("", "l", "r", "f")},
}  # fmt: skip
_HEADING = re.compile(r"(?:heading|überschrift|titre|标题|標題|見出し)\s*(\d)\b")


@dataclass(slots=True)
class _State:
    """What a group inherits and gives back."""

    destination: str = "text"
    optional: bool = False
    unicode_skip: int = 1
    font: int = -1
    bold: bool = False
    hidden: bool = False
    size: float = _SIZE
    paragraph: Paragraph = field(default_factory=Paragraph)
    style_number: int = 0
    flow: bool = False


def parse_rtf(data: bytes, name: str) -> ParsedFile:
    """Return the blocks of a Rich Text file.

    Raises EncryptedFileError for a protected file, UnreadableFileError for groups nested beyond reason,
    LimitExceededError for more blocks or cells than a tree can hold.
    """
    reader = _Reader(name)
    for token in tokens(data):
        reader.take(token)
    return reader.finish()


class _Reader:
    """Follows the groups and control words of a file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._state = _State()
        self._stack: list[_State] = []
        self._flows = [Flow(name)]
        self._codec = "cp1252"
        self._fonts: dict[int, tuple[str, str]] = {}
        self._styles: dict[int, tuple[Style, int | None]] = {}
        self._base: int | None = None
        self._default_font = 0
        self._bytes: list[bytes] = []
        self._skip = 0
        self._words: dict[str, str] = {}
        self._style_level: int | None = None
        self._in_contents = 0
        self._picture: dict[str, int] = {}
        self._notes = 0
        self._opened = False
        self._running: list[Block] = []

    def take(self, token: Token) -> None:
        """Take the next token."""
        opened, self._opened = self._opened, token.word == "{"
        if not token.word:
            self._text(token.text)
            return
        if token.word != "'":
            self._flush_bytes()
        if token.word == "{":
            self._open()
        elif token.word == "}":
            self._close()
        elif token.word == "*":
            # Behind anything but the brace that opens a group the sign means nothing.
            self._state.optional = opened
        else:
            self._control(token.word, token.number)

    def finish(self) -> ParsedFile:
        """Return the document; groups that were never closed are closed."""
        self._flush_bytes()
        while self._stack:
            self._close()
        flow = self._flows[0]
        blocks = flow.finish()
        if not any(block.kind == "heading" and not block.evidence.get("title") for block in blocks):
            blocks = inferred_headings(blocks, flow.looks)
        if flow.has_title:
            blocks = [_below_title(block) for block in blocks]
        noted = " ".join(self._words.get("title", "").split())
        title = next((b.text for b in blocks if b.evidence.get("title")), "")
        if not title and any(noted == block.text for block in blocks[:20]):
            title = noted
        return ParsedFile(MEDIA_TYPE, blocks + self._running, title=title)

    def _open(self) -> None:
        if len(self._stack) > MAX_GROUPS:
            raise UnreadableFileError(
                f"{self._name} is nested too deeply. Open it in Word and save it as .docx."
            )
        self._stack.append(self._state)
        self._state = copy(self._state)
        self._state.paragraph = copy(self._state.paragraph)
        self._state.flow = False
        self._state.optional = False

    def _close(self) -> None:
        ended = self._state
        if not self._stack:
            return
        self._state = self._stack.pop()
        self._skip = 0
        if ended.flow and len(self._flows) > 1:
            self._end_flow()
        elif ended.destination == "picture" != self._state.destination:
            self._end_picture()
        elif ended.destination == "styles" and self._state.destination == "styles":
            self._end_style(ended.style_number)
        elif ended.destination == "fonts":
            self._end_font(ended.font)
        elif ended.destination == "field" != self._state.destination:
            # The result of a field stands in the group beside its instruction.
            if self._words.pop("field", "").strip().upper().startswith("TOC"):
                self._state.destination = "skipped"
        elif ended.destination == "marker" != self._state.destination:
            self._flows[-1].marker = " ".join(self._words.pop("marker", "").split())

    def _control(self, word: str, number: int | None) -> None:
        if self._state.optional:
            self._state.optional = False
            if word not in _READ_ANYWAY and word not in _DESTINATIONS:
                self._state.destination = "skipped"
                return
        if word == "u":
            self._unicode(number or 0)
        elif word in _SIGNS:
            self._add(_SIGNS[word])
        elif word in _FLOWS:
            self._begin_flow(_FLOWS[word])
        elif word in _SKIPPED and not (word == "sp" and self._state.destination == "picture"):
            self._state.destination = "skipped"
        elif word in _DESTINATIONS:
            self._destination(_DESTINATIONS[word])
        elif self._state.destination in {"text", "fonts", "styles", "picture"}:
            self._property(word, number)
        elif word == "uc":
            self._state.unicode_skip = max(number or 0, 0)
        elif word == "nestrow" and self._state.destination == "inner row":
            self._flows[-1].end_inner_row()

    def _destination(self, destination: str) -> None:
        state = self._state
        if state.destination == "skipped" and destination not in {"property", "value"}:
            return
        if destination == "picture":
            self._picture = {}
        if destination in {"marker", "field"}:
            self._words[destination] = ""
        state.destination = destination

    def _property(self, word: str, number: int | None) -> None:
        state, paragraph = self._state, self._state.paragraph
        on = number != 0
        if state.destination == "picture":
            self._picture[word] = number or 0
        elif word == "par" or word == "sect":
            self._flows[-1].end_paragraph(paragraph)
        elif word == "pard":
            state.paragraph = Paragraph()
        elif word == "plain":
            state.bold, state.hidden, state.size, state.font = False, False, _SIZE, -1
        elif word == "b":
            state.bold = on
        elif word in {"v", "deleted"}:
            state.hidden = on
        elif word == "fs":
            state.size = float(number or 0)
        elif word == "f":
            state.font = number if number is not None else -1
        elif word in {"fcharset", "cpg"} and state.destination == "fonts":
            known = CHARSETS.get(number or 0, "") if word == "fcharset" else code_page(number)
            self._fonts[state.font] = (known, self._fonts.get(state.font, ("", ""))[1])
        elif word == "s":
            state.style_number = number or 0
            paragraph.style = self._style(state.style_number)
        elif word == "sbasedon":
            self._base = number
        elif word == "outlinelevel":
            paragraph.outline = number + 1 if number is not None and 0 <= number < 9 else None
            self._style_level = paragraph.outline
        elif word == "ilvl":
            paragraph.list_level = min(max(number or 0, 0), 8) + 1
        elif word == "qc":
            paragraph.centred = True
        elif word == "uc":
            state.unicode_skip = max(number or 0, 0)
        elif word == "deff":
            self._default_font = number or 0
        elif word == "ansicpg":
            self._codec = code_page(number)
        elif word == "mac":
            self._codec = "mac_roman"
        elif word == "encrypted" or word == "password":
            raise EncryptedFileError(
                f"{self._name} is protected by a password. Remove the protection and add it again."
            )
        else:
            self._table_word(word, number)

    def _table_word(self, word: str, number: int | None) -> None:
        flow, paragraph = self._flows[-1], self._state.paragraph
        if word == "intbl":
            paragraph.nesting = max(paragraph.nesting, 1)
        elif word == "itap":
            paragraph.nesting = max(number or 0, 0)
        elif word == "trowd":
            flow.definition = Definition()
        elif word == "cellx":
            flow.definition.close_cell(number or 0)
        elif word == "clvmrg":
            flow.definition.merges_up = True
        elif word == "clmrg":
            flow.definition.merges_aside = True
        elif word == "trhdr":
            flow.definition.header = True
        elif word == "cell":
            flow.end_cell()
        elif word == "nestcell":
            flow.end_inner_cell()
        elif word == "nestrow":
            flow.end_inner_row()
        elif word == "row":
            flow.end_row()

    def _begin_flow(self, kind: str) -> None:
        if self._state.destination == "skipped" and kind != "box":
            return
        self._state.destination = "text"
        self._state.flow = True
        self._state.paragraph = Paragraph()
        self._flows.append(Flow(self._name, kind))

    def _end_flow(self) -> None:
        flow = self._flows.pop()
        blocks = flow.finish()
        outer = self._flows[-1]
        if flow.kind in {"header", "footer"}:
            self._running += [
                replace(block, metadata=block.metadata | {"running": flow.kind})
                for block in blocks
                if block.text
            ]
            return
        if flow.kind == "box":
            for block in blocks:
                outer.hang(block)
            return
        text = "\n".join(block.text for block in blocks if block.text)
        if text:
            facts = {"note": flow.kind}
            if flow.kind == "footnote":
                self._notes += 1
                facts["number"] = str(self._notes)
            outer.hang(Block("paragraph", text, metadata=facts))

    def _end_style(self, number: int) -> None:
        name = self._words.pop("styles", "").split(";")[0].strip().casefold()
        match = _HEADING.match(name)
        level = int(match[1]) if match and match[1] != "0" else self._style_level
        self._styles[number] = (Style(name, level), self._base)
        self._style_level = self._base = None

    def _style(self, number: int) -> Style:
        """Return a style with the level that it or the nearest style below it has."""
        first, base = self._styles.get(number, (Style(), None))
        level = first.level
        for _ in range(_MAX_PARENTS):
            if level is not None or base is None or base not in self._styles:
                break
            below, base = self._styles[base]
            level = below.level
        return Style(first.name, level)

    def _end_font(self, number: int) -> None:
        name = self._words.pop("fonts", "").split(";")[0].strip().lower()
        if name:
            self._fonts[number] = (self._fonts.get(number, ("", ""))[0], name)

    def _end_picture(self) -> None:
        alt = " ".join(self._words.pop("alt", "").split())
        size = (self._picture.get(key, 0) / 20 or None for key in ("picwgoal", "pichgoal"))
        width, height = size
        if self._state.destination != "skipped":
            facts = {"alt": alt, "width": width, "height": height}
            self._flows[-1].hang(Block("image", alt, metadata=facts))

    def _unicode(self, number: int) -> None:
        self._add(chr(number % 65536))
        self._skip = self._state.unicode_skip

    def _text(self, data: bytes) -> None:
        if self._skip:
            cut = min(self._skip, len(data))
            self._skip -= cut
            data = data[cut:]
        if data and self._state.destination not in _SILENT:
            self._bytes.append(data)

    def _flush_bytes(self) -> None:
        if self._bytes:
            data = b"".join(self._bytes)
            self._bytes = []
            self._add(data.decode(self._codec_here(), "replace"))

    def _codec_here(self) -> str:
        state = self._state
        font = state.font if state.font >= 0 else self._default_font
        known = self._fonts.get(font, ("", ""))[0]
        return known if known and known != "cp1252" else self._codec

    def _add(self, text: str) -> None:
        state = self._state
        if state.destination == "text":
            if not state.hidden:
                font = self._fonts.get(state.font if state.font >= 0 else self._default_font, ("", ""))[1]
                self._flows[-1].add(text, state.size / 2, state.bold, font)
        elif state.destination == "value":
            if self._words.get("property", "").strip() == "wzDescription":
                self._words["alt"] = self._words.get("alt", "") + text
        elif state.destination == "property":
            self._words["property"] = text
            if text.strip() == "wzDescription":
                self._words["alt"] = ""
        elif state.destination not in _SILENT:
            self._words[state.destination] = self._words.get(state.destination, "") + text


def _below_title(block: Block) -> Block:
    if block.kind != "heading" or block.evidence.get("title") or block.level is None:
        return block
    return replace(block, level=min(block.level + 1, 10))
