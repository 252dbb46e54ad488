import struct
from pathlib import Path

import pytest
from msg_files import msg_file, properties

from engine.config import ParsingSettings
from engine.errors import UnreadableFileError
from engine.model import ParsedFile
from engine.parse.dispatch import parse_file
from engine.parse.msg import unpacked_rtf

RECIPIENT = properties(8, p3001="Bob", p39FE="bob@example.org", p0C15=1)
# The example of [MS-OXRTFCP], section 4.1.1.
COMPRESSED = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
)


def parsed(path: Path) -> ParsedFile:
    return parse_file(path, "m.msg", ParsingSettings())


def message(**more: str | bytes) -> dict:
    facts = {"p0037": "The subject", "p0C1A": "Ann", "p0C1F": "ann@example.org"}
    return properties(32, **facts | more) | {"__recip_version1.0_#00000000": RECIPIENT}


def test_subject_people_and_text_are_read(tmp_path):
    found = parsed(msg_file(tmp_path / "m", message(p1000="Dear Bob,\r\n\r\nhere it is.")))
    assert [b.text for b in found.blocks] == [
        "The subject", 'From: Ann <ann@example.org>\nTo: Bob <bob@example.org>', "Dear Bob,", "here it is.",
    ]  # fmt: skip
    assert found.media_type == "application/vnd.ms-outlook"


def test_the_page_is_read_rather_than_the_text(tmp_path):
    page = "<meta charset=gb2312><ul><li>报告</li></ul>".encode("gb18030")
    found = parsed(msg_file(tmp_path / "m", message(p1000="报告", p1013=page)))
    assert found.blocks[-1].kind == "list_item"
    assert found.blocks[-1].text == "报告"


def test_attachments_are_sections_of_their_own(tmp_path):
    file = properties(8, p3707="notes.md", p3701=b"# Findings\n\nIt works.\n", p3705=1)
    found = parsed(msg_file(tmp_path / "m", message(p1000="See.") | {"__attach_version1.0_#00000000": file}))
    assert [(b.text, b.level) for b in found.blocks[3:]] == [
        ("notes.md", 2),
        ("Findings", 3),
        ("It works.", None),
    ]


def test_a_message_in_a_message_is_read(tmp_path):
    inner = properties(24, p0037="Inner", p1000="Deep words.")
    file = properties(8, p3705=5) | {"__substg1.0_3701000D": inner}
    found = parsed(msg_file(tmp_path / "m", message(p1000="See.") | {"__attach_version1.0_#00000000": file}))
    assert [(b.text, b.level) for b in found.blocks[3:]] == [("Inner", 2), ("Deep words.", None)]


@pytest.mark.parametrize(("ticks", "lines"), [(2**63 - 1, 2), (133_485_408_000_000_000, 3)])
def test_a_date_that_cannot_be_is_left_out(tmp_path, ticks, lines):
    root = message(p1000="Dear Bob,")
    root["__properties_version1.0"] += struct.pack("<HHIQ", 0x0040, 0x0039, 6, ticks)
    assert len(parsed(msg_file(tmp_path / "m", root)).blocks[1].text.splitlines()) == lines


def test_a_damaged_message_is_told(tmp_path):
    path = msg_file(tmp_path / "m", {"__nameid_version1.0": {}, "__substg1.0_0037001F": b"x"})
    with pytest.raises(UnreadableFileError, match="damaged Outlook message"):
        parsed(path)


def test_compressed_rich_text_is_unpacked():
    assert unpacked_rtf(b"") == b""
    assert unpacked_rtf(b"\0" * 4 + (5).to_bytes(4, "little") + b"MELA" + b"\0" * 4 + b"{\\rtf") == b"{\\rtf"
    assert unpacked_rtf(COMPRESSED) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


@pytest.mark.parametrize(
    ("page", "codec", "subject", "text"),
    [
        (936, "gb18030", "采购合同确认", "经办人朱镕，抄送李喆。"),
        (950, "cp950", "臺北辦公室搬遷通知", "地址為信義路五段七號。"),
        (932, "cp932", "会議室の変更", "新しい会議室は八階です。"),
        (1251, "cp1251", "Договор", "Срок поставки до мая."),
        (9999, "gb18030", "采购合同", "合同金额为三万元。"),
    ],
)
def test_eight_bit_texts_are_read_in_the_code_page_of_the_message(tmp_path, page, codec, subject, text):
    person = properties(8, a3001="王芳".encode(codec) if page in (936, 9999) else b"Bob", p39FE="b@example.org")
    root = properties(32, a0037=subject.encode(codec), a1000=text.encode(codec), p3FFD=page)
    found = parsed(msg_file(tmp_path / "m", root | {"__recip_version1.0_#00000000": person}))
    assert (found.blocks[0].text, found.blocks[-1].text) == (subject, text)
    assert found.blocks[1].text == f"To: {'王芳' if page in (936, 9999) else 'Bob'} <b@example.org>"
