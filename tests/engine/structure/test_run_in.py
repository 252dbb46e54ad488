"""Underlined headings, headings that run into their paragraphs, titles of slides; drawn as PDF and written as Word."""

import pytest
from reportlab.lib.pagesizes import landscape
from reportlab.pdfbase.pdfmetrics import stringWidth

from engine.config import ParsingSettings
from engine.model import Node
from engine.parse.dispatch import parse_file
from engine.structure.tree import build_tree
from tests.engine.parse.pdf_samples import HEIGHT, LOREM, Sheet, chinese_font
from tests.engine.parse.word_files import word_file

NAMES = "Attendance,Dismissal,Dress code,Use of telephones,Visitors".split(",")


def nodes_of(path) -> list[Node]:
    parsed = parse_file(path, path.name, ParsingSettings())
    settings = ParsingSettings()
    return build_tree(parsed, document_id="d", name="a", sha256="cd" * 32, version=1, settings=settings).nodes


def titles_of(path) -> list[tuple[int, str]]:
    return [(node.depth, node.title) for node in nodes_of(path) if node.role == "section"]


def underlined(sheet: Sheet, text: str, gap: float = 8) -> None:
    sheet.line(text, gap=gap)
    y = HEIGHT - sheet.y - 1.2
    sheet.canvas.setLineWidth(0.6)
    sheet.canvas.line(72, y, 72 + stringWidth(text.rstrip(":"), "Helvetica", 10), y)


def run_in(sheet: Sheet, name: str, text: str, font: str = "Helvetica-Bold", x: float = 72) -> None:
    """Write a paragraph whose first words are in another font."""
    sheet.line(name, font=font, gap=10, x=x)
    start, end = x + stringWidth(f"{name} ", font, 10), 60
    while start + stringWidth(text[: text.index(" ", end + 1)], "Helvetica", 10) < x + 450:
        end = text.index(" ", end + 1)
    sheet.canvas.setFont("Helvetica", 10)
    sheet.canvas.drawString(start, HEIGHT - sheet.y, text[:end])
    sheet.paragraph(text[end:], gap=0, x=x)


@pytest.fixture
def sheet(tmp_path):
    return Sheet(tmp_path / "a.pdf")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.pdf"


def test_underlined_lines_tight_above_their_paragraphs_are_headings(sheet, path):
    for part in ("Conduct", "Safety"):
        sheet.heading(part)
        for name in NAMES:
            underlined(sheet, f"{name}:")
            sheet.paragraph(LOREM, gap=0)
    sheet.save()
    assert titles_of(path) == [
        row for part in ("Conduct", "Safety") for row in [(1, part), *((2, f"{name}:") for name in NAMES)]
    ]


@pytest.mark.parametrize("font", ["Helvetica-Bold", "Helvetica-Oblique"])
@pytest.mark.parametrize("sign", [".", ":", " –"])
def test_words_of_another_look_that_begin_paragraphs_are_headings_below_the_last_one(sheet, path, font, sign):
    sheet.heading("Conduct")
    sheet.paragraph(LOREM)
    for name in NAMES:
        run_in(sheet, name + sign, LOREM, font)
    sheet.heading("Safety")
    sheet.paragraph(LOREM)
    sheet.save()
    nodes = nodes_of(path)
    assert titles_of(path) == [(1, "Conduct"), *((2, name) for name in NAMES), (1, "Safety")]
    names = {node.node_id: node.title for node in nodes}
    below = [node.text for node in nodes if names.get(node.parent_id) == "Dismissal"]
    assert below == [LOREM.strip()]


def test_a_list_below_words_that_run_in_stands_in_their_section(sheet, path):
    sheet.heading("Conduct")
    for name in NAMES:
        run_in(sheet, f"{name}.", f"{LOREM}The following is not allowed:")
        for item in ("noise", "dogs"):
            sheet.line(f"• {item} for {name.lower()}", x=90)
    sheet.save()
    nodes = nodes_of(path)
    names = {node.node_id: node.title for node in nodes}
    lists = [(names[node.parent_id], node.text) for node in nodes if node.role == "list"]
    assert [name for name, _ in lists] == NAMES
    assert all(f"for {name.lower()}" in text for name, text in lists)


