from pathlib import Path

import numpy as np
import pymupdf
import pytest

from engine.config import OcrSettings, ParsingSettings
from engine.errors import UnreadableFileError
from engine.model import ParsedFile
from engine.parse.pdf import parse_pdf
from engine.parse.reading import Reading
from engine.parse.scan import read_image, read_pages
from engine.parse.scan_text import PageText, blocks_of, reading_warnings
from engine.providers.ocr import OcrLine, open_ocr
from engine.structure.heading_levels import with_headings

LEFT = ["The harbour board approved", "a second tunnel under the", "river after a long debate",
        "about its costs, which rose", "by a third since the survey", "of the bedrock was made"]  # fmt: skip
RIGHT = ["and published. Engineers", "expect four years of work", "before trains run through",
         "it; the old bridge closes", "for repairs in the winter", "and opens again in spring."]  # fmt: skip


class Scripted:
    """A recogniser that says what it was told, and counts how often it was asked."""

    name = "scripted"

    def __init__(self, *readings: list[OcrLine]) -> None:
        self.readings = list(readings)
        self.asked = 0

    def read(self, image: np.ndarray) -> list[OcrLine]:
        self.asked += 1
        return self.readings.pop(0) if len(self.readings) > 1 else self.readings[0]


def line(text: str, x: float, y: float, width: float = 200, height: float = 14, confidence: float = 0.98) -> OcrLine:
    return OcrLine(text, ((x, y), (x + width, y), (x + width, y + height), (x, y + height)), confidence)


def scan(path: Path, pages: list[list[tuple[float, float, str]]], turn: int = 0) -> Path:
    """Write a PDF whose pages are pictures of text lines set at (x, y)."""
    with pymupdf.open() as document, pymupdf.open() as scanned:
        for lines in pages:
            page = document.new_page(width=420, height=300)
            for x, y, text in lines:
                page.insert_text((x, y), text, fontname="helv" if text.isascii() else "china-ss", fontsize=11)
            page.set_rotation(turn)
            drawn = page.get_pixmap(dpi=200)
            sheet = scanned.new_page(width=page.rect.width, height=page.rect.height)
            sheet.insert_image(sheet.rect, pixmap=drawn)
        scanned.save(path)
    return path


@pytest.fixture(scope="module")
def ocr():
    return open_ocr(OcrSettings())


def test_two_columns_are_read_one_after_the_other(tmp_path, ocr):
    page = [(40, 40 + 15 * i, text) for i, text in enumerate(LEFT)]
    page += [(225, 40 + 15 * i, text) for i, text in enumerate(RIGHT)]
    path = scan(tmp_path / "scan.pdf", [page])

    [block] = blocks_of(list(read_pages(path, [1], ocr)))

    assert block.text == " ".join(LEFT + RIGHT)


def test_chinese_lines_become_a_paragraph_with_its_lines_boxes_and_confidence(tmp_path, ocr):
    page = [(40, 190, "全体员工每年享有十五天带薪年假，未休完的年假可以结转到次"), (40, 206, "年三月底。")]
    path = scan(tmp_path / "scan.pdf", [page])

    texts = list(read_pages(path, [1], ocr))
    [block] = blocks_of(texts)

    assert block.text == "全体员工每年享有十五天带薪年假，未休完的年假可以结转到次年三月底。"
    assert block.evidence["ocr"] and block.evidence["confidence"] > 0.9
    assert [row["text"][:4] for row in block.metadata["ocr_lines"]] == ["全体员工", "年三月底"]
    assert block.page == 1 and 175 < block.bbox[1] < 185 < 205 < block.bbox[3] < 215
    assert reading_warnings(texts) == []


def test_a_page_scanned_upside_down_is_read_and_its_boxes_stay_where_they_are_seen(tmp_path, ocr):
    page = [(40, 40, "The tunnel was approved in March."), (40, 62, "Work will begin after the summer.")]
    path = scan(tmp_path / "scan.pdf", [page], turn=180)

    [block] = blocks_of(list(read_pages(path, [1], ocr)))

    assert block.text == "The tunnel was approved in March. Work will begin after the summer."
    assert block.bbox[1] > 220


def test_only_pictures_of_text_need_reading(tmp_path):
    scanned = scan(tmp_path / "scan.pdf", [[(40, 40, "A scanned page")]])
    path = tmp_path / "mixed.pdf"
    with pymupdf.open() as document:
        document.new_page().insert_text((40, 40), "A page of text that a program has written. " * 3)
        document.new_page()
        with pymupdf.open(scanned) as other:
            document.insert_pdf(other)
        document.save(path)

    assert parse_pdf(path, ParsingSettings(), reading=Reading()).unread_pages == [3]


def test_reading_goes_on_where_it_was_cut_off(tmp_path):
    path = scan(tmp_path / "scan.pdf", [[(40, 40, "First page")], [(40, 40, "Second page")]])
    first = Scripted([line("First page", 40, 40)], [line("Second page", 40, 40)])
    next(read_pages(path, [1, 2], first, tmp_path / "read"))

    second = Scripted([line("Second page", 40, 40)])
    shares: list[float] = []
    texts = list(read_pages(path, [1, 2], second, tmp_path / "read", lambda _stage, share: shares.append(share)))

    assert [text.lines[0].text for text in texts] == ["First page", "Second page"]
    assert (first.asked, second.asked, shares) == (1, 1, [0.5, 1.0])


