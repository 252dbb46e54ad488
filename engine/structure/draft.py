"""A node before it has an id: what the steps between blocks and the tree work on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.model import BBox, Role


@dataclass(slots=True)
class Draft:
    """A node before it has an id; only the steps of one build of a tree change it."""

    role: Role
    title: str = ""
    text: str = ""
    page: int | None = None
    bbox: BBox | None = None
    cell: str | None = None
    level: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    children: list[Draft] = field(default_factory=list)

    def walk(self) -> Iterator[Draft]:
        """Yield the node and all below it in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()
