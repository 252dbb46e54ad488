"""Pictures that a file carries in itself: media parts of packages, data addresses of web pages and Markdown.

An image node's ``metadata["source"]`` names the picture: the part's name in the package, or for a data address
what :func:`source_of` makes of it. Addresses elsewhere are names, too, but nothing is ever fetched from them.
"""

import base64
import binascii
import hashlib
import re
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile
from zlib import error as ZlibError

from engine.errors import LimitExceededError, NotFoundError, UnreadableFileError

MOST_BYTES = 64 * 1024 * 1024
LONGEST_ADDRESS = 500
_DATA = re.compile(rb"data:image/[a-zA-Z.+-]{2,12};base64,([A-Za-z0-9+/]{16,}={0,2})")
_PREFIX = "data:"


def source_of(address: str) -> str:
    """Return the name of a picture by its address in a page: a digest for a data address, else its start."""
    match = _DATA.match(address.lstrip().encode("ascii", "replace"))
    if match:
        return _name(match[1])
    return "" if address.lstrip().startswith(_PREFIX) else address[:LONGEST_ADDRESS]


def embedded(source: str) -> bool:
    """Tell whether a name is that of a data address."""
    return source.startswith(_PREFIX)


def stored_picture(path: Path, source: str) -> bytes:
    """Return a picture as the file holds it. Raises NotFoundError, LimitExceededError or UnreadableFileError."""
    packed = source and is_zipfile(path)
    found = _decoded(path, source) if embedded(source) else _member(path, source) if packed else None
    if found is None:
        raise NotFoundError("The document does not hold this picture; it only names its address.")
    return found


def package_pictures(path: Path) -> dict[str, int]:
    """Return the members of a package by name with their size in bytes; nothing for other files."""
    if not is_zipfile(path):
        return {}
    try:
        with ZipFile(path) as package:
            return {_plain(member.filename): member.file_size for member in package.infolist()}
    except (BadZipFile, OSError, ValueError):
        return {}


def _member(path: Path, source: str) -> bytes | None:
    try:
        with ZipFile(path) as package:
            named = (one for one in package.infolist() if _plain(one.filename) == _plain(source))
            if (member := next(named, None)) is None:
                return None
            if member.file_size > MOST_BYTES:
                raise LimitExceededError("This picture is too large to be opened.")
            return package.read(member)
    except (BadZipFile, OSError, ValueError, ZlibError, EOFError, RuntimeError, NotImplementedError) as error:
        raise UnreadableFileError(f"This picture is damaged and cannot be opened ({error}).") from error


def _plain(name: str) -> str:
    return name.lower().lstrip("./")


def _decoded(path: Path, source: str) -> bytes | None:
    bodies = (match[1] for match in _DATA.finditer(path.read_bytes()))
    body = next((body for body in bodies if _name(body) == source), b"")
    if len(body) > MOST_BYTES:
        raise LimitExceededError("This picture is too large to be opened.")
    try:
        return base64.b64decode(body) or None
    except binascii.Error as error:
        raise UnreadableFileError("This picture is damaged and cannot be opened.") from error


def _name(body: bytes) -> str:
    return _PREFIX + hashlib.sha256(body).hexdigest()[:16]
