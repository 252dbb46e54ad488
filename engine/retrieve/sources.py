"""The sources of one answer: a snippet, word for word, with the place it stands at."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from engine.enrich.cell_places import rows_place
from engine.model import BBox, Citation, Evidence


class Sources:
    """The citations of one answer as they are collected, numbered in order of appearance.

    A place among the rows of a table has their address, any other that of its node.
    """

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._evidence = evidence
        self.citations: list[Citation] = []
        self._cells: set[int] = set()

    def add(self, index: int, start: int, end: int) -> int:
        """Cite ``evidence[index].text[start:end]``, the title of what has no text, and return the source's number."""
        item, hit = self._evidence[index], self._evidence[index].hit
        snippet = item.text[start:end] or item.title
        for citation in self.citations:
            same = (citation.node_id, citation.version) == (hit.node_id, hit.version)
            if same and snippet in citation.snippet:
                return citation.n
        rows = rows_place(item.table, *_in_node(item, start, end)) if item.table is not None else None
        cell, page, bbox = rows or (item.cell, *place_of(item, start, end))
        relevance = round(min(1.0, max(0.0, hit.score)), 4)
        self.citations.append(Citation(
            len(self.citations) + 1, hit.document_id, hit.document, hit.version, " > ".join(item.path), hit.node_id,
            page, bbox, cell, snippet, relevance,
        ))  # fmt: skip
        return len(self.citations)

    def add_cell(self, citation: Citation) -> int:
        """Cite a cell and return the number of its source; a source that is the cell's line becomes the cell."""
        n = next((known.n for known in self.citations if self._holds(known, citation)), len(self.citations) + 1)
        self.citations[n - 1 : n] = [replace(citation, n=n)]
        self._cells.add(n)
        return n

    def _holds(self, known: Citation, cell: Citation) -> bool:
        same = (known.node_id, known.snippet) == (cell.node_id, cell.snippet)
        places = [(one.cell, one.page, one.bbox) for one in (known, cell)]
        return same and (known.n not in self._cells or places[0] == places[1])


def place_of(item: Evidence, start: int, end: int) -> tuple[int | None, BBox | None]:
    """Return the page and box of a stretch of an evidence's text.

    A node that continues on another page has ``spans``. How much of its text each holds is told by
    "chars", else estimated by its area. A stretch belongs to the page on which most of it stands.
    """
    spans = [span for span in item.spans if span.get("page")]
    if len(spans) < 2 or not item.text:
        return item.hit.page, item.hit.bbox
    start, end = _in_node(item, start, end)
    bounds = pairwise(accumulate(_lengths(item, spans), initial=0.0))
    inside = [min(end, high) - max(start, low) for low, high in bounds]
    chosen = spans[inside.index(max(inside))] if max(inside) > -1 else spans[-1]
    box = chosen.get("bbox")
    return int(chosen["page"]), (tuple(box) if box else None)


def _lengths(item: Evidence, spans: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return how many letters of an evidence's node each of its spans holds, by their areas where that is not told."""
    if all(span.get("chars") for span in spans):
        return [float(span["chars"]) for span in spans]
    boxes = [span.get("bbox") or (0, 0, 1, 1) for span in spans]
    areas = [max(1.0, (x1 - x0) * (y1 - y0)) for x0, y0, x1, y1 in boxes]
    # Evidence may be a part of its node: lengths hold as they are, areas are of the whole.
    whole = item.text if item.table is None else item.table.text
    return [area * len(whole) / sum(areas) for area in areas]


def _in_node(item: Evidence, start: int, end: int) -> tuple[int, int]:
    """Return where a stretch of an evidence's text stands in its table: evidence may be some of its rows."""
    if item.table is None:
        return start, end
    whole = item.table.text
    if (offset := whole.find(item.text)) >= 0:
        return offset + start, offset + end
    at = whole.find(item.text[start:end])
    return (at, at + end - start) if at >= 0 else (start, end)
