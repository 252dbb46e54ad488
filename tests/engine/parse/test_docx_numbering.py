import pytest
from lxml import etree
from word_files import NAMESPACES, level, numbering

from engine.parse.docx_numbering import Numberings, formatted


def numberings(xml: str) -> Numberings:
    return Numberings(etree.fromstring(f"<w:numbering {NAMESPACES}>{xml}</w:numbering>"))


def labels(numbering_xml: str, *places: tuple[str, int]) -> list[str]:
    made = numberings(numbering_xml)
    return [label.text if (label := made.label(num, at)) else "" for num, at in places]


DECIMAL = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") + level(2, "lowerRoman", "%3)")


def test_deeper_levels_start_again_after_a_higher_one():
    places = [("1", 0), ("1", 1), ("1", 1), ("1", 2), ("1", 0), ("1", 1), ("1", 2)]
    assert labels(numbering(DECIMAL), *places) == ["1.", "1.1", "1.2", "i)", "2.", "2.1", "i)"]


def test_a_level_used_before_its_parents_counts_them_as_started():
    assert labels(numbering(DECIMAL), ("1", 1), ("1", 1), ("1", 0)) == ["1.1", "1.2", "2."]


def test_instances_of_one_numbering_go_on_counting():
    assert labels(numbering(DECIMAL, nums=(1, 2)), ("1", 0), ("2", 0), ("1", 0)) == ["1.", "2.", "3."]


def test_a_start_override_starts_again_once():
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    xml = numbering(DECIMAL, nums=(1, 2), overrides=override)
    assert labels(xml, ("1", 0), ("1", 0), ("2", 0), ("2", 0)) == ["1.", "2.", "1.", "2."]


def test_a_level_that_never_restarts_goes_on():
    levels = level(0, "decimal", "%1.") + level(1, "decimal", "Art. %2", more='<w:lvlRestart w:val="0"/>')
    assert labels(numbering(levels), ("1", 0), ("1", 1), ("1", 0), ("1", 1)) == [
        "1.",
        "Art. 1",
        "2.",
        "Art. 2",
    ]


def test_legal_numbering_shows_digits_only():
    levels = level(0, "upperRoman", "%1") + level(1, "decimal", "%1.%2", more="<w:isLgl/>")
    assert labels(numbering(levels), ("1", 0), ("1", 1)) == ["I", "1.1"]


def test_unknown_and_switched_off_numberings_give_nothing():
    assert numberings(numbering(DECIMAL)).label("9", 0) is None
    assert Numberings(None).label("1", 0) is None


@pytest.mark.parametrize(
    ("number", "form", "text"),
    [
        (4, "upperRoman", "IV"),
        (1994, "lowerRoman", "mcmxciv"),
        (27, "upperLetter", "AA"),
        (28, "lowerLetter", "bb"),
        (7, "decimalZero", "07"),
        (11, "chineseCounting", "十一"),
        (20, "chineseCountingThousand", "二十"),
        (105, "chineseCountingThousand", "一百零五"),
        (110, "chineseCountingThousand", "一百一十"),
        (10, "ideographDigital", "一〇"),
        (3, "ideographTraditional", "丙"),
        (3, "chineseLegalSimplified", "叁"),
        (12, "chineseLegalSimplified", "壹拾贰"),
        (3, "decimalEnclosedCircle", "③"),
        (12, "decimalFullWidth", "１２"),
        (22, "ordinal", "22nd"),
        (11, "ordinal", "11th"),
        (5, "somethingNew", "5"),
        (5, "none", ""),
    ],
)
def test_numbers_are_written_as_word_writes_them(number, form, text):
    assert formatted(number, form) == text