def test_words_that_come_again_in_one_section_are_labels(sheet, path):
    sheet.heading("Talk")
    for _ in range(3):
        for name in ("Ann Miller", "John Smith", "Mary Brown"):
            run_in(sheet, f"{name}:", LOREM)
    sheet.save()
    assert titles_of(path) == [(1, "Talk")]


def test_bold_words_of_bullets_values_and_captions_are_no_headings(sheet, path):
    sheet.heading("Parts")
    for name in NAMES:
        sheet.line("•", gap=6)
        sheet.y -= 23
        run_in(sheet, f"{name}:", LOREM, x=86)
    for number, name in enumerate(NAMES, 1):
        run_in(sheet, f"Figure {number}.", LOREM)
        sheet.line(f"{name}:", font="Helvetica-Bold", gap=12)
        sheet.canvas.setFont("Helvetica", 10)
        sheet.canvas.drawString(180, HEIGHT - sheet.y, "a value of forty kilometres")
    sheet.save()
    assert titles_of(path) == [(1, "Parts")]


def test_run_in_headings_that_count_on_with_a_heading_are_beside_it(sheet, path):
    sheet.heading("1. Purpose", size=10)
    sheet.paragraph(LOREM)
    for number, name in enumerate(NAMES, 2):
        run_in(sheet, f"{number}. {name}.", LOREM)
    sheet.save()
    assert titles_of(path) == [(1, "1. Purpose"), *((1, f"{n}. {name}") for n, name in enumerate(NAMES, 2))]


def test_chinese_words_that_run_in_are_headings(sheet, path):
    font, said = chinese_font(), "双方应当按照本合同约定的时间和方式履行各自的义务，任何一方不得擅自变更或者解除。"
    sheet.line("第一章 总则", size=14, font=font, gap=12)
    for name in ("范围：", "付款：", "交付："):
        sheet.line(name, font=font, gap=10)
        sheet.canvas.setLineWidth(0.6)
        sheet.canvas.line(72, HEIGHT - sheet.y - 1.4, 98, HEIGHT - sheet.y - 1.4)
        sheet.canvas.drawString(102, HEIGHT - sheet.y, said)
        sheet.line(said, font=font)
    sheet.save()
    assert [title for _, title in titles_of(path)] == ["第一章 总则", "范围", "付款", "交付"]


def test_an_underlined_item_of_a_list_is_the_answer_and_no_heading(sheet, path):
    sheet.heading("Questions")
    for question in NAMES:
        sheet.paragraph(f"What is said of {question.lower()}? {LOREM}")
        for number in (1, 2, 3):
            text = f"{number}) {question} is told in part {number}"
            if number == 3:
                underlined(sheet, text, gap=0)
            else:
                sheet.line(text)
    sheet.save()
    assert titles_of(path) == [(1, "Questions")]


def test_bookmarks_are_completed_by_headings_below_them(sheet, path):
    for number, chapter in enumerate(("Bridges", "Tunnels", "Ferries")):
        sheet.canvas.bookmarkPage(str(number))
        sheet.canvas.addOutlineEntry(chapter, str(number), 0)
        sheet.heading(chapter, size=16)
        sheet.paragraph(LOREM)
        for part in ("History", "Traffic", "Cost"):
            underlined(sheet, f"{part} of {chapter.lower()}")
            sheet.paragraph(LOREM, gap=0)
        sheet.next_page()
    sheet.save()
    found = {node.title: node.metadata["found_by"] for node in nodes_of(path) if node.role == "section"}
    assert [title for title, by in found.items() if by == "bookmark"] == ["Bridges", "Tunnels", "Ferries"]
    assert [row for row in titles_of(path) if row[0] == 2][:3] == [
        (2, "History of bridges"), (2, "Traffic of bridges"), (2, "Cost of bridges"),
    ]  # fmt: skip


