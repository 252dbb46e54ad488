import sys
from pathlib import Path

import pytest

from engine.config import ParsingSettings
from engine.model import Tree
from engine.parse.pdf import parse_pdf
from engine.structure.tree import build_tree

sys.path.insert(0, str(Path(__file__).parent.parent / "parse"))
from pdf_samples import LOREM, Sheet, chinese_font


def tree_of(path: Path) -> Tree:
    parsed = parse_pdf(path, ParsingSettings())
    return build_tree(parsed, document_id="d1", name=path.name, sha256="cd" * 32, version=1, settings=ParsingSettings())


def sections(path: Path) -> list[tuple[int, str]]:
    return [(node.depth, node.title) for node in tree_of(path).nodes if node.role == "section"]


@pytest.fixture
def sheet(tmp_path):
    return Sheet(tmp_path / "a.pdf")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.pdf"


def test_larger_bold_lines_are_headings_and_size_gives_their_levels(sheet, path):
    for chapter in ("Bridges", "Tunnels"):
        sheet.heading(chapter, size=16)
        sheet.paragraph(LOREM)
        for part in ("History", "Traffic"):
            sheet.heading(f"{part} of {chapter.lower()}", size=12)
            sheet.paragraph(LOREM)
    sheet.save()
    assert sections(path) == [
        (1, "Bridges"), (2, "History of bridges"), (2, "Traffic of bridges"),
        (1, "Tunnels"), (2, "History of tunnels"), (2, "Traffic of tunnels"),
    ]  # fmt: skip
    found_by = [node.metadata["found_by"] for node in tree_of(path).nodes if node.role == "section"]
    assert found_by == ["look"] * 6


def test_decimal_numbers_give_levels_in_one_look(sheet, path):
    for title in ("1 Bridges", "1.1 Arches", "1.1.1 Steel", "1.2 Cables", "2 Tunnels", "2.1 Tubes"):
        sheet.heading(title, size=12)
        sheet.paragraph(LOREM)
    sheet.save()
    assert [depth for depth, _ in sections(path)] == [1, 2, 3, 2, 1, 2]


def test_bold_words_captions_and_table_rows_are_no_headings(sheet, path):
    sheet.heading("1 Bridges")
    sheet.paragraph(LOREM)
    sheet.line("Note.", font="Helvetica-Bold", gap=8)
    sheet.canvas.drawString(110, sheet.canvas._pagesize[1] - sheet.y, "A word in front of a text that runs on in it")
    sheet.line("and goes on in the next line without any break.")
    sheet.line("Table 1: Tons of steel by year", font="Helvetica-Bold", gap=12)
    for row in (("Year", "Steel", "Granite"), ("1930", "5,100", "300"), ("1931", "7,300", "420")):
        sheet.line(row[0], font="Helvetica-Bold")
        for x, cell in zip((250, 350), row[1:], strict=True):
            sheet.canvas.drawRightString(x, sheet.canvas._pagesize[1] - sheet.y, cell)
    sheet.paragraph(LOREM, gap=20)
    sheet.save()
    assert sections(path) == [(1, "1 Bridges")]


def test_a_printed_table_of_contents_is_not_a_list_of_headings(sheet, path):
    titles = ["Bridges", "Arches of steel", "Tunnels", "Ferries", "Roads"]
    sheet.line("Contents", size=14, font="Helvetica-Bold")
    for number, title in enumerate(titles, 2):
        sheet.line(f"{title} " + "." * 50 + f" {number}")
    for title in titles:
        sheet.next_page()
        sheet.heading(title)
        sheet.paragraph(LOREM)
        sheet.paragraph(LOREM)
    sheet.save()
    tree = tree_of(path)
    found = [(node.title, node.page) for node in tree.nodes if node.role == "section"]
    assert [item for item in found if item[0] in titles] == [(title, page) for page, title in enumerate(titles, 2)]


