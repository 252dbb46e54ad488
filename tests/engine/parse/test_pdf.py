from pathlib import Path

import pytest
from pdf_samples import HEIGHT, LOREM, WIDTH, Sheet, chinese_font

from engine.config import ParsingSettings
from engine.errors import EmptyFileError, EncryptedFileError, LimitExceededError, UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.pdf import parse_pdf
from engine.parse.pdf_text import clean, read_lines


def parse(path: Path) -> ParsedFile:
    return parse_pdf(path, ParsingSettings())


def texts(parsed: ParsedFile, kind: str = "paragraph") -> list[str]:
    return [block.text for block in parsed.blocks if block.kind == kind]


def one(parsed: ParsedFile, start: str) -> Block:
    return next(block for block in parsed.blocks if block.text.startswith(start))


def test_lines_become_paragraphs_with_their_page_box_and_font(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.heading("Bridges")
    sheet.paragraph(LOREM)
    sheet.paragraph("A second paragraph " + LOREM)
    sheet.save()
    parsed = parse(tmp_path / "a.pdf")
    assert texts(parsed) == ["Bridges", LOREM.strip(), "A second paragraph " + LOREM.strip()]
    heading = parsed.blocks[0]
    assert heading.evidence["size"] == 14 and heading.evidence["bold"] == 1.0
    x0, y0, x1, y1 = heading.bbox
    assert heading.page == 1 and 71 < x0 < 73 and 85 < y0 < y1 < 110 and x1 < 200
    assert parsed.pages == 1 and parsed.page_sizes == [(round(WIDTH, 2), round(HEIGHT, 2))]


@pytest.mark.parametrize("names", [("Tenant: Maria Lopez", "Landlord: Ken Wood"), ("Place: Lima", "Date: 3 May")])
def test_lines_of_a_name_and_its_value_stay_apart(tmp_path, names):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    for name in names:
        sheet.line(name)
    sheet.paragraph(LOREM, gap=0)
    sheet.save()
    found = texts(parse(tmp_path / "a.pdf"))
    assert [text for text in found if text in names] == list(names)


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("a work\row of \x0cles", "a workflow of files"), ("turn it o\x0b", "turn it off"),
        ("e\x0ecient", "efficient"), ("First\rsecond", "First second"), ("tabs\r\n", "tabs  "),
    ],
)  # fmt: skip
def test_ligatures_of_old_fonts_are_letters_and_other_control_characters_are_none(printed, read):
    assert clean(printed) == read