def test_the_largest_words_on_top_of_most_slides_are_their_titles(tmp_path):
    path, font = tmp_path / "slides.pdf", chinese_font()
    sheet = Sheet(path)
    titles = "大纲 从抛硬币开始 连续随机变量 正态分布 为什么需要假设检验 数据的形式".split()
    for title in titles:
        sheet.canvas.setPageSize(landscape((540, 960)))
        for y, size, text in (
            (470, 44, title),
            (380, 28, "假设有一个硬币，抛出正面为一"),
            (330, 28, "抛十次得到一个序列"),
        ):
            sheet.canvas.setFont(font, size)
            sheet.canvas.drawString(80, y, text if size == 44 else f"• {text}")
        sheet.next_page()
    sheet.save()
    assert [title for _, title in titles_of(path)] == titles


def runs(*parts: tuple[str, str]) -> str:
    made = (f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>' for text, look in parts)
    return f"<w:p>{''.join(made)}</w:p>"


@pytest.mark.parametrize("look", ["<w:b/>", "<w:i/>", '<w:u w:val="single"/>'])
def test_words_that_run_in_are_headings_in_word(tmp_path, look):
    body = [runs(("Conduct", '<w:b/><w:sz w:val="32"/>')), runs((LOREM, ""))]
    for name in NAMES:
        body += [runs((name, look), (". ", ""), (LOREM, "")), runs((LOREM, ""))]
    path = word_file(tmp_path / "a.docx", "".join(body))
    assert titles_of(path) == [(1, "Conduct"), *((2, name) for name in NAMES)]


def test_underlined_lines_are_headings_in_word(tmp_path):
    body = []
    for name in NAMES:
        body += [runs((name, '<w:u w:val="single"/>')), runs((LOREM, "")), runs((LOREM, ""))]
    path = word_file(tmp_path / "a.docx", "".join(body))
    assert titles_of(path) == [(1, name) for name in NAMES]


def test_a_bookmark_printed_with_another_number_is_no_second_heading_and_a_sentence_none(sheet, path):
    font, said = chinese_font(), "本办法自公布之日起执行，由学生处负责解释。"
    titles = ("1. 总则", "2. 范围", "3. 附则")
    for number, title in enumerate(titles, 1):
        sheet.canvas.bookmarkPage(title)
        sheet.canvas.addOutlineEntry(title, title, 0)
        sheet.line(f"2.{number} {title}", size=14, font=font, gap=12)
        sheet.line(said * 2, font=font, gap=6)
        sheet.line(said * 2, font=font, gap=6)
    sheet.canvas.bookmarkPage(said)
    sheet.canvas.addOutlineEntry(said, said, 0)
    sheet.save()
    assert [title for _, title in titles_of(path)] == list(titles)


def test_chinese_letters_that_are_filled_and_stroked_are_bold(sheet, path):
    """Word makes Chinese letters bold so: fonts of theirs have no bold face."""
    font, said = chinese_font(), "双方应当按照本合同约定的时间和方式履行各自的义务，任何一方不得擅自变更或者解除。"
    names = ("[实验目的]", "[实验安排]", "[实验报告]")
    sheet.line("一、实验要求", size=14, font=font, gap=12)
    for name in names:
        sheet.y += 26
        text = sheet.canvas.beginText(72, HEIGHT - sheet.y)
        text.setFont(font, 10)
        for mode, words in ((2, name), (0, f"：{said[:33]}")):
            text.setTextRenderMode(mode)
            text.textOut(words)
        sheet.canvas.drawText(text)
        sheet.line(said, font=font)
    sheet.save()
    assert [title for _, title in titles_of(path)] == ["一、实验要求", *names]