def test_bookmarks_decide_when_there_are_some(sheet, path):
    for number, (title, level) in enumerate((("Bridges", 0), ("Arches", 1), ("Tunnels", 0))):
        sheet.canvas.bookmarkPage(str(number))
        sheet.canvas.addOutlineEntry(title, str(number), level)
        sheet.line(title, gap=6)
        sheet.paragraph(LOREM)
        sheet.heading("A bold line that no bookmark names")
        sheet.paragraph(LOREM)
        sheet.next_page()
    sheet.save()
    assert sections(path) == [(1, "Bridges"), (2, "Arches"), (1, "Tunnels")]


def test_bookmarks_with_a_compound_number_are_placed_at_what_is_printed_with_its_last_part(sheet, path):
    sheet.paragraph(LOREM)
    for number, (entry, printed) in enumerate(
        (("II Use", "II. USE"), ("II-A Margins", "A. Margins"), ("II-B1 Type", "1) Type"))
    ):
        sheet.line(printed, gap=20)
        sheet.canvas.bookmarkPage(str(number))
        sheet.canvas.addOutlineEntry(entry, str(number), 0)
        sheet.paragraph(f"{entry} is told here. {LOREM}")
    sheet.save()
    nodes = tree_of(path).nodes
    titles = {node.node_id: node.title for node in nodes}
    told = {titles[node.parent_id]: node.text[:10] for node in nodes if " is told" in node.text}
    assert told == {"II Use": "II Use is ", "II-A Margins": "II-A Margi", "II-B1 Type": "II-B1 Type"}


def test_parts_of_a_statute_one_below_the_other_are_headings_each(sheet, path):
    font = chinese_font()
    text = "第{}条 为了规范公司的组织和行为，保护股东和债权人的合法权益，维护经济秩序，制定本法，自公布起施行。"
    for part, chapter, article in (("一编 总则", "一章 一般规定", "一"), ("二编 物权", "二章 所有权", "二")):
        for title in (part, chapter):
            sheet.line(f"第{title}", size=12, x=260, font=font, gap=4)
        sheet.line(text.format(article)[:44], x=92, font=font, gap=4)
        sheet.line(text.format(article)[44:], font=font, gap=4)
    sheet.save()
    assert sections(path) == [
        (1, "第一编 总则"),
        (2, "第一章 一般规定"),
        (1, "第二编 物权"),
        (2, "第二章 所有权"),
    ]


def test_contents_without_page_numbers_are_no_headings(sheet, path):
    font = chinese_font()
    titles = ["第一章 总则", "第二章 设立", "第三章 附则"]
    for title in ("目录", *titles):
        sheet.line(title, size=12, font=font, gap=8)
    sheet.next_page()
    for number, title in zip("一二三", titles, strict=True):
        sheet.line(title, size=12, font=font, gap=8)
        for part in range(4):
            text = f"第{number}条 为了规范第{part}家公司的组织和行为，保护债权人的合法权益，制定本法。"
            sheet.line(text, font=font, gap=6)
    sheet.save()
    assert [(node.title, node.page) for node in tree_of(path).nodes if node.level] == [(title, 2) for title in titles]


def test_a_run_in_heading_that_ends_on_the_next_line_begins_its_paragraph(sheet, path):
    sheet.heading("Results")
    sheet.paragraph(LOREM, width=210)
    sheet.line("Effect of the wind on the weight of four", size=10.4, font="Helvetica-Bold", gap=8)
    sheet.line("pylons: ".capitalize(), size=10.4, font="Helvetica-Bold")
    sheet.canvas.setFont("Helvetica", 10.4)
    sheet.canvas.drawString(113, 842 - sheet.y, "It was small on each of the days")
    sheet.paragraph(f"on which it was measured. {LOREM}", width=210, size=10.4, gap=0)
    sheet.save()
    assert sections(path) == [(1, "Results")]


def test_a_line_of_code_that_opens_a_bracket_is_no_section(sheet, path):
    for title in ("Data", "data class Gist(", "Classes"):
        sheet.heading(title, size=12)
        sheet.paragraph(LOREM)
    sheet.save()
    assert sections(path) == [(1, "Data"), (1, "Classes")]


