import struct
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine.config import ParsingSettings
from engine.errors import UnreadableFileError
from engine.parse.dispatch import parse_file
from engine.parse.mail import read_eml

WORDS = {
    "en": ("The pallets arrive on Friday.", "Oak costs 340 euros.", "prices.txt", 1252, "cp1252"),
    "zh": ("托盘将于周五到达。", "橡木三百四十元。", "价目表.txt", 936, "gbk"),
}
Property = tuple[int, int, bytes]


def attribute(level: int, number: int, data: bytes) -> bytes:
    return struct.pack("<BII", level, number, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def properties(*values: Property) -> bytes:
    found = struct.pack("<I", len(values))
    for kind, number, data in values:
        found += struct.pack("<HH", kind, number)
        found += struct.pack("<II", 1, len(data)) + data + bytes(-len(data) % 4)
    return found


def packed(page: int, message: list[Property], *files: tuple[bytes, bytes, list[Property]]) -> bytes:
    """Return a winmail.dat; a file is its old name, its data and its properties."""
    data = struct.pack("<IH", 0x223E9F78, 1) + attribute(1, 0x00069007, struct.pack("<II", page, 0))
    data += attribute(1, 0x00069003, properties(*message))
    for title, content, more in files:
        data += attribute(2, 0x00069002, bytes(14)) + attribute(2, 0x00018010, title + b"\0")
        data += attribute(2, 0x0006800F, content) + attribute(2, 0x00069005, properties(*more))
    return data


@pytest.fixture(params=["en", "zh"])
def words(request):
    return WORDS[request.param]


def message_with(data: bytes, text: str = "") -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@example.org", "Order 5512"
    message.set_content(text)
    message.add_attachment(data, maintype="application", subtype="ms-tnef", filename="winmail.dat")
    return bytes(message)


def shown(path: Path, data: bytes, name: str = "m.eml") -> list[str]:
    path.write_bytes(data)
    return [block.text for block in parse_file(path, name, ParsingSettings()).blocks]


def test_text_and_files_of_a_winmail_dat_are_the_message_s(tmp_path, words):
    body, price, name, page, codec = words
    data = packed(page, [(0x1E, 0x1000, body.encode(codec))], (name.encode(codec), price.encode(), []))
    for found in (shown(tmp_path / "a", message_with(data)), shown(tmp_path / "b", data, "winmail.dat")):
        assert [text for text in found if text in words] == [body, name, price]


def test_the_long_name_in_the_properties_counts_and_a_page_is_read_as_one(tmp_path, words):
    body, price, name, page, _ = words
    html = f'<html><head><meta charset="utf-8"></head><body><p>{body}</p></body></html>'.encode()
    wide = (0x1F, 0x3707, name.encode("utf-16-le") + b"\0\0")
    data = packed(page, [(0x102, 0x1013, html)], (b"PRICE~1.TXT", price.encode(), [wide]))
    assert [text for text in shown(tmp_path / "a", message_with(data)) if text in words] == [
        body,
        name,
        price,
    ]


def test_the_text_beside_a_winmail_dat_is_not_told_twice(tmp_path):
    data = packed(1252, [(0x1E, 0x1000, b"The pallets arrive.")])
    assert shown(tmp_path / "a", message_with(data, "The pallets arrive.")).count("The pallets arrive.") == 1


def test_a_message_inside_is_a_section_of_its_own(tmp_path):
    inner = packed(1252, [(0x1E, 0x0037, b"Re: oak"), (0x1E, 0x1000, b"Agreed.")])
    data = packed(1252, [(0x1E, 0x1000, b"See below.")], (b"", b"", [(0x0D, 0x3701, bytes(16) + inner)]))
    found = shown(tmp_path / "a", message_with(data))
    assert found[-2:] == ["Re: oak", "Agreed."] and "See below." in found


def test_a_winmail_dat_that_breaks_off_gives_what_stands_before(words):
    body, price, name, page, codec = words
    data = packed(page, [(0x1E, 0x1000, body.encode(codec))], (name.encode(codec), price.encode(), []))
    for end in range(len(data)):
        try:
            read_eml(data[:end], "winmail.dat")
        except UnreadableFileError:
            continue
