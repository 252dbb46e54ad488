"""Markdown -> blocks: CommonMark, tables, strikethrough and math, by way of a web page; nothing is fetched."""

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from selectolax.lexbor import LexborHTMLParser

from engine.model import Block, ParsedFile
from engine.parse.encoding import decode
from engine.parse.html import blocks_of_page
from engine.parse.limits import check_blocks
from engine.parse.pdf_paragraphs import ENDS_SENTENCE, LABELLED
from engine.parse.pdf_text import unspaced
from engine.structure.numbering import list_marker

MAX_NESTING = 60
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_KEY_VALUE = re.compile(r"^([\w-]+)[ \t]*:[ \t]*(\S.*)$", re.M)
# Formulas, and runs of opening brackets: no link is nested so deep.
_AS_IT_STANDS = re.compile(
    r"\$\$.{1,2000}?\$\$|\\\(.{1,2000}?\\\)|\\\[.{1,2000}?\\\]|\$(?![\s$])(?:\\.|[^$\\\n])*?(?<!\s)\$(?!\d)|(?:!?\[){12,}",
    re.S,
)
_NOTE = re.compile(r"\[\^([^\]\s]{1,100})\]")
# Of tags among words these are written: line breaks and readings beside characters (ruby).
_KEPT = re.compile(r"</?(?:br|ruby|rt|rp|rb)\b", re.I)
_TAG = re.compile(r"<[^>]*>")
MOST_MATH_LINES = 100
WIDE_SPACE = "\u3000"


def parse_markdown(data: bytes, name: str) -> ParsedFile:
    """Return the blocks of a Markdown file. Raises LimitExceededError when there are more than a tree can hold."""
    decoded = decode(data)
    blocks: list[Block] = []
    text = decoded.text
    facts: dict[str, str] = {}
    if front := _FRONT_MATTER.match(text):
        facts = {key.lower(): value.strip("\"' ") for key, value in _KEY_VALUE.findall(front[1])}
        blocks.append(Block("paragraph", front[1].strip()))
        text = text[front.end() :]
    parser = _parser()
    tokens = parser.parse(text)
    check_blocks(sum(token.nesting > 0 for token in tokens), name)
    blocks += blocks_of_page(parser.renderer.render(tokens, parser.options, {}), name)
    title = facts.get("title") or next((b.text for b in blocks if b.kind == "heading" and b.level == 1), "")
    return ParsedFile("text/markdown", blocks, title=title, warnings=decoded.warnings)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}, renderer_cls=_Renderer)
    parser.enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # a picture's address may be the picture itself
    parser.inline.ruler.before("escape", "as_it_stands", _as_it_stands)
    parser.inline.ruler.before("link", "note_reference", _note_reference)
    parser.block.ruler.before("reference", "note", _note, {"alt": ["paragraph", "reference"]})
    parser.block.ruler.before("fence", "math_block", _block_math, {"alt": ["paragraph", "blockquote", "list"]})
    return parser


def _as_it_stands(state: StateInline, silent: bool) -> bool:
    match = _AS_IT_STANDS.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("text", "", 0).content = match[0]
    state.pos = match.end()
    return True


def _note_reference(state: StateInline, silent: bool) -> bool:
    """Leave out the number that leads to a footnote."""
    match = _NOTE.match(state.src, state.pos)
    if match is None or match[1] not in state.env.get("notes", ()):
        return False
    state.pos = match.end()
    return True


def _note(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a footnote and what is indented below it."""
    match = _NOTE.match(_line(state, start))
    if match is None or _line(state, start)[match.end() : match.end() + 1] != ":" or state.is_code_block(start):
        return False
    if silent:
        return True
    last = start + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent + 4):
        last += 1
    state.env.setdefault("notes", set()).add(match[1])
    state.push("note_open", "aside", 1).attrs = {"data-note": "footnote", "data-number": match[1]}
    state.bMarks[start] += state.tShift[start] + match.end() + 1
    indents, state.sCount = state.sCount, [max(0, count - 4) for count in state.sCount]
    state.tShift[start] = len(state.src[state.bMarks[start] :]) - len(state.src[state.bMarks[start] :].lstrip(" "))
    state.md.block.tokenize(state, start, last)
    state.sCount = indents
    state.push("note_close", "aside", -1)
    state.line = last
    return True


def _block_math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = _line(state, start)
    if not first.startswith("$$") or state.is_code_block(start):
        return False
    last = start
    if not (len(first) > 4 and first.endswith("$$")):
        lines = range(start + 1, min(end, start + MOST_MATH_LINES))
        last = next((n for n in lines if _line(state, n).endswith("$$")), -1)
        if last < 0:
            return False
    if not silent:
        token = state.push("math_block", "", 0)
        token.content = "\n".join(_line(state, n) for n in range(start, last + 1)).strip("$").strip()
        state.line = last + 1
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()


class _Renderer(RendererHTML):
    """Writes the page that our reader of web pages reads."""

    def softbreak(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Write nothing for a line break between Chinese characters, and keep one before an item or a label."""
        before, after = (_words(tokens, idx, step) for step in (-1, 1))
        if not before or not after:
            return "\n"
        own = _begins(after) and (_begins(before) or ENDS_SENTENCE.search(before.rstrip()))
        return "<br>" if own or after[0] == WIDE_SPACE else "" if unspaced(before[-1], after[0]) else "\n"

    def list_item_open(self, tokens: Sequence[Token], idx: int, *how: Any) -> str:
        """Write what stands behind an item's number."""
        tokens[idx].attrSet("data-mark", tokens[idx].markup)
        return self.renderToken(tokens, idx, *how)

    def fence(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Write code with its language, or a formula, as it stands."""
        token = tokens[idx]
        facts = {"kind": "equation"} if token.type == "math_block" else {"language": token.info.strip()}
        return f"<pre{_attributes(facts, 'data-')}>\n{escapeHtml(token.content)}</pre>"

    code_block = math_block = fence  # type: ignore[assignment]

    def html_block(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Write HTML with every element closed, so that it holds nothing of what follows."""
        body = LexborHTMLParser(tokens[idx].content).body
        inside = (body.html or "").removeprefix("<body>").removesuffix("</body>") if body is not None else ""
        return f"<div>{inside}</div>"

    def html_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Write tags of line breaks and readings; of others the words stay."""
        return tokens[idx].content if _KEPT.match(tokens[idx].content) else ""

    def image(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Write a picture; one without words counts, too."""
        token = tokens[idx]
        alt = _TAG.sub("", token.content).strip()
        facts = {"alt": alt, "title": token.attrGet("title"), "src": token.attrGet("src")}
        return f"<picture><img{_attributes(facts)}></picture>"


def _words(tokens: Sequence[Token], at: int, step: int) -> str:
    """Return what the line of a paragraph before (-1) or after (1) a line break says."""
    line = list[str]()
    while 0 <= (at := at + step) < len(tokens) and tokens[at].type not in ("softbreak", "hardbreak"):
        line.append("" if tokens[at].type == "html_inline" else tokens[at].content)
    return "".join(line[::step])


def _begins(line: str) -> bool:
    return bool(list_marker(line) or LABELLED.match(line))


def _attributes(facts: dict[str, Any], prefix: str = "") -> str:
    return "".join(f' {prefix}{name}="{escapeHtml(str(value or ""))}"' for name, value in facts.items())