def test_two_columns_are_read_one_after_the_other(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.line("A title that spans both columns of the page and is set in large letters", size=13, x=80)
    top = sheet.y
    for x, word in ((60, "Left"), (310, "Right")):
        sheet.y = top
        for number in range(3):
            sheet.paragraph(f"{word} {number} {LOREM}", x=x, width=220)
    sheet.save()
    starts = [text.split(" The")[0] for text in texts(parse(tmp_path / "a.pdf"))]
    assert starts[1:] == ["Left 0", "Left 1", "Left 2", "Right 0", "Right 1", "Right 2"]


def test_a_paragraph_goes_on_in_the_next_column_and_page(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    words = (LOREM * 7).split()
    sheet.y = 500
    sheet.paragraph(" ".join(words[:150]), gap=0)
    sheet.next_page()
    sheet.paragraph(" ".join(words[150:]), gap=0)
    sheet.save()
    parsed = parse(tmp_path / "a.pdf")
    if words[150][0].islower():
        block = parsed.blocks[0]
        assert len(parsed.blocks) == 1
        assert [span["page"] for span in block.metadata["spans"]] == [1, 2]
        assert block.bbox == tuple(block.metadata["spans"][0]["bbox"])
    assert " ".join(texts(parsed)) == " ".join(words)


def test_hyphens_at_line_ends_go_only_where_the_word_is_one(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.line("The engineers of the state-owned railway asked for more informa-")
    sheet.line("tion, and the state-")
    sheet.line("owned yard gave what it had to give on that day in the spring.")
    sheet.save()
    text = texts(parse(tmp_path / "a.pdf"))[0]
    assert "more information, and the state-owned yard" in text


def test_page_numbers_are_dropped_and_a_running_header_is_kept_once_behind_the_text(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    for number in range(1, 6):
        sheet.y = 20
        sheet.line("Annual report of the Harbour Company", size=8)
        sheet.y = 140
        sheet.line("Results", size=10)
        sheet.paragraph(f"Year {number}. {LOREM}")
        sheet.y = 800
        sheet.line(f"Page {number} of 5", x=280, size=8)
        sheet.next_page()
    sheet.save()
    found = texts(parse(tmp_path / "a.pdf"))
    assert not any("of 5" in text for text in found)
    assert found[-1] == "Annual report of the Harbour Company" and found.count(found[-1]) == 1
    assert sum(text == "Results" for text in found) == 5


def test_a_running_header_is_told_below_a_wide_margin_too(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    for number in range(1, 5):
        sheet.y = 160
        sheet.line("Harbour Administration, Justice", size=10)
        sheet.y = 200
        sheet.paragraph(f"Rule {number}. {LOREM}")
        sheet.next_page()
    sheet.save()
    assert running(parse(tmp_path / "a.pdf")) == [("header", "Harbour Administration, Justice")]


def running(parsed: ParsedFile) -> list[tuple[str, str]]:
    return [(b.metadata["running"], b.text) for b in parsed.blocks if "running" in b.metadata]


def test_each_number_that_a_running_header_or_footer_states_is_kept(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    for page, invoice in enumerate(("RE-2026-0417", "RE-2026-0417", "RE-2026-0420", "RE-2026-0420"), 1):
        sheet.y = 20
        sheet.line(f"Invoice No. {invoice} | {page}", size=9)
        sheet.y = 200
        sheet.paragraph(f"Item {page * 7}. {LOREM}")
        sheet.y = 800
        sheet.line("IBAN DE00 1234 5678 9012", size=8)
        sheet.next_page()
    sheet.save()
    parsed = parse(tmp_path / "a.pdf")
    assert running(parsed) == [
        ("header", "Invoice No. RE-2026-0417"),
        ("footer", "IBAN DE00 1234 5678 9012"),
        ("header", "Invoice No. RE-2026-0420"),
    ]
    assert [b.page for b in parsed.blocks if "running" in b.metadata] == [1, 1, 3]


def test_a_row_of_control_codes_is_no_line():
    span = {"text": "\x0b\x0c \x1c", "size": 9.0, "font": "F", "color": 0, "flags": 0, "char_flags": 0}
    row = {"spans": [span | {"origin": (72.0, 90.0)}], "bbox": (72, 80, 99, 92), "dir": (1.0, 0.0)}
    assert read_lines({"blocks": [{"lines": [row]}]}, 1, None) == []


def test_words_cut_at_line_ends_get_their_hyphens_back_only_where_they_have_them(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    for line in (
        "The manufacturer guarantees the compres-",
        "sor of the new machine for five years. Self-",
        "service is allowed, and the code is AB-",
        "1190, which is the well-",
        "known name of the SPECIFI-",
        "CATION that all of our partners use now.",
    ):
        sheet.line(line)
    sheet.save()
    assert texts(parse(tmp_path / "a.pdf"))[-1].endswith(
        "the compressor of the new machine for five years. Self-service is allowed, and the code is AB-1190, "
        "which is the well-known name of the SPECIFICATION that all of our partners use now."
    )


def test_letters_set_apart_are_one_line_of_words(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    text = sheet.canvas.beginText(60, 742)
    text.setFont("Helvetica", 14)
    text.setCharSpace(6)
    text.textOut("NOTICE OF MEETING")
    sheet.canvas.drawText(text)
    sheet.y = 150
    sheet.paragraph(LOREM)
    sheet.save()
    assert texts(parse(tmp_path / "a.pdf"))[0] == "NOTICE OF MEETING"


def test_columns_of_vertical_text_are_read_from_right_to_left(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    font = chinese_font()
    sheet.canvas.setFont(font, 14)
    for x, column in ((500, "古籍保存室溫度應為攝氏十八度"), (470, "相對濕度為百分之五十")):
        for row, char in enumerate(column):
            sheet.canvas.drawString(x, 760 - 18 * row, char)
    sheet.save()
    assert texts(parse(tmp_path / "a.pdf")) == ["古籍保存室溫度應為攝氏十八度相對濕度為百分之五十"]


def test_an_item_of_a_receipt_stands_with_its_price(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    for item, price in (
        ("USB hub", "$79.99"),
        ("Portable SSD", "$289.00"),
        ("Mouse", "$59.99"),
        ("Cable", "$4.50"),
    ):
        for number, text in enumerate((f"{item} with a case", f"Code-{len(item)} 1 @ {price}", price)):
            sheet.line(text, size=8, font="Courier", gap=0 if number else 2)
    sheet.save()
    assert texts(parse(tmp_path / "a.pdf"))[1] == "Portable SSD with a case Code-12 1 @ $289.00 $289.00"


def test_bullets_and_numbers_become_list_items(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph("What is needed for the work on the bridge in the coming year:")
    for item in ("• steel for the arch", "• granite for the pylons", "(a) paint of the usual grey"):
        sheet.line(item)
    sheet.save()
    assert texts(parse(tmp_path / "a.pdf"), "list_item") == [
        "• steel for the arch", "• granite for the pylons", "(a) paint of the usual grey",
    ]  # fmt: skip


def test_a_ruled_table_gives_rows_of_cells_and_keeps_its_words_out_of_the_text(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    rows = [["Material", "Tons", "Cost"], ["Steel", "52,800", "4.2"], ["Granite for pylons", "", "0.7"]]
    top, height, widths = 220.0, 20.0, [72.0, 200.0, 300.0, 400.0]
    for index in range(4):
        y = HEIGHT - top - index * height
        sheet.canvas.line(widths[0], y, widths[-1], y)
    for x in widths:
        sheet.canvas.line(x, HEIGHT - top, x, HEIGHT - top - 3 * height)
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            sheet.canvas.drawString(widths[c] + 4, HEIGHT - top - r * height - 14, cell)
    sheet.save()
    parsed = parse(tmp_path / "a.pdf")
    table = next(block for block in parsed.blocks if block.kind == "table")
    assert table.metadata["rows"] == rows
    assert table.bbox == pytest.approx((72, 220, 400, 280), abs=1)
    assert texts(parsed) == [LOREM.strip()]


def test_aligned_numbers_without_rules_are_a_table(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    rows = [("", "2022", "2023"), ("Net sales", "1,204", "1,377"), ("Cost of sales", "(803)", "(911)"),
            ("Gross profit", "401", "466")]  # fmt: skip
    for row in rows:
        sheet.line(row[0] or " ", x=72)
        for x, cell in zip((300, 400), row[1:], strict=True):
            sheet.canvas.drawRightString(x, HEIGHT - sheet.y, cell)
    sheet.y += 30
    sheet.paragraph(LOREM)
    sheet.save()
    table = next(block for block in parse(tmp_path / "a.pdf").blocks if block.kind == "table")
    assert table.metadata["rows"] == [list(row) for row in rows]


def test_contents_pages_are_listed_apart_from_the_text(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.line("Contents", size=14, font="Helvetica-Bold")
    for number, title in enumerate(("Bridges", "Tunnels", "Ferries", "Roads", "Rails"), 1):
        sheet.line(f"{number} {title} " + "." * 60 + f" {number + 1}")
    sheet.next_page()
    sheet.heading("1 Bridges")
    sheet.paragraph(LOREM)
    sheet.save()
    parsed = parse(tmp_path / "a.pdf")
    entries = [block.text.split(" .")[0] for block in parsed.blocks if block.evidence.get("contents")]
    assert entries == ["1 Bridges", "2 Tunnels", "3 Ferries", "4 Roads", "5 Rails"]


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_boxes_are_those_of_the_page_as_displayed(tmp_path, angle):
    path = tmp_path / "a.pdf"
    sheet = Sheet(path)
    sheet.paragraph(LOREM)
    sheet.save()
    import pymupdf

    with pymupdf.open(path) as document:
        document[0].set_rotation(angle)
        document.save(tmp_path / "turned.pdf")
    parsed = parse(tmp_path / "turned.pdf")
    sides = (WIDTH, HEIGHT) if angle == 180 else (HEIGHT, WIDTH)
    assert parsed.page_sizes == [(round(sides[0], 2), round(sides[1], 2))]
    assert texts(parsed) == [LOREM.strip()]
    with pymupdf.open(tmp_path / "turned.pdf") as document:
        shown = document[0].get_pixmap()
    x0, y0, x1, y1 = (round(value) for value in parsed.blocks[0].bbox)
    dark = [(x, y) for x in range(shown.width) for y in range(shown.height) if sum(shown.pixel(x, y)) < 300]
    assert all(x0 - 2 <= x <= x1 + 2 and y0 - 2 <= y <= y1 + 2 for x, y in dark)
    assert len(dark) > 100


def test_chinese_lines_join_without_spaces(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    font = chinese_font()
    text = "为了规范公司的组织和行为保护公司股东和债权人的合法权益维护社会经济秩序促进社会主义市场经济的发展制定本法"
    sheet.line("第一章 总则", size=15, font=font, gap=10)
    sheet.line(text[:45], font=font, gap=10)
    sheet.line(text[45:] + "。", font=font)
    sheet.save()
    assert texts(parse(tmp_path / "a.pdf")) == ["第一章 总则", text + "。"]


def test_bookmarks_are_the_outline(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    for title, level in (("Bridges", 0), ("Arches", 1)):
        sheet.canvas.bookmarkPage(title)
        sheet.canvas.addOutlineEntry(title, title, level)
        sheet.heading(title)
        sheet.paragraph(LOREM)
        sheet.next_page()
    sheet.save()
    outline = parse(tmp_path / "a.pdf").outline
    assert [(entry["level"], entry["title"], entry["page"]) for entry in outline] == [
        (1, "Bridges", 1), (2, "Arches", 2),
    ]  # fmt: skip


def test_a_page_that_is_a_picture_is_named_in_a_warning(tmp_path):
    from PIL import Image

    Image.new("RGB", (200, 300), "grey").save(tmp_path / "scan.png")
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    sheet.next_page()
    sheet.canvas.drawImage(str(tmp_path / "scan.png"), 0, 0, WIDTH, HEIGHT)
    sheet.save()
    warnings = parse(tmp_path / "a.pdf").warnings
    assert len(warnings) == 1 and warnings[0].startswith("Page 2 ")


def test_a_protected_pdf_is_refused(tmp_path):
    import pymupdf

    with pymupdf.open() as document:
        document.new_page()
        document.save(tmp_path / "a.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret")
    with pytest.raises(EncryptedFileError):
        parse(tmp_path / "a.pdf")


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 nonsense", b"PK\x03\x04 something else"])
def test_a_broken_pdf_is_refused(tmp_path, content):
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(UnreadableFileError):
        parse(tmp_path / "a.pdf")


def test_a_pdf_without_anything_on_it_is_empty(tmp_path):
    Sheet(tmp_path / "a.pdf").save()
    with pytest.raises(EmptyFileError):
        parse(tmp_path / "a.pdf")


def test_a_pdf_that_was_cut_off_before_its_pages_says_what_to_do(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<</Type /Catalog /Pages 2 0 R>>\nendobj\n")
    with pytest.raises(EmptyFileError, match=r"has no pages\..*get the file again"):
        parse(tmp_path / "a.pdf")


def test_too_many_pages_are_refused(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    for _ in range(3):
        sheet.paragraph(LOREM)
        sheet.next_page()
    sheet.save()
    with pytest.raises(LimitExceededError):
        parse_pdf(tmp_path / "a.pdf", ParsingSettings(max_pages=2))


def test_progress_is_reported(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    for _ in range(40):
        sheet.line("A page")
        sheet.next_page()
    sheet.save()
    seen: list[float] = []
    parse_pdf(tmp_path / "a.pdf", ParsingSettings(), lambda _stage, share: seen.append(share))
    assert seen and seen == sorted(seen) and seen[-1] <= 1


def test_rows_of_text_inside_one_ruled_row_are_rows(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    rows = [
        ["Year", "Tons", "Cost"],
        ["1930", "5,100", "4.2"],
        ["1931", "7,300", "5.0"],
        ["1932", "900", "0.7"],
    ]
    top = 220.0
    for y in (top, top + 20, top + 80):
        sheet.canvas.line(72, HEIGHT - y, 400, HEIGHT - y)
    for x in (190, 300):
        sheet.canvas.line(x, HEIGHT - top, x, HEIGHT - top - 80)
    for r, row in enumerate(rows):
        for x, cell in zip((76, 196, 306), row, strict=True):
            sheet.canvas.drawString(x, HEIGHT - top - 14 - 20 * r, cell)
    sheet.save()
    tables = [block.metadata["rows"] for block in parse(tmp_path / "a.pdf").blocks if block.kind == "table"]
    assert tables == [rows]


def test_short_texts_side_by_side_are_not_mixed_line_by_line(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    top = sheet.y + 20
    for x, lines in (
        (72, ["Accommodation for persons who", "need nursing in their daily life"]),
        (320, ["Rule 18 on the number of staff that", "must be in the house at night time"]),
    ):
        sheet.y = top
        for line in lines:
            sheet.line(line, x=x)
    sheet.y += 20
    sheet.paragraph(LOREM)
    sheet.save()
    assert texts(parse(tmp_path / "a.pdf"))[1:3] == [
        "Accommodation for persons who need nursing in their daily life",
        "Rule 18 on the number of staff that must be in the house at night time",
    ]


def test_words_inside_a_picture_belong_to_the_picture(tmp_path):
    from PIL import Image

    Image.new("RGB", (200, 100), "lightgrey").save(tmp_path / "chart.png")
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.paragraph(LOREM)
    sheet.canvas.drawImage(str(tmp_path / "chart.png"), 72, HEIGHT - 400, 300, 150)
    for x, word in ((100, "Steel"), (200, "Granite"), (300, "Paint")):
        sheet.canvas.drawString(x, HEIGHT - 380, word)
    sheet.y = 420
    sheet.paragraph(LOREM)
    sheet.save()
    parsed = parse(tmp_path / "a.pdf")
    image = next(block for block in parsed.blocks if block.kind == "image")
    assert image.metadata["ocr_text"] == "Steel Granite Paint"
    assert (image.metadata["width"], image.metadata["height"]) == (200, 100)
    assert image.bbox == pytest.approx((72, 250, 372, 400), abs=1)
    assert [block.kind for block in parsed.blocks] == ["paragraph", "image", "paragraph"]


def test_a_word_printed_twice_for_its_shadow_is_read_once(tmp_path):
    sheet = Sheet(tmp_path / "a.pdf")
    sheet.line("Harbour Bridge", size=20)
    sheet.y -= 26
    sheet.line("Harbour Bridge", size=20, x=72.4)
    sheet.paragraph(LOREM)
    sheet.save()
    assert texts(parse(tmp_path / "a.pdf"))[0] == "Harbour Bridge"


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_truncated_pdf_gives_what_is_left_or_a_clear_error(tmp_path, share):
    sheet = Sheet(tmp_path / "a.pdf")
    for _ in range(3):
        sheet.paragraph(LOREM)
        sheet.next_page()
    sheet.save()
    whole = (tmp_path / "a.pdf").read_bytes()
    (tmp_path / "cut.pdf").write_bytes(whole[: int(share * len(whole))])
    try:
        parsed = parse(tmp_path / "cut.pdf")
    except UnreadableFileError as error:
        assert "damaged" in str(error)
    else:
        assert parsed.blocks
