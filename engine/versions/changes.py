"""What a difference consists of."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from engine.model import Role, Value
from engine.versions.words import Span

KINDS = ("changed", "added", "removed", "moved", "renamed")
PassageKind = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class CellChange(Value):
    """A cell of a row that differs; ``address`` is that of the newer version where it has the cell, "" in no sheet."""

    address: str
    row: str
    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Passage(Value):
    """A paragraph, a line of one or of a list, a table row … that differs.

    ``before`` and ``after`` are its texts, "" where a version lacks it; ``spans`` marks the words that differ.
    ``before_node`` and ``after_node`` are the nodes that hold them; a row's is its table, ``cells`` what of it differs.
    """

    kind: PassageKind
    role: Role | Literal["row"]
    before: str
    after: str
    before_node: str | None
    after_node: str | None
    spans: list[Span] = field(default_factory=list)
    cells: list[CellChange] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Change(Value):
    """What happened to one section, or to one passage of text under no heading.

    ``path`` are the section titles that lead to it in the newer version (in the older one where the newer lacks
    it), ``[]`` for text under no heading. ``before`` and ``after`` are what differs, as text: of a changed
    section only its changed passages, of a renamed one its titles, of a moved one the paths, joined by " > ".
    ``before_node`` and ``after_node`` are the nodes of the section in the two versions.
    """

    path: list[str]
    before: str
    after: str
    before_node: str | None
    after_node: str | None
    passages: list[Passage] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Difference(Value):
    """How version ``after`` of a document differs from version ``before``; each list is in reading order.

    ``renumbered`` are sections whose title only got another number.
    """

    document_id: str
    document: str
    before: int
    after: int
    added: list[Change]
    removed: list[Change]
    changed: list[Change]
    moved: list[Change]
    renamed: list[Change]
    renumbered: list[Change]

    @property
    def counts(self) -> dict[str, int]:
        """How many passages and sections were changed, added, removed, moved and renamed; new numbers do not count."""
        found: Counter[str] = Counter(passage.kind for change in self.changed for passage in change.passages)
        for kind in ("added", "removed", "moved", "renamed"):
            found[kind] += sum(len(change.passages) or 1 for change in getattr(self, kind))
        return {kind: found[kind] for kind in KINDS if found[kind]}

    @property
    def count(self) -> int:
        """How many these are in all."""
        return sum(self.counts.values())
