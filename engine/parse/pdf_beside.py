"""What a PDF holds beside the words on its pages: boxes that are ticked, comments, attached files; and words unseen."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.model import BBox, Block
from engine.parse.mail import Attachment
from engine.parse.pdf_text import box_around, clean, lines_in, rotate_box
from engine.parse.scan import MAX_PIXELS, broken_by, pymupdf_module
from engine.structure.sequences import grouped

# Character flags of MuPDF: filled or stroked.
PAINTED = 16 | 32
# Lighter colours (of 255) may not be told from paper; so many steps of grey between what is darkest and lightest are.
LIGHT, SEEN = 240, 8
_LIGHTEST = LIGHT << 16
SMALLEST = 1.0
MOST_COMMENTS = 2000
_NO_COMMENTS = frozenset({"FreeText", "Popup", "FileAttachment"})
Words = Sequence[Any]


@dataclass(slots=True)
class Beside:
    """What to take out of the text of a page (``unseen``, in places of the page before it is turned), what to put in
    (``ticks``: box and sign), and comments as blocks."""

    unseen: list[BBox] = field(default_factory=list)
    ticks: list[tuple[BBox, str]] = field(default_factory=list)
    comments: list[Block] = field(default_factory=list)

    def words(self, raw: Words) -> list[Any]:
        """Return PyMuPDF's ``words`` with ticks as words, without what nobody sees."""
        boxes = [*self.unseen, *(box for box, _ in self.ticks)]
        kept = [word for word in raw if not _is_on(word, boxes)]
        return kept + [(*box, sign, 0, 0, 0) for box, sign in self.ticks]


def read_beside(page: Any, number: int, content: dict[str, Any]) -> Beside:
    """Return what stands beside the text of a page; ``content`` (PyMuPDF's ``dict``) loses and gains spans by it."""
    found = Beside()
    with suppress(*broken_by()):
        found.unseen = _take_unseen(page, content)
        for sign, widget in _boxes(page):
            box = tuple(widget.rect)
            found.ticks.append((box, sign))
            _drop(content, [s for line in lines_in(content) for s in line["spans"] if _is_on(s["bbox"], [box])])
            content["blocks"].append({"lines": [_line(box, sign)]})
        if page.first_annot:
            found.comments = list(_comments(page, number, content))
    return found


def _comments(page: Any, number: int, content: dict[str, Any]) -> Iterator[Block]:
    said = _squeezed("".join(span["text"] for line in lines_in(content) for span in line["spans"]))
    for note in page.annots():
        words, author = (clean(note.info[key].replace("\r", "\n")).strip() for key in ("content", "title"))
        # Of what is drawn on the page, or is marked there, nothing is told twice.
        if words and note.type[1] not in _NO_COMMENTS and _squeezed(words) not in said:
            facts = {"note": "comment"} | ({"author": author} if author else {})
            box = box_around([rotate_box(note.rect, page.rotation_matrix)])
            yield Block("paragraph", words, number, box, metadata=facts)


def _squeezed(text: str) -> str:
    return "".join(clean(text).split())


def with_comments(blocks: list[Block], comments: Sequence[Block]) -> list[Block]:
    """Return the blocks with the comments of each page, in page order, behind what begins on it or before."""
    ends = {block.page: at for at, block in enumerate(blocks, 1) if "running" not in block.metadata}

    def end_of(comment: Block) -> int:
        return max((at for page, at in ends.items() if (page or 0) <= (comment.page or 0)), default=0)

    placed = grouped((end_of(comment), comment) for comment in comments[:MOST_COMMENTS])
    return [one for at in range(len(blocks) + 1) for one in [*placed.get(at, ()), *blocks[at : at + 1]]]


