"""The figures and pages of the evidence that a question needs to see."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.enrich.labels import RELATED, label_key
from engine.model import Evidence, Hit, Node
from engine.page_image import node_image, page_of
from engine.parse.scan_image import shown_picture
from engine.retrieve.expand import figures_near
from engine.retrieve.query import intent_of
from storage.base import Storage

_MOST, _SIDE, _DPI = 2, 1024, 110
_FIGURES = frozenset(["figure", "attached figure", *RELATED["figure"]])


class Picture(NamedTuple):
    """A figure of evidence ``n`` (1-based), its page where there is no ``node``; ``far`` it is from the text."""

    far: int
    n: int
    hit: Hit
    node: Node | None

    @property
    def label(self) -> str:
        """What a figure is called, as printed; else where it is."""
        facts = self.node.metadata if self.node else {}
        return str(facts.get("label") or facts.get("caption") or f"p. {self.hit.page}")

    def read(self, storage: Storage) -> bytes:
        """Return it as PNG or JPEG. Raises DropQAError where the file is gone, damaged or has no such picture."""
        hit, node = self.hit, self.node
        [version] = (one for one in storage.versions(hit.document_id) if one.version == hit.version)
        path, kind = storage.files.path(version.sha256), version.media_type
        whole = node_image(path, kind, node) if node else page_of(path, kind, hit.document, hit.page or 1, _DPI)
        return shown_picture(whole, _SIDE)


def pictures_needed(question: str, evidence: Sequence[Evidence], best: Evidence, storage: Storage) -> list[Picture]:
    """Return at most two pictures of numbered evidence, of those that a question names these alone.

    It needs some where it speaks of figures, or where the best of the evidence is one or is read with doubt.
    """
    intent = intent_of(question)
    named = {label.key for label in intent.labels if label.kind in _FIGURES}
    asked = any((named, intent.chart_type, "image" in intent.roles))
    near = _near(evidence, storage, None if asked else best)
    return _distinct([one for one in near if label_key(one.label) in named] or near)[:_MOST]


def _distinct(pictures: Sequence[Picture]) -> list[Picture]:
    """Return pictures once each, the nearest first."""
    once: dict[tuple[str, str | int | None], Picture] = {}
    for one in sorted(pictures, key=lambda one: one[:2]):
        once.setdefault((one.hit.document_id, one.node.node_id if one.node else one.hit.page), one)
    return [*once.values()]


def _near(evidence: Sequence[Evidence], storage: Storage, only: Evidence | None) -> list[Picture]:
    """Return the pictures near some evidence, or those that are ``only`` one's own."""
    numbered = [(n, item) for n, item in enumerate(evidence, 1) if only in (None, item)]
    found = [one for n, item in numbered for one in _pictures(n, item, storage)]
    return found if only is None else [one for one in found if one.far == 0]


def _pictures(n: int, item: Evidence, storage: Storage) -> list[Picture]:
    """Return the pictures near one piece of evidence, and its page where it is read with doubt."""
    figures = [Picture(far, n, item.hit, node) for far, node in figures_near(item.hit, storage)]
    return [*figures, Picture(0, n, item.hit, None)] if item.doubted and item.hit.page else figures
