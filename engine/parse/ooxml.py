"""Office Open XML packages, transitional and strict; a missing or broken part is None and costs no document."""

import posixpath
import re
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import unquote
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from lxml import etree

from engine.errors import UnreadableFileError
from engine.parse.limits import check_archive, check_declarations, check_xml

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
V = "{urn:schemas-microsoft-com:vml}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
EMU_PER_POINT = 12_700
DC = "{http://purl.org/dc/elements/1.1/}"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"


class Relationship(NamedTuple):
    """What a part points to: ``part`` is its name in the package, "" for an address outside."""

    kind: str
    target: str
    part: str


class Package:
    """An opened package; a context manager. Raises UnreadableFileError or a subclass when unsafe or broken."""

    def __init__(self, path: Path | BytesIO, name: str) -> None:
        self._name = name
        try:
            self._zip = ZipFile(path)
        except (BadZipFile, OSError, ValueError) as error:
            raise UnreadableFileError(f"{name} is damaged and cannot be opened. Save it again.") from error
        check_archive(self._zip, name)
        self._names = {member.lower().lstrip("/"): member for member in self._zip.namelist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def parts(self) -> list[str]:
        """Return the names of all parts."""
        return list(self._names.values())

    def data(self, part: str) -> bytes | None:
        """Return a part's bytes, None when it is missing or broken."""
        with suppress(KeyError, BadZipFile, ZlibError, OSError, EOFError, RuntimeError, ValueError):
            return self._zip.read(self._names[part.lower().lstrip("/")])
        return None

    def xml(self, part: str) -> Any | None:
        """Return a part's root with transitional names, None without one. Raises UnreadableFileError if unsafe."""
        if (data := self.data(part)) is None:
            return None
        check_xml(data, self._name)
        if b"http://purl.oclc.org/ooxml/" in data[:8192]:
            data = _STRICT.sub(_TRANSITIONAL, data)
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True,
            recover=True,
        )  # fmt: skip
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError:
            return None
        if root is not None:
            check_declarations(root, self._name)
        return root

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Return a part's relationships by id; empty when it has none."""
        folder, base = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, Relationship] = {}
        for item in root if root is not None else ():
            target = item.get("Target", "")
            external = item.get("TargetMode") == "External"
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
            kind = item.get("Type", "").rpartition("/")[2]
            found[item.get("Id", "")] = Relationship(kind, target, "" if external else target)
        return found

    def related(self, relationships: dict[str, Relationship], key: str) -> Any | None:
        """Return the root of the part that a relationship names, None without one."""
        return self.xml(relationships[key].part) if key in relationships else None

    def document(self, usual: str, what: str, program: str, holds: str = "") -> tuple[str, Any]:
        """Return the name and root of the part with the document. Raises UnreadableFileError, telling ``what``."""
        part = parts_by_kind(self.relationships("")).get("officeDocument", usual)
        root = self.xml(part)
        if root is None or (holds and root.find(holds) is None):
            raise UnreadableFileError(f"{self._name} {what}. Open it in {program} and save it again.")
        return part, root

    def stated_title(self) -> str:
        """Return the title in the file's properties, Office's or OpenDocument's, "" without one."""
        for part in ("docProps/core.xml", "meta.xml"):
            properties = self.xml(part)
            if properties is not None:
                return " ".join((properties.findtext(f".//{DC}title") or "").split())
        return ""


def parts_by_kind(relationships: Mapping[str, Relationship]) -> dict[str, str]:
    """Return the names of the parts that relationships lead to by their kinds."""
    return {item.kind: item.part for item in relationships.values() if item.part}


def value(element: Any | None, name: str = f"{W}val") -> str | None:
    """Return an attribute of an element that may be missing."""
    return None if element is None else element.get(name)


def is_on(element: Any | None) -> bool:
    """Tell whether a switch such as ``<w:b/>`` is there and not turned off."""
    return element is not None and element.get(f"{W}val", "1") not in {"0", "false", "off", "none"}


def integer(text: str | None, default: int = 0) -> int:
    """Return a number from an attribute; files hold all kinds of things there."""
    try:
        return int(float(text)) if text else default
    except (ValueError, OverflowError):
        return default
