"""Files made hostile from good ones: cut, bent, packed and nested, the same for the same seed."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

Spoil = Callable[[bytes, Random], bytes]
LARGEST_SAMPLE = 3_000_000
PACKED = (".docx", ".xlsx", ".pptx", ".xlsm", ".epub", ".odt", ".odp", ".ods")
LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]>"
)


def truncated(data: bytes, random: Random) -> bytes:
    """Return the beginning of a file."""
    return data[: random.randrange(1, len(data))]


def flipped(data: bytes, random: Random) -> bytes:
    """Return a file with up to 60 bits turned over."""
    spoilt = bytearray(data)
    for _ in range(random.randrange(1, 60)):
        spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
    return bytes(spoilt)


def overwritten(data: bytes, random: Random) -> bytes:
    """Return a file with a stretch of noise in it."""
    start = random.randrange(len(data))
    noise = random.randbytes(random.randrange(1, 4000))
    return data[:start] + noise + data[start + len(noise) :]


def shuffled(data: bytes, random: Random) -> bytes:
    """Return a file whose quarters have changed places."""
    quarter = max(1, len(data) // 4)
    parts = [data[at : at + quarter] for at in range(0, len(data), quarter)]
    random.shuffle(parts)
    return b"".join(parts)


def repeated(data: bytes, random: Random) -> bytes:
    """Return a file in which one stretch comes hundreds of times."""
    start = random.randrange(len(data))
    piece = data[start : start + random.randrange(1, 2000)]
    return data[:start] + piece * random.randrange(100, 2000) + data[start:]


def huge_numbers(data: bytes, random: Random) -> bytes:
    """Return a file whose numbers in plain text have become enormous (sizes, counts, widths, references)."""
    places = list(re.finditer(rb"(?<=[ \"=>/])\d{1,5}(?=[ \"</\r\n])", data))
    for match in sorted(random.sample(places, min(8, len(places))), key=lambda m: -m.start()):
        number = random.choice([b"-1", b"4294967295", b"99999999999999999999", b"1e308", b"0"])
        data = data[: match.start()] + number + data[match.end() :]
    return data


def same_reference(data: bytes, random: Random) -> bytes:
    """Return a PDF whose references all point to a few objects, so that objects contain themselves."""
    numbers = re.findall(rb"(\d+) 0 R", data) or [b"1"]
    few = random.sample(numbers, min(2, len(numbers)))
    return re.sub(rb"\d+ 0 R", lambda match: random.choice(few) + b" 0 R" if random.random() < 0.5 else match[0], data)


def within(spoil: Spoil) -> Spoil:
    """Return a function that spoils one packed part of a ZIP file and packs it again in good order."""

    def run(data: bytes, random: Random) -> bytes:
        parts = _parts(data)
        chosen = random.choice(
            [name for name, part in parts.items() if part and name.endswith((".xml", ".rels", ".xhtml"))] or list(parts)
        )
        parts[chosen] = spoil(parts[chosen] or b" ", random)
        return _packed(parts)

    return run


def missing_part(data: bytes, random: Random) -> bytes:
    """Return a ZIP file without one of its parts."""
    parts = _parts(data)
    del parts[random.choice(list(parts))]
    return _packed(parts)


def entity_bomb(data: bytes, random: Random) -> bytes:
    """Return a ZIP file with a billion laughs in one of its XML parts."""
    parts = _parts(data)
    chosen = random.choice([name for name in parts if name.endswith((".xml", ".xhtml", ".opf"))] or list(parts))
    text = re.sub(rb"<\?xml.*?\?>", b"", parts[chosen])
    parts[chosen] = LAUGHS.encode() + re.sub(rb">[^<>]{2,}<", b">&j;<", text)
    return _packed(parts)


def swollen_part(data: bytes, random: Random) -> bytes:
    """Return a ZIP file with a part of 100 MB of spaces (a bomb of 100 kB)."""
    parts = _parts(data)
    parts[random.choice([*parts, "word/media/more.xml"])] = b" " * 100_000_000
    return _packed(parts)


def nested_markup(data: bytes, random: Random) -> bytes:
    """Return a ZIP file whose part holds one of its elements nested thousands of times."""
    parts = _parts(data)
    chosen = random.choice([name for name in parts if name.endswith((".xml", ".xhtml"))] or list(parts))
    text = parts[chosen]
    tags = re.findall(rb"<([a-zA-Z]+:?[a-zA-Z]+)>", text) or [b"a"]
    tag, deep = random.choice(tags), random.randrange(300, 20_000)
    at = text.rfind(b"</")
    parts[chosen] = text[:at] + b"<%b>" % tag * deep + b"x" + b"</%b>" % tag * deep + text[at:]
    return _packed(parts)


def nested_text(data: bytes, random: Random) -> bytes:
    """Return a text with one opening sign or mark thousands of times in it."""
    sign = random.choice(
        [
            b"[",
            b"(",
            b"> ",
            b"<div>",
            b"<table><tr><td>",
            b"{\\b ",
            b"{",
            b"- ",
            b"*a ",
            b"`",
            b"![",
            b'"',
            b"<!--",
            b"&",
            b"|",
        ]
    )
    at = random.randrange(len(data))
    return data[:at] + b"\n" + sign * random.randrange(2000, 60_000) + b"\n" + data[at:]


def nested_list(data: bytes, random: Random) -> bytes:
    """Return a text with a list that goes a level deeper with each line."""
    deep = random.randrange(50, 400)
    return data + b"\n\n" + b"".join(b"  " * n + b"- item\n" for n in range(deep))


def huge_picture(_data: bytes, random: Random) -> bytes:
    """Return a PNG of a few hundred bytes that claims to be enormous."""
    size = random.choice([30_000, 200_000, 2**31 - 1])

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


ANY: tuple[Spoil, ...] = (truncated, flipped, overwritten, shuffled, repeated, huge_numbers)
ARCHIVE: tuple[Spoil, ...] = (
    within(truncated), within(flipped), within(overwritten), within(repeated), within(huge_numbers),
    missing_part, entity_bomb, swollen_part, nested_markup, truncated, flipped,
)  # fmt: skip
TEXT: tuple[Spoil, ...] = (nested_text, nested_list, flipped, truncated, repeated, huge_numbers)
PICTURE: tuple[Spoil, ...] = (truncated, flipped, overwritten, huge_picture)
TEXTS = (".md", ".txt", ".html", ".htm", ".csv", ".eml", ".rtf")
PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")


def spoils_for(suffix: str) -> Sequence[Spoil]:
    """Return what can be done to a file of this kind."""
    if suffix in PACKED:
        return ARCHIVE
    if suffix in TEXTS:
        return TEXT
    if suffix in PICTURES:
        return PICTURE
    return (*ANY, same_reference) if suffix == ".pdf" else ANY


def hostile(sample: Path, random: Random) -> tuple[str, bytes]:
    """Return (what was done, the file) of one hostile file made from a good one."""
    spoil = random.choice(spoils_for(sample.suffix.lower()))
    data = sample.read_bytes()
    try:
        return spoil.__qualname__.replace("within.<locals>.run", "within a part"), spoil(data, random)
    except (zipfile.BadZipFile, zlib.error):
        return "truncated", truncated(data, random)


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}


def _packed(parts: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return target.getvalue()
