"""Which lines of a found table may be quoted as an answer.

A header row says what stands below it and answers nothing; a row answers when it is the one asked for: it holds a word
of the question which its header and the other rows do not. What must be computed from the rows is left to operators.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.answer.check.locate import sentences_of
from engine.answer.computations import states, wants_computed
from engine.answer.expected import expected_of
from engine.answer.irregular_forms import with_other_forms
from engine.answer.quotes import MOST_ITEMS, Quote
from engine.answer.terms import HOW, Piece, content_terms, pieces_of
from engine.answer.translated import translated_pieces
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.retrieve.intent import intent_of
from engine.structure.sentences import is_cjk


def header_of(item: Evidence) -> tuple[str, ...]:
    """Return the header rows of a table as lines of words; empty for other nodes and tables without a header."""
    if item.table is None:
        return ()
    facts = item.table.metadata
    rows = (facts.get("rows") or [])[: int(facts.get("header_rows") or 0)]
    return tuple(line for row in rows if (line := _plain(" ".join(map(str, row)))))


def is_header(text: str, item: Evidence) -> bool:
    """True when a line of a table is one of its header rows."""
    return _plain(text) in header_of(item)


def answering_rows(question: str, item: Evidence, texts: Sequence[str]) -> set[int]:
    """Return which lines of a table (``texts``, header included) are rows that the question asks for.

    A row that must be computed with is none, unless it tells the outcome itself.
    """
    header, computed = header_of(item), wants_computed(question)
    body = {i: frozenset(tokens(text)) for i, text in enumerate(texts) if _plain(text) not in header}
    wanted = frozenset(content_terms(question))
    if is_cjk(item.text) != is_cjk(question):
        wanted = wanted.union(*(piece.terms for piece in translated_pieces(question)))
    named = frozenset(tokens(" ".join(header)))
    common = frozenset.intersection(*body.values()) if len(body) > 1 else frozenset()
    return {
        i
        for i, terms in body.items()
        if (terms - named - common) & wanted and (not computed or states(texts[i], computed))
    }


def listed(question: str, index: int, item: Evidence) -> list[Quote]:
    """Return the whole of a small table where the question asks for what it lists; else nothing.

    The table must hold all that is said of it in its header, its caption or what stands over it.
    """
    intent = intent_of(question)
    asks = expected_of(question) == "list" or intent.about
    if not asks or wants_computed(question) or item.table is None or item.text != item.table.text:
        return []
    lines = sentences_of(item.text, "table")
    if len(lines) > MOST_ITEMS:
        return []
    told = frozenset(tokens(" ".join([*header_of(item), *_over(item)])))
    if any(piece.terms and not piece.terms & told for piece in pieces_of(question)):
        return []
    return [Quote(index, line.start, line.end, place > 0) for place, line in enumerate(lines)]


def only_names_rows(question: str, quotes: Sequence[Quote], evidence: Sequence[Evidence]) -> bool:
    """True where rows alone are quoted, and what else is asked than which row stands nowhere over their cells."""
    if not quotes or not all(header_of(evidence[quote.index]) for quote in quotes):
        return False
    rows: set[str] = set()
    told: set[str] = set()
    pieces: list[Piece] = []
    for quote in quotes:
        item = evidence[quote.index]
        line = item.text[quote.start : quote.end]
        if not is_header(line, item):
            rows |= with_other_forms(tokens(line))
        told |= with_other_forms(tokens(" ".join([*header_of(item), *_over(item)])))
        same = is_cjk(item.text) == is_cjk(question)
        pieces += pieces_of(question) if same else translated_pieces(question)
    rest = [piece for piece in pieces if not piece.terms & rows]
    return bool(rest or HOW.search(question)) and not any(piece.terms & told for piece in rest)


def with_headers(quotes: Sequence[Quote], evidence: Sequence[Evidence]) -> list[Quote]:
    """Return quotations with the header row over the first row of each table: it says what the cells are."""
    found: list[Quote] = []
    headed: set[int] = set()
    for quote in quotes:
        item = evidence[quote.index]
        if not header_of(item):
            found.append(quote)
            continue
        if quote.index not in headed:
            headed.add(quote.index)
            lines = sentences_of(item.text, "table")
            found += [Quote(quote.index, one.start, one.end) for one in lines if is_header(one.text, item)]
        found.append(Quote(quote.index, quote.start, quote.end, True))
    return found


def _over(item: Evidence) -> list[str]:
    """Return what stands over a table: its title and caption, its document's name and sections."""
    caption = str(item.table.metadata.get("caption") or "") if item.table is not None else ""
    return [item.title, caption, item.hit.document, *item.hit.path]


def _plain(text: str) -> str:
    """Return a line of a table as its words alone, without the marks between its cells."""
    return " ".join(text.replace("|", " ").split())
