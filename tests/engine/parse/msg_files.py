"""Outlook messages, made on the spot: compound files ([MS-CFB]) of properties ([MS-OXMSG])."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

NONE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
SECTOR, MINI = 512, 64
Storage = dict[str, Any]


def properties(header: int, **values: str | bytes | int) -> Storage:
    """Return the streams of an object: ``p0037`` and so on name the properties by their id, ``a0037`` 8-bit texts."""
    streams: Storage = {}
    entries = bytes(header)
    for name, value in values.items():
        number = int(name[1:], 16)
        if isinstance(value, int):
            entries += struct.pack("<HHIQ", 0x0003, number, 6, value)
            continue
        kind, data = (0x001F, value.encode("utf-16-le")) if isinstance(value, str) else (0x0102, value)
        kind = 0x001E if name[0] == "a" else kind
        entries += struct.pack("<HHIQ", kind, number, 6, len(data) + (2 if kind == 0x001F else 0))
        streams[f"__substg1.0_{number:04X}{kind:04X}"] = data
    return streams | {"__properties_version1.0": entries}


def msg_file(path: Path, root: Storage) -> Path:
    """Write a compound file; dicts are storages, bytes are streams of less than 4 kB."""
    entries: list[bytes] = []
    small = bytearray()
    chains: list[int] = []

    def add(name: str, content: Any, sibling: int, kind: int) -> int:
        place = len(entries)
        entries.append(b"")
        child, start, size = NONE, 0, 0
        if isinstance(content, dict):
            for inner in sorted(content, reverse=True):
                child = add(inner, content[inner], child, 1 if isinstance(content[inner], dict) else 2)
        elif content:
            start, size = len(small) // MINI, len(content)
            small.extend(content + bytes(-size % MINI))
            sectors = -(-size // MINI)
            chains.extend([*range(start + 1, start + sectors), END])
        label = name.encode("utf-16-le")
        entries[place] = struct.pack(
            "<64sHBBIII16sI8s8sIQ", label, len(label) + 2, kind, 1, NONE, sibling, child, b"", 0, b"", b"", start, size
        )  # fmt: skip
        return place

    add("Root Entry", root, NONE, 5)
    entries += [struct.pack("<64sHBBIII16sI8s8sIQ", b"", 0, 0, 0, NONE, NONE, NONE, b"", 0, b"", b"", 0, 0)] * (
        -len(entries) % 4
    )
    directory = len(entries) // 4
    minifat = struct.pack(f"<{len(chains)}I", *chains)
    minifat += b"\xff" * (-len(minifat) % SECTOR)
    content = bytes(small) + bytes(-len(small) % SECTOR)
    parts = [directory, len(minifat) // SECTOR, len(content) // SECTOR]
    table, start, starts = [FAT], 1, []
    for count in parts:
        starts.append(start)
        table += [*range(start + 1, start + count), END]
        start += count
    first = bytearray(entries[0])
    struct.pack_into("<IQ", first, 116, starts[2], len(small))
    entries[0] = bytes(first)
    header = struct.pack(
        "<8s16sHHHHH6sIIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, b"", 0, 1,
        starts[0], 0, 4096, starts[1], parts[1], END, 0, 0,
    )  # fmt: skip
    fat = struct.pack(f"<{len(table)}I", *table)
    path.write_bytes(
        header + b"\xff" * (SECTOR - len(header)) + fat + b"\xff" * (SECTOR - len(fat)) + b"".join(entries) + minifat
        + content
    )  # fmt: skip
    return path
