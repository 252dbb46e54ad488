"""The sources of one answer: a snippet, word for word, with the place it stands at."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import BBox, Citation, Evidence


class Sources:
    """The citations of one answer as they are collected, numbered in order of appearance."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._evidence = evidence
        self.citations: list[Citation] = []
        self._numbers: dict[tuple[str, str], int] = {}

    def add(self, index: int, start: int, end: int) -> int:
        """Cite ``evidence[index].text[start:end]`` and return the number of its source."""
        item = self._evidence[index]
        snippet = item.text[start:end]
        for citation in self.citations:
            if citation.node_id == item.hit.node_id and snippet in citation.snippet:
                return citation.n
        return self._append(item, snippet, *place_of(item, start, end))

    def add_title(self, index: int) -> int:
        """Cite the title of a node that has no text of its own."""
        item = self._evidence[index]
        key = (item.hit.node_id, item.title)
        return self._numbers.get(key) or self._append(item, item.title, item.hit.page, item.hit.bbox)

    def _append(self, item: Evidence, snippet: str, page: int | None, bbox: BBox | None) -> int:
        hit, n = item.hit, len(self.citations) + 1
        self._numbers[hit.node_id, snippet] = n
        self.citations.append(
            Citation(
                n, hit.document_id, hit.document, hit.version, " > ".join(hit.path), hit.node_id,
                page, bbox, item.cell, snippet, round(min(1.0, max(0.0, hit.score)), 4),
            )
        )  # fmt: skip
        return n


def place_of(item: Evidence, start: int, end: int) -> tuple[int | None, BBox | None]:
    """Return the page and box of a stretch of an evidence's text.

    A node that continues on another page has ``spans``; one with character offsets ("start", "end" in
    the node's text) is chosen by them, others by the share of the text that their area can hold.
    """
    spans = [span for span in item.spans if span.get("page")]
    if len(spans) < 2 or not item.text:
        return item.hit.page, item.hit.bbox
    middle = (start + end) / 2
    if all(isinstance(span.get("end"), int) for span in spans):
        chosen = next((span for span in spans if middle < span["end"]), spans[-1])
    else:
        areas = [_area(span.get("bbox")) for span in spans]
        total, reached = sum(areas), 0.0
        chosen = spans[-1]
        for span, area in zip(spans, areas, strict=True):
            reached += area
            if middle / len(item.text) <= reached / total:
                chosen = span
                break
    box = chosen.get("bbox")
    return int(chosen["page"]), (tuple(box) if box else None)


def _area(box: Sequence[float] | None) -> float:
    return max(1.0, (box[2] - box[0]) * (box[3] - box[1])) if box else 1.0
