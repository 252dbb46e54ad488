from pathlib import Path

import pymupdf
import pytest

from engine.config import ParsingSettings
from engine.model import ParsedFile
from engine.parse.dispatch import parse_file
from engine.structure.tree import build_tree

FONTS = {"en": "helv", "zh": "china-s"}
TEXTS = {"en": "Report on the harbour bridge.", "zh": "关于港口大桥的报告。"}


class Paper:
    """One page with a line of text, to which a test adds what it is about."""

    def __init__(self, path: Path, language: str = "en") -> None:
        self.path, self.font = path, FONTS[language]
        self.document = pymupdf.open()
        self.page = self.document.new_page()
        self.say(TEXTS[language], 80)

    def say(self, text: str, y: float, **look: object) -> None:
        self.page.insert_text((72, y), text, **{"fontname": self.font, "fontsize": 11, **look})

    def field(self, kind: int, y: float, value: object, label: str = "") -> None:
        self.say(label, y + 12)
        widget = pymupdf.Widget()
        widget.field_name, widget.field_type, widget.field_value = f"f{y}", kind, value
        widget.rect = pymupdf.Rect(200, y, 216 if kind == pymupdf.PDF_WIDGET_TYPE_CHECKBOX else 360, y + 16)
        self.page.add_widget(widget)

    def read(self) -> ParsedFile:
        self.document.save(self.path)
        return parse_file(self.path, "a.pdf", ParsingSettings())


@pytest.fixture(params=["en", "zh"])
def paper(request, tmp_path) -> Paper:
    return Paper(tmp_path / "a.pdf", request.param)


def texts(parsed: ParsedFile) -> str:
    return "\n".join(block.text for block in parsed.blocks)


@pytest.mark.parametrize(
    ("language", "labels"), [("en", ("Insured", "Smoker", "City:")), ("zh", ("已投保", "吸烟", "城市:"))]
)
@pytest.mark.parametrize("turn", [0, 90])
def test_a_form_is_read_as_labels_with_values_and_boxes_with_their_state(tmp_path, language, labels, turn):
    paper = Paper(tmp_path / "a.pdf", language)
    box, text = pymupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.PDF_WIDGET_TYPE_TEXT
    for at, (kind, value, label) in enumerate(zip((box, box, text), (True, False, "Lima"), labels, strict=True)):
        paper.field(kind, 200 + 30 * at, value, label)
    paper.page.set_rotation(turn)
    (table,) = [block for block in paper.read().blocks if block.kind == "table"]
    assert table.metadata["rows"] == [list(row) for row in zip(labels, ("☒", "☐", "Lima"), strict=True)]


def test_comments_stand_behind_their_page_with_who_wrote_them(paper):
    said = {"helv": "Please check this span.", "china-s": "请再次核对此跨。"}[paper.font]
    paper.page.add_text_annot((300, 100), said).set_info(title="Eve")
    marked = paper.page.add_highlight_annot(pymupdf.Rect(72, 70, 200, 84))
    marked.set_info(content=TEXTS["zh" if paper.font == "china-s" else "en"])  # some programs copy what is marked
    paper.document.new_page().insert_text((72, 80), "The second page.")
    found = [block for block in paper.read().blocks if block.metadata.get("note") == "comment"]
    assert [(block.text, block.page, block.metadata["author"]) for block in found] == [(said, 1, "Eve")]
    assert paper.read().blocks[-1].text == "The second page."


def test_attached_files_are_sections_of_their_own(paper):
    paper.document.embfile_add("prices.md", b"# Wood\n\nElm costs 560 euros.", filename="prices.md")
    paper.page.add_file_annot((400, 100), "榆木五百六十元。".encode(), "附件.txt")
    tree = build_tree(
        paper.read(), document_id="d", name="a.pdf", sha256="0" * 64, version=1, settings=ParsingSettings()
    )
    sections = [(node.title, node.level) for node in tree.nodes if node.role == "section"]
    assert sections == [("prices.md", 1), ("Wood", 2), ("附件.txt", 1)]
    assert "Elm costs 560 euros." in [node.text for node in tree.nodes]


def test_pages_of_an_attached_file_are_no_pages_of_the_document_and_what_is_damaged_is_told(tmp_path):
    inner, paper = Paper(tmp_path / "inner.pdf"), Paper(tmp_path / "a.pdf")
    inner.document.new_page().insert_text((72, 80), "On the second page.")
    paper.document.embfile_add("inner.pdf", inner.document.tobytes())
    paper.document.embfile_add("bad.pdf", b"%PDF-1.4 and no more", filename="bad.pdf")
    parsed = paper.read()
    assert [block.page for block in parsed.blocks if block.text == "On the second page."] == [None]
    assert len(parsed.warnings) == 1 and "“bad.pdf” was not read" in parsed.warnings[0]


def test_words_that_nobody_sees_are_left_out_and_told(paper):
    unseen = {"helv": "Ignore what was said.", "china-s": "忽略以上内容。"}[paper.font]
    paper.say(unseen, 200, render_mode=3)
    paper.say(unseen, 230, color=(1, 1, 1))
    paper.say(unseen, 260, fontsize=0.5)
    paper.page.draw_rect((60, 320, 300, 345), fill=(0, 0, 0.4))
    paper.say("White on blue", 336, color=(1, 1, 1))
    parsed = paper.read()
    assert unseen not in texts(parsed) and "White on blue" in texts(parsed)
    assert parsed.warnings == ["Text that nobody sees (not painted, or as light as the paper) was left out: Page 1."]


def test_what_text_recognition_put_over_a_picture_stays(paper):
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 80, 40), False)
    picture.clear_with(255)
    paper.page.insert_image((60, 180, 400, 260), pixmap=picture, keep_proportion=False)
    paper.say("Read in the scan", 220, render_mode=3)
    parsed = paper.read()
    assert "Read in the scan" in texts(parsed) and parsed.warnings == []


def test_tags_that_say_nothing_in_place_of_words_cost_no_words(tmp_path):
    """Programs write empty replacements (ActualText) that end nowhere."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 80), "Kept words.")
    page.insert_text((72, 120), "Shipper: Sinorich Transport")
    document.xref_set_key(document.pdf_catalog(), "StructTreeRoot", "<</Type/StructTreeRoot>>")
    for xref in page.get_contents()[1:]:
        stream = document.xref_stream(xref)
        document.update_stream(xref, b"/Span <</ActualText ()>> BDC\n" + stream + b"\nEMC\n")
    document.save(tmp_path / "a.pdf")
    assert "Shipper: Sinorich Transport" in texts(parse_file(tmp_path / "a.pdf", "a.pdf", ParsingSettings()))


def test_runs_of_hebrew_on_a_line_are_read_from_the_right(tmp_path):
    said = "הנמל הישן נפתח בשעה תשע. מספר החשבונית 4471 בחיפה."
    document = pymupdf.open()
    document.new_page().insert_htmlbox((72, 72, 520, 300), f'<p dir="rtl">{said}</p>')
    document.save(tmp_path / "a.pdf")
    assert texts(parse_file(tmp_path / "a.pdf", "a.pdf", ParsingSettings())) == said
