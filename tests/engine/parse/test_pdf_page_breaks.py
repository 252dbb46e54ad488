"""Paragraphs that go on over the end of a page, and lines that begin as items do but go on with the one before."""

from pathlib import Path

import pytest

from engine.config import ParsingSettings
from engine.model import Block
from engine.parse.pdf import parse_pdf
from tests.engine.parse.pdf_samples import HEIGHT, LOREM, Sheet, chinese_font


def paragraphs(path: Path) -> list[Block]:
    blocks = parse_pdf(path, ParsingSettings()).blocks
    return [block for block in blocks if block.kind in ("paragraph", "list_item") and "running" not in block.metadata]


def agreement(path: Path, *pages: list[str]) -> list[Block]:
    """Write pages of Chinese lines, "@" before those that are indented, with header, footer and a footnote each."""
    sheet = Sheet(path)
    font = chinese_font()
    for number, lines in enumerate(pages, 1):
        sheet.canvas.setFont(font, 9)
        sheet.canvas.drawString(90, HEIGHT - 50, "设备采购合同")
        sheet.canvas.drawString(280, 40, f"第 {number} 页")
        own = [f"@{'一二三'[number - 1]}号页所载的条款由双方共同遵守。"]
        for line in [*lines, *own] if number == 2 else [*own, *lines]:
            sheet.line(line.lstrip("@"), x=90 + 24 * line.count("@"), size=12, font=font, gap=4)
        sheet.line(f"{number} 住所以营业执照所载的为准。", x=90, size=8, font=font, gap=250)
        sheet.next_page()
    sheet.save()
    return paragraphs(path)


DISPUTES = [
    "@双方在履行本合同的过程中发生争议的应当先行友好协商，协商不成的任何一方",
    "均可以向甲方所在地的人民法院提起诉讼，诉讼期间除争议的部分之外双方应当继续",
    "履行合同的其他条款，任何一方不得以争议为由拒绝履行自己在本合同项下的义务。",
]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("@合同签订后甲方应当向乙方支付全部价款的百分之三十作为预付款项，乙方在", "15 个工作日内提交。"),
        ("@合同签订后甲方应当向乙方支付全部价款的百分之三十作为预付款项，乙方", "3 个月内完成安装。"),
        (
            "@付款的安排为首付款三十万元整，于合同生效之日支付，由甲方以转账方式付",
            "余款：七十万元整，于验收合格之后支付。",
        ),
    ],
)
def test_a_full_line_goes_on_with_a_number_or_a_label_in_it_and_over_a_page(tmp_path: Path, first: str, then: str):
    whole = first.lstrip("@") + (" " if then[0].isdigit() else "") + then
    on_a_page = agreement(tmp_path / "a.pdf", [*DISPUTES, first, then], DISPUTES, DISPUTES)
    assert [block.text for block in on_a_page][2] == whole
    over_pages = agreement(tmp_path / "b.pdf", [*DISPUTES, first], [then, *DISPUTES], DISPUTES)
    [joined] = [block for block in over_pages if block.text == whole]
    assert joined.kind == "paragraph"
    assert [span["page"] for span in joined.metadata["spans"]] == [1, 2]
    assert sum(span["chars"] for span in joined.metadata["spans"]) >= len(whole) - 1


def test_indented_lines_below_full_ones_begin_paragraphs(tmp_path: Path):
    found = agreement(tmp_path / "a.pdf", DISPUTES * 3, DISPUTES, DISPUTES)
    assert [block.text for block in found].count("".join(DISPUTES).lstrip("@")) == 5


@pytest.mark.parametrize(
    ("goes_on", "joined"),
    [
        ("Henrik Larsen and of the harbour master, who has seen to such works before.", True),
        ("(whose report is annexed) before the end of the year, weather permitting.", True),
        ("12 workmen of the harbour, who have seen to such works in other years, too.", True),
        ("Tolls", False),
    ],
)
def test_a_sentence_goes_on_with_a_name_a_bracket_or_a_number_on_the_next_page(
    tmp_path: Path, goes_on: str, joined: bool
):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    sheet.line("The board has decided, after talks with the city and with the owners of all the adjoining wharves,")
    sheet.line("that the old crane is to be moved to the northern pier, where it is to be put up again by the order of")
    sheet.line("1 See the minutes of the meeting.", size=7, gap=300)
    sheet.next_page()
    sheet.line(goes_on)
    sheet.paragraph(LOREM)
    sheet.save()
    assert any(block.text.endswith(f"by the order of {goes_on}") for block in paragraphs(tmp_path / "a.pdf")) is joined
