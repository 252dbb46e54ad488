"""The shapes of a slide: what kind, where, in which placeholder; groups opened, order as one reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.parse.ooxml import MC, A, Package, R, Relationship, integer
from engine.parse.pptx_text import P, paragraphs_of

MAX_GROUPS = 20
EMU_PER_POINT = 12_700
_KINDS = frozenset({"sp", "pic", "graphicFrame", "cxnSp"})
_BODY_LIKE = frozenset({"", "obj", "body", "subTitle"})
Box = tuple[float, float, float, float]


class Frame(NamedTuple):
    """How a group's coordinates become the slide's: scale, then shift, in EMU."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Shape:
    """A shape: kind as the format calls it, box in points, placeholder type ("" is content, None is none)."""

    kind: str
    element: Any
    box: Box | None = None
    placeholder: str | None = None
    alt: str = ""
    picture: str = ""
    text: str = ""
    inherited: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Layout:
    """The placeholders of a slide's layout and of its master, nearest first, and the master's text styles."""

    levels: list[list[Shape]] = field(default_factory=list)
    styles: Any | None = None


class Layouts:
    """Reads each layout once."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._known: dict[str, Layout] = {}

    def of(self, related: dict[str, Relationship]) -> Layout:
        """Return the layout that a slide's relationships name; empty when there is none."""
        part = _target(related, "slideLayout")
        if part not in self._known:
            self._known[part] = self._read(part)
        return self._known[part]

    def _read(self, part: str) -> Layout:
        layout = Layout()
        master = _target(self._package.relationships(part), "slideMaster") if part else ""
        for name in (part, master):
            root = self._package.xml(name) if name else None
            if root is None:
                continue
            tree = root.find(f"{P}cSld/{P}spTree")
            if tree is not None:
                layout.levels.append(
                    [s for s in shapes_of(tree, Layout(), Frame()) if s.placeholder is not None]
                )
            layout.styles = root.find(f"{P}txStyles") if name == master else layout.styles
        return layout


def _target(related: dict[str, Relationship], kind: str) -> str:
    return next((r.target for r in related.values() if r.kind == kind and not r.external), "")


def shapes_of(tree: Any, layout: Layout, frame: Frame, depth: int = 0) -> Iterator[Shape]:
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
    names = next(element.iter(f"{P}cNvPr"), None)  # its own comes before those inside it
    return names is not None and names.get("hidden") in {"1", "true"}


def _shape(element: Any, layout: Layout, frame: Frame) -> Shape:
    kind = element.tag.removeprefix(P)
    shape = Shape(kind, element, _box(element, frame))
    names = next(element.iter(f"{P}cNvPr"), None)  # its own comes before those inside it
    if names is not None:
        shape.alt = " ".join((names.get("descr") or names.get("title") or "").split())
    if kind == "pic":
        blip = element.find(f"{P}blipFill/{A}blip")
        shape.picture = blip.get(f"{R}embed", "") if blip is not None else ""
    place = next(element.iter(f"{P}ph"), None)
    body = element.find(f"{P}txBody")
    if place is not None:
        shape.placeholder = place.get("type", "")
        _inherit(shape, place.get("idx", "0"), layout)
    if body is not None:
        shape.text = "\n".join(paragraph.text for paragraph in paragraphs_of(body))
    return shape


def _inherit(shape: Shape, index: str, layout: Layout) -> None:
    """Take place and list styles from the layout's and the master's placeholder of the same number or kind."""
    for shapes in layout.levels:
        same = next((s for s in shapes if _index(s) == index and index != "0"), None)
        same = same or next((s for s in shapes if _alike(s.placeholder, shape.placeholder)), None)
        if same is None:
            continue
        shape.box = shape.box or same.box
        style = same.element.find(f"{P}txBody/{A}lstStyle")
        if style is not None:
            shape.inherited.append(style)
    if layout.styles is not None:
        name = "titleStyle" if shape.placeholder in {"title", "ctrTitle"} else "bodyStyle"
        style = layout.styles.find(f"{P}{name}")
        if style is not None and (shape.placeholder in _BODY_LIKE or name == "titleStyle"):
            shape.inherited.append(style)


def _index(shape: Shape) -> str:
    place = next(shape.element.iter(f"{P}ph"), None)
    return "0" if place is None else place.get("idx", "0")


def _alike(one: str | None, other: str | None) -> bool:
    titles = {"title", "ctrTitle"}
    return one == other or {one, other} <= titles or {one, other} <= {"", "body", "obj"}


def _box(element: Any, frame: Frame) -> Box | None:
    place = element.find(f"{P}spPr/{A}xfrm")
    place = element.find(f"{P}xfrm") if place is None else place
    offset = None if place is None else place.find(f"{A}off")
    extent = None if place is None else place.find(f"{A}ext")
    if offset is None or extent is None:
        return None
    x, y = integer(offset.get("x")), integer(offset.get("y"))
    x0, y0 = frame.x + x * frame.scale_x, frame.y + y * frame.scale_y
    x1 = x0 + integer(extent.get("cx")) * frame.scale_x
    y1 = y0 + integer(extent.get("cy")) * frame.scale_y
    return (x0 / EMU_PER_POINT, y0 / EMU_PER_POINT, x1 / EMU_PER_POINT, y1 / EMU_PER_POINT)


def _inner(group: Any, outer: Frame) -> Frame:
    place = group.find(f"{P}grpSpPr/{A}xfrm")
    if place is None:
        return outer
    numbers = {}
    for name, keys in (("off", "xy"), ("ext", ("cx", "cy")), ("chOff", "xy"), ("chExt", ("cx", "cy"))):
        found = place.find(f"{A}{name}")
        if found is None:
            return outer
        numbers[name] = [integer(found.get(key)) for key in keys]
    scales = [
        full / inside if inside else 1.0
        for full, inside in zip(numbers["ext"], numbers["chExt"], strict=True)
    ]
    scale_x, scale_y = outer.scale_x * scales[0], outer.scale_y * scales[1]
    return Frame(
        scale_x,
        scale_y,
        outer.x + numbers["off"][0] * outer.scale_x - numbers["chOff"][0] * scale_x,
        outer.y + numbers["off"][1] * outer.scale_y - numbers["chOff"][1] * scale_y,
    )
