"""Bounds that hold on what a container declares of itself, before it is unpacked or its XML is parsed."""

import re
from typing import Any
from zipfile import ZipFile

from engine.errors import EncryptedFileError, LimitExceededError, UnreadableFileError

MAX_MEMBERS = 20_000
MAX_UNPACKED = 1024 * 1024 * 1024
MAX_XML_PART = 128 * 1024 * 1024
# Word's XML packs up to about 40:1; a page of repeated cells reaches 150:1, a bomb 1000:1.
MAX_RATIO = 250
RATIO_MATTERS_FROM = 32 * 1024 * 1024
MAX_BLOCKS = 250_000
MAX_SLIDES = 5000
MAX_TITLE = 300
_OWN_DECLARATIONS = re.compile(rb"<!DOCTYPE[^>\[]*\[")


def check_archive(archive: ZipFile, name: str) -> None:
    """Refuse an archive that would unpack to too much, as bombs do. Raises LimitExceededError."""
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise LimitExceededError(
            f"{name} holds {len(members):,} packed parts; the limit is {MAX_MEMBERS:,}. "
            "Save it again in the program that made it."
        )
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if unpacked > MAX_UNPACKED or (unpacked > RATIO_MATTERS_FROM and unpacked > packed * MAX_RATIO):
        raise LimitExceededError(
            f"{name} would unpack from {packed / 1e6:.1f} MB to {unpacked / 1e6:,.0f} MB, which no real "
            "document does (a zip bomb). It was not opened."
        )


def check_xml(data: bytes, name: str) -> None:
    """Refuse XML that declares entities, as bombs must, or is too large. Raises UnreadableFileError or a subclass."""
    if len(data) > MAX_XML_PART:
        raise LimitExceededError(
            f"{name} holds {len(data) / 1e6:.0f} MB of XML in one part; the limit is "
            f"{MAX_XML_PART / 1e6:.0f} MB. Split the document."
        )
    head = data[:2048].replace(b"\0", b"")
    if b"<!ENTITY" in head or _OWN_DECLARATIONS.search(head):
        raise UnreadableFileError(
            f"{name} declares XML entities, which Office documents never do (an entity bomb). It was not opened."
        )


def check_declarations(root: Any, name: str) -> None:
    """Refuse a parsed part that declares entities behind a long head. Raises UnreadableFileError."""
    types = root.getroottree().docinfo.internalDTD
    if types is not None and next(iter(types.iterentities()), None) is not None:
        raise UnreadableFileError(f"{name} declares XML entities and was not opened.")


def protected(name: str) -> EncryptedFileError:
    """Return the error for a file with a password."""
    return EncryptedFileError(f"{name} is protected by a password. Remove the protection and add it again.")


def check_blocks(count: int, name: str) -> None:
    """Refuse a file with more blocks than a tree can hold. Raises LimitExceededError."""
    if count > MAX_BLOCKS:
        raise LimitExceededError(
            f"{name} has more than {MAX_BLOCKS:,} paragraphs. Split it into smaller files and add those."
        )


def check_slides(count: int, name: str) -> None:
    """Refuse a presentation with more slides than fit. Raises LimitExceededError."""
    if count > MAX_SLIDES:
        raise LimitExceededError(f"{name} has {count:,} slides; the limit is {MAX_SLIDES:,}. Split it.")
