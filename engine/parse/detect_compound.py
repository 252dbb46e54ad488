"""Compound files ([MS-CFB]): old Office files and Outlook messages, told apart by the streams they hold."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Literal

from engine.parse.legacy import LegacyKind

# In this order: a message may hold a Word file, an encrypted file holds nothing else.
_STREAMS: tuple[tuple[str, LegacyKind | Literal["msg", "encrypted"]], ...] = (
    ("EncryptedPackage", "encrypted"),
    ("__properties_version1.0", "msg"),
    ("__nameid_version1.0", "msg"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)
# What a damaged compound file makes olefile raise.
_BROKEN = (OSError, ValueError, IndexError, TypeError, AttributeError, struct.error, RecursionError)


def compound_kind(path: Path) -> LegacyKind | Literal["msg", "encrypted"] | None:
    """Return the kind of a compound file, by its directory or, should that be broken, by the names in it."""
    from olefile import OleFileIO

    try:
        with OleFileIO(str(path)) as container:
            names = {entry[0] for entry in container.listdir(streams=True, storages=True)}
        return next((kind for stream, kind in _STREAMS if stream in names), None)
    except _BROKEN:
        data = path.read_bytes()
        return next((kind for stream, kind in _STREAMS if stream.encode("utf-16-le") in data), None)
