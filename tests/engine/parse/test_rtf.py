import pytest

from engine.errors import EncryptedFileError, UnreadableFileError
from engine.model import ParsedFile
from engine.parse.other import parse_other
from engine.structure.heading_levels import with_headings

HEAD = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil Arial;}{\f1\fnil\fcharset134 SimSun;}{\f2\fnil Courier New;}}"
STYLES = r"{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2\sbasedon1 My heading;}{\s3\outlinelevel1 Lower;}{\s9 Title;}}"


def blocks(body: str):
    return parse_other((HEAD + STYLES + body + "}").encode("latin-1"), "rtf", "a.rtf").blocks


def test_headings_come_from_styles_and_outline_levels():
    found = blocks(
        r"\pard\s9 The Title\par\pard\s1 One\par\pard text\par\pard\s2 Based\par"
        r"\pard\s3 Two\par\pard\outlinelevel2 Three\par"
    )
    assert [(b.text, b.level) for b in found if b.kind == "heading"] == [
        ("The Title", 1), ("One", 2), ("Based", 2), ("Two", 3), ("Three", 4),
    ]  # fmt: skip


def test_characters_of_all_kinds_are_read():
    found = blocks(r"Gr\'f6\'dfe \u8364? \emdash \{x\} \f1\'c4\'e3\'ba\'c3\f0  \u-10179?\u-8704?\par")
    assert found[0].text == "Größe € —{x} 你好 \U0001f600"


LISTS = (
    r"{\*\listtable{\list\listid1{\listlevel\levelnfc0\levelstartat1{\leveltext\'02\'00.;}{\levelnumbers\'01;}}}}"
    r"{\*\listoverridetable{\listoverride\listid1\listoverridecount0\ls1}}"
)


def test_items_of_a_list_are_counted():
    found = blocks(
        LISTS + r"\pard\ls1\ilvl0{\listtext 1.\tab}first\par\pard\ls1\ilvl0{\listtext 2.\tab}second\par\pard After\par"
    )
    assert [(b.kind, b.text) for b in found] == [
        ("list_item", "1. first"), ("list_item", "2. second"), ("paragraph", "After"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "heading", [r"\pard\s1\ls1{\listtext 1.\tab}Scope\par", r"{\listtext 1.\tab}\pard\s1\ls1 Scope\par"]
)
def test_a_heading_that_is_counted_stays_a_heading(heading):
    found = blocks(LISTS + heading + r"\pard\plain text\par{\listtext 7.\tab}\pard\ls1 first\par")
    assert [(b.kind, b.text) for b in found] == [
        ("heading", "Scope"), ("paragraph", "text"), ("list_item", "1. first"),
    ]  # fmt: skip


def test_labels_of_paragraphs_that_name_no_list_stay():
    found = blocks(r"\pard{\pntext 1.\tab}first\par{\pntext 2.\tab}second\par")
    assert [b.text for b in found] == ["1. first", "2. second"]


def test_cells_fall_into_columns_by_their_edges():
    found = blocks(
        r"\trowd\trhdr\cellx2000\pard\intbl Wide\cell\row"
        r"\trowd\cellx1000\cellx2000\intbl a\cell b\par c\cell\row\pard After\par"
    )
    assert found[0].metadata["rows"] == [["Wide", ""], ["a", "b\nc"]]
    assert found[1].text == "After"


def test_notes_follow_their_paragraph():
    found = blocks(r"Said{\super\chftn}{\footnote\pard The note.} so.\par Next.\par")
    assert [b.text for b in found] == ["Said so.", "The note.", "Next."]


def test_what_is_not_shown_is_left_out():
    found = blocks(
        r"{\*\unknown secret}{\v hidden} shown"
        r"{\field{\*\fldinst HYPERLINK x}{\fldrslt  link}}\par\pard end\par"
    )
    assert [b.text for b in found] == ["shown link", "end"]


def test_without_styles_bold_lines_that_come_again_are_headings():
    prose = r"\pard\plain\fs22 This is a paragraph of plain prose that goes on for a while and says little.\par"
    body = "".join(rf"\pard\plain\fs32\b Part {n}\par{prose * 2}" for n in ("one", "two", "three"))
    found = with_headings(ParsedFile("application/rtf", blocks(body)))
    assert [b.text for b in found if b.kind == "heading"] == ["Part one", "Part two", "Part three"]


def test_binary_data_is_stepped_over():
    data = (HEAD + r"{\pict\bin5 ").encode() + b"}}{{\\" + rb"}Text\par}"
    assert [b.text for b in parse_other(data, "rtf", "a.rtf").blocks if b.kind == "paragraph"] == ["Text"]


def test_a_file_that_breaks_off_ends_with_what_stood_before():
    assert [b.text for b in blocks(r"\pard{\b One\par{{ two")] == ["One", "two"]


def test_groups_nested_beyond_reason_are_refused():
    with pytest.raises(UnreadableFileError, match="nested"):
        blocks("{" * 10_000)


def test_a_protected_file_asks_for_the_protection_to_go():
    with pytest.raises(EncryptedFileError, match="password"):
        blocks(r"\encrypted x")


def test_a_star_inside_a_group_hides_nothing():
    found = blocks(r"\pard{\f0\b0\*\cs7\cf0 The valve opens at 6 bar.}\par{\*\bkmkstart secret}Second.\par")
    assert [b.text for b in found] == ["The valve opens at 6 bar.", "Second."]


def test_headers_and_footers_come_last():
    found = blocks(r"{\header Order 4711\par}{\footerf Page {\field{\*\fldinst PAGE}{\fldrslt 1}}\par}\pard Text\par")
    assert [b.text for b in found] == ["Text", "Order 4711", "Page 1"]
