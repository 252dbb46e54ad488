from email.message import EmailMessage
from pathlib import Path

import docx
import hostile_files
import pytest

from engine.config import ParsingSettings
from engine.errors import LimitExceededError
from engine.model import ParsedFile
from engine.parse.dispatch import parse_file
from engine.parse.mail import decoded_words


@pytest.fixture
def read(tmp_path: Path):
    def run(message: EmailMessage | bytes, name: str = "m.eml") -> ParsedFile:
        path = tmp_path / "mail"
        path.write_bytes(message if isinstance(message, bytes) else bytes(message))
        return parse_file(path, name, ParsingSettings())

    return run


@pytest.fixture
def message() -> EmailMessage:
    made = EmailMessage()
    made["From"] = "Ann <ann@example.org>"
    made["To"] = "Bob <bob@example.org>"
    made["Date"] = "Tue, 01 Oct 2024 12:34:56 +0200"
    made["Subject"] = "Die Größe 报告"
    made.set_content("Dear Bob,\n\nhere it is.\n")
    return made


def shown(parsed: ParsedFile) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parsed.blocks]


def test_subject_headers_and_text_are_read(read, message):
    assert shown(read(message)) == [
        ("heading", "Die Größe 报告"),
        (
            "paragraph",
            "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nDate: Tue, 01 Oct 2024 12:34:56 +0200",
        ),
        ("paragraph", "Dear Bob,"),
        ("paragraph", "here it is."),
    ]


def test_quoted_replies_are_kept_and_marked(read, message):
    message.set_content("I agree.\n\nOn Monday Bob wrote:\n> Shall we go?\n>> Maybe.\n\nBye\n")
    found = read(message).blocks[2:]
    assert [(b.text, b.metadata.get("quote", False)) for b in found] == [
        ("I agree.", False), ("On Monday Bob wrote:", False), ("Shall we go?", True), ("Maybe.", True), ("Bye", False),
    ]  # fmt: skip


def test_of_two_alternatives_the_richer_is_read(read, message):
    message.set_content("Points: a, b")
    message.add_alternative("<p>Points:</p><ul><li>a</li><li>b</li></ul>", subtype="html")
    assert shown(read(message))[2:] == [("paragraph", "Points:"), ("list_item", "a"), ("list_item", "b")]


def test_a_page_that_lacks_the_words_loses_to_the_text(read, message):
    message.set_content("All that there is to say stands here and nowhere else.")
    message.add_alternative("<p>See text.</p>", subtype="html")
    assert "nowhere else" in read(message).blocks[2].text


def test_an_attachment_is_a_section_with_its_own_tree(read, message, tmp_path):
    document = docx.Document()
    document.add_heading("Findings", 1)
    document.add_paragraph("It works.")
    document.save(str(tmp_path / "r.docx"))
    message.add_attachment(
        (tmp_path / "r.docx").read_bytes(),
        maintype="application",
        subtype="octet-stream",
        filename="Bericht.docx",
    )
    found = read(message).blocks[4:]
    assert [(b.text, b.level) for b in found] == [("Bericht.docx", 2), ("Findings", 3), ("It works.", None)]


def test_an_attachment_that_cannot_be_read_is_listed(read, message):
    message.add_attachment(b"MZ" + bytes(300), maintype="application", subtype="x-dosexec", filename="run.exe")
    found = read(message)
    assert len(found.blocks) == 4
    assert "run.exe" in found.warnings[0]
    assert "type “exe”" in found.warnings[0]


def test_a_bomb_in_an_attachment_costs_only_itself(read, message, tmp_path):
    bomb = hostile_files.zip_bomb(tmp_path / "bomb.docx").read_bytes()
    message.add_attachment(bomb, maintype="application", subtype="zip", filename="bomb.docx")
    assert "zip bomb" in read(message).warnings[0]


def test_a_forwarded_message_is_a_section_of_its_own(read, message):
    outer = EmailMessage()
    outer["From"], outer["Subject"] = "c@example.org", "Fwd"
    outer.set_content("See below.")
    outer.add_attachment(message)
    found = read(outer).blocks
    assert [(b.text, b.level) for b in found if b.kind == "heading"] == [("Fwd", 1), ("Die Größe 报告", 2)]
    assert found[-1].text == "here it is."


def test_messages_nested_without_end_stop_at_a_depth(read, message):
    for number in range(8):
        outer = EmailMessage()
        outer["From"], outer["Subject"] = "c@example.org", f"Level {number}"
        outer.set_content("Inside.")
        outer.add_attachment(message)
        message = outer
    found = read(message)
    assert [b.text for b in found.blocks if b.kind == "heading"] == [f"Level {n}" for n in (7, 6, 5, 4, 3)]
    assert "nested too deeply" in found.warnings[0]


def test_parts_nested_beyond_reason_are_refused(read):
    parts = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(200))
    with pytest.raises(LimitExceededError):
        read(f"From: a@b.c\nSubject: x\nMIME-Version: 1.0\n{parts}".encode())


def test_small_pictures_inside_the_text_are_no_attachments(read, message):
    message.add_attachment(b"\x89PNG" + bytes(99), maintype="image", subtype="png", disposition="inline", cid="<l>")
    assert not read(message).warnings


def test_raw_bytes_in_headers_are_read_as_what_they_are(read):
    found = read("From: a@b.c\nSubject: 季度报告和预算\n\nText".encode("gb18030"))
    assert found.blocks[0].text == "季度报告和预算"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("=?utf-8?q?Gr=C3=B6=C3=9Fe?= =?utf-8?b?IOaKpeWRig==?=", "Größe 报告"),
        ("=?no-such-charset?q?x?=", "=?no-such-charset?q?x?="),
        ("plain", "plain"),
        ("=?UTF-8?B?5a2j5bqm5oql5Q==?=\n =?UTF-8?B?kYrlt7LlrozmiJA=?=", "季度报告已完成"),
        ("=?gb2312?B?1uzpRg==?=", "朱镕"),
    ],
)
def test_encoded_words_are_decoded(raw, words):
    assert decoded_words(raw) == words


def test_lines_that_the_sender_broke_are_joined_at_their_depth_of_quotes(read):
    head = b"From: a@example.com\nSubject: Flow\nContent-Type: text/plain; charset=utf-8; format=flowed"
    body = b"\n\nThe boiler is \nserviced in \nOctober.\n\n> Who does \n> it?\n-- \nAnn\n"
    assert [text for _, text in shown(read(head + body))[2:]] == [
        "The boiler is serviced in October.", "Who does it?", "--",
        "Ann",
    ]  # fmt: skip
    cut = read(head + b"; delsp=yes\n\nThe boiler is ser \nviced every Octo \nber.\n")
    assert cut.blocks[-1].text == "The boiler is serviced every October."
