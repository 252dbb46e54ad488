"""The shapes of a slide: what kind, where, in which placeholder; groups opened, order as one reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.model import BBox
from engine.parse.ooxml import EMU_PER_POINT, MC, A, Package, R, Relationship, integer, parts_by_kind, value
from engine.parse.pptx_text import P, paragraphs_of
from engine.parse.slide_order import Shape

MAX_GROUPS = 20
_KINDS = frozenset({"sp", "pic", "graphicFrame", "cxnSp"})
TITLES = frozenset({"title", "ctrTitle"})
_BODY_LIKE = frozenset({"", "obj", "body", "subTitle"})


class Frame(NamedTuple):
    """How a group's coordinates become the slide's: scale, then shift, in EMU."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def place(self, point: Any) -> tuple[float, float]:
        """Return where a point (an ``off`` element) stands on the slide."""
        x, y = integer(point.get("x")), integer(point.get("y"))
        return self.x + x * self.scale_x, self.y + y * self.scale_y


_SLIDE = Frame()


@dataclass(slots=True)
class Layout:
    """The placeholders of a slide's layout and of its master, nearest first, and the master's text styles."""

    levels: list[list[Shape]] = field(default_factory=list)
    styles: Any | None = None


def layout_of(package: Package, related: dict[str, Relationship], known: dict[str, Layout]) -> Layout:
    """Return the layout that a slide's relationships name, empty when there is none; each is read once."""
    part = parts_by_kind(related).get("slideLayout", "")
    if part not in known:
        layout = known[part] = Layout()
        master = parts_by_kind(package.relationships(part)).get("slideMaster", "") if part else ""
        for name in filter(None, (part, master)):
            root = package.xml(name)
            tree = None if root is None else root.find(f"{P}cSld/{P}spTree")
            if tree is not None:
                layout.levels.append([s for s in shapes_of(tree, Layout()) if s.placeholder is not None])
            if root is not None and name == master:
                layout.styles = root.find(f"{P}txStyles")
    return known[part]


def shapes_of(tree: Any, layout: Layout, frame: Frame = _SLIDE, depth: int = 0) -> Iterator[Shape]:
    """Yield the shapes that a slide shows, those in groups too; hidden ones are left out."""
    for element in tree:
        tag = element.tag
        if tag == f"{MC}AlternateContent":
            for branch in element.iterchildren(f"{MC}Choice", f"{MC}Fallback"):
                inner = list(shapes_of(branch, layout, frame, depth + 1)) if depth < MAX_GROUPS else []
                yield from inner
                if inner:
                    break
        elif tag == f"{P}grpSp":
            if depth < MAX_GROUPS and not _is_hidden(element):
                yield from shapes_of(element, layout, _inner(element, frame), depth + 1)
        elif tag.startswith(P) and tag.removeprefix(P) in _KINDS and not _is_hidden(element):
            yield _shape(element, layout, frame)


def _is_hidden(element: Any) -> bool:
    return _named(element).get("hidden") in {"1", "true"}


def _named(element: Any) -> Any:
    """Return the element with a shape's own name and description, an empty mapping without one."""
    return next(element.iter(f"{P}cNvPr"), {})  # its own comes before those inside it


def _shape(element: Any, layout: Layout, frame: Frame) -> Shape:
    kind = element.tag.removeprefix(P)
    shape = Shape(kind, element, _box(element, frame))
    shape.alt = " ".join((_named(element).get("descr") or _named(element).get("title") or "").split())
    if kind == "pic":
        shape.picture = value(element.find(f"{P}blipFill/{A}blip"), f"{R}embed") or ""
    place = next(element.iter(f"{P}ph"), None)
    body = element.find(f"{P}txBody")
    if place is not None:
        shape.placeholder = place.get("type", "")
        shape.index = place.get("idx", "0")
        _inherit(shape, layout)
    if body is not None:
        shape.text = "\n".join(paragraph.text for paragraph in paragraphs_of(body))
    return shape


def _inherit(shape: Shape, layout: Layout) -> None:
    """Take place and list styles from the layout's and the master's placeholder of the same number or kind."""
    kinds = (TITLES, frozenset({"", "body", "obj"}), frozenset({shape.placeholder}))
    alike = next(kind for kind in kinds if shape.placeholder in kind)
    for shapes in layout.levels:
        same = next((s for s in shapes if s.index == shape.index != "0"), None)
        same = same or next((s for s in shapes if s.placeholder in alike), None)
        if same is None:
            continue
        shape.box = shape.box or same.box
        shape.inherited += same.element.iterfind(f"{P}txBody/{A}lstStyle")
    if layout.styles is not None:
        name = "titleStyle" if shape.placeholder in TITLES else "bodyStyle"
        if shape.placeholder in TITLES | _BODY_LIKE:
            shape.inherited += layout.styles.iterchildren(f"{P}{name}")


def _box(element: Any, frame: Frame) -> BBox | None:
    place = element.find(f"{P}spPr/{A}xfrm")
    place = element.find(f"{P}xfrm") if place is None else place
    offset = None if place is None else place.find(f"{A}off")
    extent = None if place is None else place.find(f"{A}ext")
    if offset is None or extent is None:
        return None
    left, top = frame.place(offset)
    right = left + integer(extent.get("cx")) * frame.scale_x
    bottom = top + integer(extent.get("cy")) * frame.scale_y
    return (left / EMU_PER_POINT, top / EMU_PER_POINT, right / EMU_PER_POINT, bottom / EMU_PER_POINT)


def _inner(group: Any, outer: Frame) -> Frame:
    place = group.find(f"{P}grpSpPr/{A}xfrm")
    names = () if place is None else ("off", "ext", "chOff", "chExt")
    parts = [part for name in names if (part := place.find(f"{A}{name}")) is not None]
    if len(parts) < 4:
        return outer
    offset, extent, inner_offset, inner_extent = parts
    scale_x, scale_y = (
        scale * (integer(extent.get(side)) / inside if (inside := integer(inner_extent.get(side))) else 1.0)
        for scale, side in ((outer.scale_x, "cx"), (outer.scale_y, "cy"))
    )
    (x, y), inner = outer.place(offset), Frame(scale_x, scale_y).place(inner_offset)
    return Frame(scale_x, scale_y, x - inner[0], y - inner[1])