def test_a_damaged_cache_file_is_read_anew(tmp_path):
    image = np.zeros((20, 20, 3), np.uint8)
    ocr = Scripted([line("Text", 1, 1)])
    read_image(image, ocr, tmp_path)
    [kept] = tmp_path.iterdir()
    kept.write_bytes(b"{")

    assert read_image(image, ocr, tmp_path)[0].text == "Text"
    assert ocr.asked == 2


def test_a_skewed_page_keeps_its_rows():
    slope = 0.02
    rows = [["Year", "Revenue", "Profit"], ["2022", "311", "40"], ["2023", "412", "55"]]
    lines = []
    for y, row in enumerate(rows):
        for x, text in zip((40, 240, 440), row, strict=True):
            top = 100 + 13 * y + slope * x
            end = top + slope * 60
            lines.append(OcrLine(text, ((x, top), (x + 60, end), (x + 60, end + 10), (x, top + 10)), 0.99))

    text = "\n".join(block.text for block in blocks_of([PageText(1, (600.0, 800.0), lines)]))

    assert text.replace("|", " ").split() == [cell for row in rows for cell in row]


def test_lines_of_larger_type_are_told_by_their_size():
    body = [line("The revenue of the company rose in every quarter of it", 50, 200 + 15 * i, 250, 11) for i in range(4)]
    heading = line("Report of the board", 50, 160, 190, 21)

    blocks = blocks_of([PageText(1, (600.0, 800.0), [heading, *body])])

    assert blocks[0].text == "Report of the board"
    assert blocks[0].evidence["size"] > 1.5 * blocks[1].evidence["size"]


def test_lines_whose_boxes_differ_in_height_are_one_paragraph():
    texts = [
        "more sun over our mines was seen",
        "the kings of old halls lived by it",
        "as soon as men see us as we come",
    ]
    lines = [line(text, 50, 200 + 15 * i, 200, (9.5, 11.5, 9.5)[i]) for i, text in enumerate(texts)]

    [block] = blocks_of([PageText(1, (600.0, 800.0), lines)])

    assert block.text == " ".join(texts)


PROSE = "the board of the harbour told all who own a ship in it that tolls are due in may and that "
RULES = "资产管理部门负责固定资产的登记调拨清查与处置工作应当在每年年底之前对全部资产进行一次清查"


def typed(text: str, y: float, x: float = 50, size: float = 11, wide: float = 0.42, height: float = 1.2) -> OcrLine:
    """A line as a detector gives it: with some room around, and its height by chance."""
    width = size * sum(1.0 if ord(char) > 0x2E80 else wide for char in text) + 0.2 * size
    return line(text, x, y, width, size * height)


@pytest.mark.parametrize("step", [15, 24, 33])
def test_lines_of_one_type_are_a_paragraph_however_far_apart_they_stand(step: float):
    heights = (1.2, 1.0, 1.3, 1.0)
    lines = [typed(PROSE[:80], 100 + step * n, height=height) for n, height in enumerate(heights)]
    lines.append(typed("master of it.", 100 + 4 * step, height=0.95))

    [block] = blocks_of([PageText(1, (600.0, 800.0), lines)])

    assert block.text.endswith("master of it.") and block.evidence["lines"] == 5


def test_short_lines_of_larger_type_are_headings_whatever_the_height_of_their_boxes():
    lines = []
    for n, (title, height) in enumerate((("总体要求", 1.05), ("主要做法", 1.25), ("存在问题", 1.1))):
        lines.append(typed(title, 80 + 160 * n, size=14, height=height))
        lines += [typed(RULES[:34], 110 + 160 * n + 20 * k, size=12) for k in range(4)]
        lines.append(typed("按照本办法执行。", 190 + 160 * n, size=12, height=1.0))
    parsed = ParsedFile("application/pdf", blocks_of([PageText(1, (600.0, 800.0), lines)]), pages=1)

    found = [block for block in with_headings(parsed) if block.kind == "heading"]

    assert [(block.text, block.level) for block in found] == [("总体要求", 1), ("主要做法", 1), ("存在问题", 1)]
    assert len(parsed.blocks) == 6


def test_pages_that_are_hard_to_read_are_named():
    poor = [line("Thc rcvcnuc", 50, 50, confidence=0.7)]
    texts = [PageText(1, (600.0, 800.0), [line("Fine", 1, 1)]), PageText(2, (600.0, 800.0), poor)]

    assert reading_warnings(texts) == ["Page 2 was hard to read: check the recognised text against the picture."]


def test_a_damaged_pdf_is_refused(tmp_path):
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-1.7 and nothing else")

    with pytest.raises(UnreadableFileError):
        list(read_pages(path, [1], Scripted([])))
