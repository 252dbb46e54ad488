"""Headings of Word files that have some in heading styles and some, or none, only by their looks and numbers."""

import pytest

from engine.parse.docx import parse_docx
from engine.structure.heading_levels import with_headings
from tests.engine.parse.word_files import paragraph, style, word_file

STYLES = style("n", "Normal", default=True) + style("h1", "heading 1") + style("h2", "heading 2")
SAID = "The parties shall meet once in each quarter and keep a record of what they have agreed upon there. "
SAID_ZH = "双方应当按照本合同约定的时间和方式履行各自的义务，任何一方不得擅自变更或者解除本合同。"
TERMS = "Definitions,Term,Fees,Notices,Confidentiality,Liability,Insurance,Assignment,Governing Law".split(",")
TERMS_ZH = "标的 价款 交付 验收 保密 违约责任 不可抗力 争议解决 其他".split()


@pytest.fixture
def headings_of(tmp_path):
    """Return what lists the headings (level, text) of a Word file with a body of these paragraphs."""

    def listed(*paragraphs: str) -> list[tuple[int | None, str]]:
        path = word_file(tmp_path / "file.docx", "".join(paragraphs), styles=STYLES)
        blocks = with_headings(parse_docx(path, path.name))
        return [(block.level, block.text) for block in blocks if block.kind == "heading"]

    return listed


def test_bold_chapters_beside_styled_ones_are_headings_of_their_level(headings_of):
    styled = {"二", "四"}
    body = [paragraph("协会章程", "h1")]
    for count, name in zip("一二三四五", TERMS_ZH, strict=False):
        title = f"第{count}章 {name}"
        body.append(paragraph(title, "h2", sz="28") if count in styled else paragraph(title, b="1", sz="28"))
        body += [paragraph(SAID_ZH * 2)] * 3
    assert headings_of(*body)[1:] == [(2, f"第{c}章 {n}") for c, n in zip("一二三四五", TERMS_ZH, strict=False)]


def test_bold_lines_below_styled_headings_are_one_level_deeper(headings_of):
    body = []
    for number, name in enumerate(TERMS[:4], 1):
        body += [paragraph(f"{number}. {name}", "h1", b="1", sz="32"), paragraph(SAID * 2)]
        for part, own in enumerate(("Scope", "Exceptions"), 1):
            body += [paragraph(f"{number}.{part} {own} of {name}", b="1", sz="22"), paragraph(SAID * 3)]
    found = headings_of(*body)
    assert [text for level, text in found if level == 1] == [f"{n}. {t}" for n, t in enumerate(TERMS[:4], 1)]
    assert len([text for level, text in found if level == 2]) == 8


def test_what_stands_over_the_first_styled_heading_is_the_cover(headings_of):
    cover = [
        paragraph("Northern Light Corporation", b="1", sz="48"),
        paragraph("Code of Conduct", b="1", sz="44"),
    ]
    chapters = [(paragraph(name, "h1", b="1", sz="28"), paragraph(SAID * 3)) for name in TERMS]
    assert headings_of(*cover, *(part for chapter in chapters for part in chapter)) == [(1, name) for name in TERMS]


def test_a_bullet_that_is_bold_is_no_heading(headings_of):
    body = []
    for name in TERMS:
        body += [paragraph(name, "h1", b="1", sz="28"), paragraph(SAID * 3)]
        body += [paragraph("• Safety and health:", b="1"), paragraph(SAID * 3)]
    assert headings_of(*body) == [(1, name) for name in TERMS]


def test_plain_numbered_clauses_of_a_contract_in_two_languages_are_all_headings(headings_of):
    body = [paragraph("销售合同", sz="28"), paragraph("买卖双方同意按下述条款订立本合同：")]
    titles = [f"{n}. {zh} {en.upper()}" for n, (zh, en) in enumerate(zip(TERMS_ZH, TERMS, strict=True), 1)]
    for number, title in enumerate(titles, 1):
        body.append(paragraph(title))
        for part in range(1, 4):
            body += [paragraph(f"{number}.{part} {SAID_ZH}"), paragraph(SAID * 2)]
    assert [text for _, text in headings_of(*body) if text != "销售合同"] == titles


def test_bold_lines_stand_below_the_title_like_the_styled_headings(headings_of):
    body = [paragraph("Rules of the Society", "h1", sz="40")]
    for number, name in enumerate(TERMS, 1):
        head = paragraph(name, "h2", b="1", sz="28") if number > 4 else paragraph(f"Part {name}", b="1", sz="26")
        body += [head, paragraph(SAID * 3)]
    assert {level for level, _ in headings_of(*body)[1:]} <= {2, 3}