def test_chinese_chapters_sections_and_numbered_points_nest(sheet, path):
    font = chinese_font()
    text = "为了规范公司的组织和行为，保护公司、股东和债权人的合法权益，维护社会经济秩序，制定本法。"
    for line, size in (
        ("第一章 总则", 14), (text, 10), ("第一节 设立", 12), ("一、公司信息", 10), (text, 10),
        ("（一）名称", 10), (text, 10), ("（二）地址", 10), (text, 10), ("二、其他", 10), (text, 10),
        ("第二章 附则", 14), (text, 10),
    ):  # fmt: skip
        sheet.line(line, size=size, font=font, gap=8)
    sheet.save()
    assert sections(path) == [
        (1, "第一章 总则"), (2, "第一节 设立"), (3, "一、公司信息"), (4, "（一）名称"), (4, "（二）地址"),
        (3, "二、其他"), (1, "第二章 附则"),
    ]  # fmt: skip


def test_articles_of_a_statute_are_paragraphs(sheet, path):
    font = chinese_font()
    sheet.line("第一章 总则", size=14, font=font, gap=8)
    for number in "一二三四":
        sheet.line(f"第{number}条 公司以其全部财产对公司的债务承担责任。", font=font, gap=4)
    sheet.save()
    tree = tree_of(path)
    assert [node.role for node in tree.nodes if node.role in ("section", "paragraph")] == ["section"] + [
        "paragraph"
    ] * 4


def test_the_title_and_the_authors_are_not_sections(sheet, path):
    sheet.line("On the Bridges of the Northern Shore", size=20, font="Helvetica-Bold", gap=20)
    sheet.line("Ada Smith and Bela Kovacs", size=12, gap=10)
    sheet.heading("Abstract", size=12)
    sheet.paragraph(LOREM * 2)
    sheet.heading("1 Introduction", size=12)
    sheet.paragraph(LOREM * 2)
    sheet.save()
    tree = tree_of(path)
    assert tree.nodes[0].title == "On the Bridges of the Northern Shore"
    assert sections(path) == [(1, "Abstract"), (1, "1 Introduction")]


def test_a_heading_repeated_on_the_next_page_does_not_begin_a_section_again(sheet, path):
    for title in ("Results", "Results (continued)", "Outlook"):
        sheet.y = 130
        sheet.heading(title)
        for _ in range(3):
            sheet.paragraph(LOREM)
        sheet.next_page()
    sheet.save()
    assert sections(path) == [(1, "Results"), (1, "Outlook")]


def test_headings_that_the_contents_leave_out_stand_below_those_that_they_list(sheet, path):
    titles = [("1 Bridges", 14), ("1.1 Arches", 12), ("1.2 Cables", 12), ("2 Tunnels", 14), ("2.1 Tubes", 12)]
    sheet.line("Contents", size=14, font="Helvetica-Bold")
    for page, (title, _) in enumerate(titles, 2):
        sheet.line(f"{title} " + "." * 50 + f" {page}", x=72 if title[1] == " " else 90)
    for title, size in titles:
        sheet.next_page()
        sheet.heading(title, size=size)
        sheet.paragraph(LOREM)
        sheet.heading("History", size=10)
        sheet.paragraph("It began long ago. " + LOREM)
    sheet.save()
    assert sections(path)[-10:] == [
        found for title, size in titles for found in ((1 + (size == 12), title), (2 + (size == 12), "History"))
    ]


def test_italics_at_the_size_of_the_text_are_headings_over_running_text(sheet, path):
    for title in ("Use of Estimates", "Fiscal Year", "Leases"):
        sheet.line(title, font="Helvetica-Oblique", gap=14)
        sheet.paragraph(LOREM)
    sheet.line("Source: annual report", font="Helvetica-Oblique", gap=14)
    sheet.save()
    assert sections(path) == [(1, "Use of Estimates"), (1, "Fiscal Year"), (1, "Leases")]


