"""HTML inside Markdown -> blocks: headings, paragraphs, list items, tables and images; tags are dropped."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from engine.model import Block
from engine.parse.picture import source_of
from engine.parse.table_text import Grid, table_block

_SILENT = {"script", "style", "template", "head", "noscript"}
_BREAKING = frozenset((
    "p", "div", "section", "article", "header", "footer", "blockquote", "ul", "ol", "li", "dl", "dt", "dd",
    "tr", "table", "thead", "tbody", "pre", "hr", "details", "summary", "figure", "figcaption", "center",
    "main", "nav", "h1", "h2", "h3", "h4", "h5", "h6",
))  # fmt: skip
_TAG = re.compile(r"<[^>]*>")


def html_blocks(source: str) -> list[Block]:
    """Return the blocks of a piece of HTML; it need not be well-formed."""
    parser = _Reader()
    parser.feed(_closed(source))
    parser.close()
    parser.flush()
    return parser.blocks


def _closed(source: str) -> str:
    """Return HTML without comments and without a tag that nothing ends, over which a parser goes again and again."""
    parts = []
    start = 0
    while (opening := source.find("<!--", start)) >= 0:
        parts.append(source[start:opening])
        end = source.find("-->", opening + 4)
        if end < 0:
            start = len(source)
            break
        start = end + 3
    parts.append(source[start:])
    whole = "".join(parts).replace("<![CDATA[", "").replace("]]>", "")
    last = whole.rfind(">") + 1
    return whole[:last] + whole[last:].replace("<", " ")


def tag_text(source: str) -> str:
    """Return a short text without tags."""
    return _TAG.sub("", source).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._text: list[str] = []
        self._silent = 0
        self._lists: list[tuple[bool, int]] = []
        self._kind = "p"
        self._grid: Grid | None = None
        self._header_rows = 0
        self._spans: tuple[int, int] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        if tag in _SILENT:
            self._silent += 1
        elif self._grid is not None and tag != "table":
            self._start_in_table(tag, values)
        elif tag == "img":
            self._image(values)
        elif tag == "br":
            self._text.append("\n")
        elif tag in _BREAKING:
            self.flush()
            self._kind = tag if tag[0] == "h" or tag in {"li", "pre", "figcaption"} else "p"
            if tag in {"ul", "ol"}:
                self._lists.append((tag == "ol", 0))
            elif tag == "li" and self._lists:
                ordered, number = self._lists[-1]
                self._lists[-1] = (ordered, number + 1)
            elif tag == "table":
                self._grid, self._header_rows = Grid(), 0

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif self._grid is not None:
            self._end_in_table(tag)
        elif tag in _BREAKING:
            self.flush()
            self._kind = "p"
            if tag in {"ul", "ol"} and self._lists:
                self._lists.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._text.append(data)

    def flush(self) -> None:
        """Turn the text gathered so far into a block."""
        text = "".join(self._text)
        self._text = []
        text = text.strip("\n") if self._kind == "pre" else _spaced(text)
        if not text.strip():
            return
        if self._kind in {"h1", "h2", "h3", "h4", "h5", "h6"}:
            self.blocks.append(Block("heading", text, level=int(self._kind[1])))
        elif self._lists:
            ordered, number = self._lists[-1]
            marker = f"{number}." if ordered else "•"
            facts = {"marker": marker if self._kind == "li" else "", "ordered": ordered}
            self.blocks.append(Block("list_item", text, level=len(self._lists), metadata=facts))
            self._kind = "p"
        elif self._kind == "pre":
            self.blocks.append(Block("code", text))
        else:
            self.blocks.append(Block("caption" if self._kind == "figcaption" else "paragraph", text))

    def close(self) -> None:
        """Finish the text and a table that was never closed."""
        super().close()
        self._close_table()

    def _image(self, values: dict[str, str]) -> None:
        alt = _spaced(values.get("alt") or values.get("title", ""))
        facts = {"alt": alt, "source": source_of(values.get("src", ""))}
        self.blocks.append(Block("image", alt, metadata=facts))

    def _start_in_table(self, tag: str, values: dict[str, str]) -> None:
        assert self._grid is not None
        if tag == "tr":
            self._close_cell()
            self._grid.next_row()
        elif tag in {"td", "th"}:
            self._close_cell()
            self._spans = (_span(values.get("rowspan")), _span(values.get("colspan")))
            if tag == "th" and self._grid.row == self._header_rows:
                self._header_rows += 1
        elif tag in {"br", "p", "li", "div"}:
            self._text.append("\n")

    def _end_in_table(self, tag: str) -> None:
        if tag in {"td", "th", "tr"}:
            self._close_cell()
        elif tag == "table":
            self._close_table()

    def _close_cell(self) -> None:
        assert self._grid is not None
        text, self._text = _spaced("".join(self._text)), []
        if self._spans is not None:
            self._grid.add(text, *self._spans)
            self._spans = None

    def _close_table(self) -> None:
        if self._grid is None:
            return
        self._close_cell()
        block = table_block(self._grid.cells, self._header_rows)
        self._grid = None
        if block is not None:
            self.blocks.append(block)


def _span(value: str | None) -> int:
    return min(int(value), 100) if value and value.isdigit() and value != "0" else 1


def _spaced(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return " ".join(line for line in lines if line)