def attachments_of(document: Any) -> Iterator[Attachment]:
    """Yield the files in a PDF: those of the document, then those that hang on its pages."""
    kinds = [pymupdf_module().PDF_ANNOT_FILE_ATTACHMENT]
    with suppress(*broken_by()):
        for name in document.embfile_names():
            shown = document.embfile_info(name)
            named = shown.get("ufilename") or shown.get("filename") or name
            yield Attachment(named, document.embfile_get(name))
        for page in document:
            for note in page.annots(types=kinds) if page.first_annot else ():
                yield Attachment(_in_unicode(note.file_info["filename"]), note.get_file())


def _in_unicode(name: str) -> str:
    """Return the name of a file of which PyMuPDF took the bytes (UTF-8) for characters."""
    with suppress(UnicodeError):
        return name.encode("latin-1").decode("utf-8")
    return name


def _boxes(page: Any) -> Iterator[tuple[str, Any]]:
    """Yield the check boxes and radio buttons of a form with the sign of their state."""
    pymupdf = pymupdf_module()
    kinds = [pymupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON]
    for widget in page.widgets(types=kinds) or () if page.first_widget else ():
        state = page.parent.xref_get_key(widget.xref, "AS")[1]
        yield "☐" if state in {"/Off", "null"} else "☒", widget


def _take_unseen(page: Any, content: dict[str, Any]) -> list[BBox]:
    """Take out what is printed in no colour or that of the paper or too small to be read; return where it stood.

    Where nothing on a page can be seen, all of it stays: its picture is lost.
    """
    spans = [s for line in lines_in(content) for s in line["spans"] if any(map(str.isalnum, s["text"]))]
    light = [s["color"] > _LIGHTEST and min(s["color"].to_bytes(4, "big")[1:]) > LIGHT for s in spans]
    doubted = [s for s, pale in zip(spans, light, strict=True) if pale or _is_bare(s) or s["size"] < SMALLEST]
    unseen = _not_seen(page, doubted) if 0 < len(doubted) < len(spans) and abs(page.rect) <= MAX_PIXELS else []
    _drop(content, unseen)
    return [span["bbox"] for span in unseen]


def _not_seen(page: Any, doubted: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what nobody sees; words without colour over a picture are those that text recognition has read in it."""
    pictures = [info["bbox"] for info in page.get_image_info()]
    doubted = [span for span in doubted if not (_is_bare(span) and _is_on(span["bbox"], pictures))]
    if not doubted:
        return []
    shown = page.get_pixmap(colorspace=pymupdf_module().csGRAY, alpha=False)
    grey = np.frombuffer(shown.samples_mv, np.uint8).reshape(shown.height, shown.stride)[:, : shown.width]
    boxes = ((span, rotate_box(span["bbox"], page.rotation_matrix)) for span in doubted)
    return [span for span, box in boxes if span["size"] < SMALLEST or _is_even(grey, box)]


def _is_bare(span: dict[str, Any]) -> bool:
    return not span["char_flags"] & PAINTED or not span["alpha"]


def _is_even(grey: np.ndarray, box: BBox) -> bool:
    """Tell whether there is nothing to be seen in a part of a page."""
    x0, y0, x1, y1 = (max(0, round(side)) for side in box)
    part = grey[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    return not part.size or int(part.max()) - int(part.min()) <= SEEN


def _is_on(inner: Sequence[float], boxes: Iterable[Sequence[float]]) -> bool:
    """Tell whether the middle of a box is in another one."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in boxes)


def _drop(content: dict[str, Any], spans: Sequence[dict[str, Any]]) -> None:
    gone = set(map(id, spans))
    for line in lines_in(content):
        line["spans"] = [span for span in line["spans"] if id(span) not in gone]


def _line(box: BBox, text: str) -> dict[str, Any]:
    """Return a line of PyMuPDF's ``dict`` output."""
    size = max(1.0, min(box[3] - box[1], 12.0))
    look = {"size": size, "font": "", "flags": 0, "char_flags": PAINTED, "color": 0}
    span = look | {"text": text, "bbox": box, "origin": (box[0], box[3] - 0.2 * size)}
    return {"bbox": box, "dir": (1.0, 0.0), "spans": [span]}