def test_who_signed_is_no_section(sheet, path):
    for title in ("Results", "Outlook"):
        sheet.heading(title, size=12)
        sheet.paragraph(LOREM)
    for name in ("Jane Smith", "John Miller"):
        sheet.line(name, font="Helvetica-Bold", gap=20)
        sheet.line("Chief Executive Officer", gap=14)
    sheet.save()
    assert sections(path) == [(1, "Results"), (1, "Outlook")]


def test_the_name_of_a_company_over_each_of_its_statements_is_no_section(sheet, path):
    for title in ("Assets", "Income", "Cash"):
        sheet.heading("Northern Bridges Ltd.", size=10)
        sheet.heading(title, size=10)
        sheet.paragraph(LOREM)
    sheet.save()
    assert sections(path) == [(1, "Assets"), (1, "Income"), (1, "Cash")]


def test_a_line_in_brackets_is_no_section(sheet, path):
    for title in ("Results", "[Signatures on the following page]", "Outlook"):
        sheet.heading(title, size=12)
        sheet.paragraph(LOREM)
    sheet.save()
    assert sections(path) == [(1, "Results"), (1, "Outlook")]


def test_parts_stand_over_items_in_a_report(sheet, path):
    for title in ("PART I", "Item 1. Business", "Item 2. Properties", "PART II", "Item 3. Results"):
        sheet.heading(title, size=12)
        sheet.paragraph(LOREM)
    sheet.save()
    assert [depth for depth, _ in sections(path)] == [1, 2, 2, 1, 2]


def test_a_short_document_without_a_long_paragraph_has_headings_from_its_first_page_on(sheet, path):
    for title, text in (
        ("Building", "The tower was built of granite by forty masons."),
        ("Keepers", "Three families."),
    ):
        sheet.heading(title, size=16)
        sheet.paragraph(text, size=11)
    sheet.save()
    assert sections(path) == [(1, "Building"), (1, "Keepers")]


def test_fields_of_forms_and_addresses_are_no_sections(sheet, path):
    sheet.line("Birds of the coast", size=20)
    sheet.paragraph(LOREM)
    for number in range(1, 6):
        sheet.line(f"Survey of {'gulls auks terns swans geese'.split()[number - 1]}", font="Helvetica-Bold", gap=14)
        sheet.line(f"Email: keeper{number}@harbour.org", font="Helvetica-Bold", gap=6)
        sheet.line(f"Protocol: count number {number}", font="Helvetica-Bold", gap=6)
        sheet.paragraph(LOREM)
    sheet.line("https://harbour.org/surveys of birds", size=13, gap=12)
    sheet.paragraph(LOREM)
    sheet.save()
    titles = [title for _, title in sections(path)]
    assert titles == [f"Survey of {bird}" for bird in ("gulls", "auks", "terns", "swans", "geese")]


def test_numbered_headings_without_text_between_are_two(sheet, path):
    sheet.line("1 Definitions", size=12, font="Helvetica-Bold")
    sheet.line("2 Foreseeable scenarios", size=12, font="Helvetica-Bold", gap=3)
    sheet.paragraph(LOREM)
    sheet.line("3 Remedies", size=12, font="Helvetica-Bold")
    sheet.paragraph(LOREM)
    sheet.save()
    assert [title for _, title in sections(path)] == ["1 Definitions", "2 Foreseeable scenarios", "3 Remedies"]


def test_a_chinese_sentence_on_a_line_of_its_own_is_no_section(sheet, path):
    font = chinese_font()
    for title in ("模型的建立", "最后的结果如下表所示。", "模型的求解"):
        sheet.line(title, size=15, font=font, gap=16)
        for _ in range(3):
            sheet.line("桥梁承担城市与北岸之间的铁路、公路和步行交通，拱由两岸同时建造并在冬夜合龙。", font=font)
    sheet.save()
    assert [title for _, title in sections(path)] == ["模型的建立", "模型的求解"]
