"""Pictures inside documents: kept with where they are, shown, and read by text recognition afterwards."""

import base64
import io
from pathlib import Path

import docx
import pptx
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from engine.config import Settings
from engine.errors import NotFoundError, UnreadableFileError
from engine.ingest import Source
from engine.library import Library
from engine.model import Node

WORDS = "Turbine output in megawatts"
CAPTION = "Figure 1: Bar chart of the turbine output"


def drawing(text: str = WORDS, kind: str = "PNG") -> bytes:
    """A picture of one line of text in a green frame."""
    sheet = Image.new("RGB", (900, 300), "white")
    pen = ImageDraw.Draw(sheet)
    pen.rectangle((4, 4, 895, 295), outline="green", width=8)
    pen.text((60, 120), text, "black", ImageFont.load_default(48))
    buffer = io.BytesIO()
    sheet.save(buffer, kind)
    return buffer.getvalue()


def word_file() -> bytes:
    document = docx.Document()
    document.add_heading("Power", 1)
    document.add_paragraph("The turbines ran all year and the grid took what they gave.")
    document.add_picture(io.BytesIO(drawing()))
    document.add_paragraph(CAPTION, style="Caption")
    return saved(document)


def slides() -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Power"
    slide.shapes.add_picture(io.BytesIO(drawing()), 914400, 2000000)
    return saved(deck)


def pdf_file() -> bytes:
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, pagesize=(600, 800))
    for line in range(12):
        sheet.drawString(72, 740 - 14 * line, "The turbines ran all year and the grid took all that they gave it.")
    sheet.drawImage(ImageReader(io.BytesIO(drawing())), 100, 300, 300, 100)
    sheet.drawString(100, 280, CAPTION)
    sheet.save()
    return buffer.getvalue()


def web_page() -> bytes:
    address = "data:image/png;base64," + base64.b64encode(drawing()).decode()
    return (
        f"<html><body><h1>Power</h1><p>The turbines ran.</p><figure><img src='{address}'>"
        f"<figcaption>{CAPTION}</figcaption></figure><img src='https://example.org/a.png' alt='far'></body></html>"
    ).encode()


def notes() -> bytes:
    address = "data:image/png;base64," + base64.b64encode(drawing()).decode()
    return f"# Power\n\nThe turbines ran.\n\n![A picture]({address})\n\n{CAPTION}\n".encode()


def saved(document) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


FILES = {
    "power.docx": word_file, "power.pptx": slides, "power.pdf": pdf_file, "power.html": web_page, "power.md": notes,
}  # fmt: skip


def images(library: Library, name: str) -> list[Node]:
    return [node for node in library.tree(name).nodes if node.role == "image"]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A library with one document of each kind, their pictures read."""
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("shelf") / "library"
    with Library.open(folder, settings=settings, background=False) as library:
        added = library.add([Source(name, make()) for name, make in FILES.items()])
        assert [result.status for result in added] == ["added"] * len(FILES)
        ids = {name: [node.node_id for node in library.tree(name).nodes] for name in FILES}
        library.read_pending()
        yield library, ids


@pytest.mark.parametrize("name", FILES)
def test_the_picture_of_a_node_can_be_shown(shelf, name):
    library, _ = shelf
    picture = Image.open(io.BytesIO(library.image(images(library, name)[0].node_id)))
    assert picture.format == "PNG"
    width, height = picture.size
    assert 2.7 < width / height < 3.3
    red, green, blue = picture.convert("RGB").getpixel((width // 2, round(height * 0.025)))
    assert green > 90 and red < 90 and blue < 90, "the frame is where it was drawn"


@pytest.mark.parametrize("name", FILES)
def test_the_text_in_a_picture_is_read_afterwards_and_found(shelf, name):
    library, ids = shelf
    node = images(library, name)[0]
    assert "megawatts" in node.metadata["ocr_text"] and node.metadata["ocr_confidence"] > 0.8
    assert node.metadata["ocr_text"] in node.text
    assert [one.node_id for one in library.tree(name).nodes] == ids[name]
    hits = library.search("megawatts", mode="fulltext").hits
    assert node.node_id in {hit.node_id for hit in hits}
    assert library.version(name).warnings == []


@pytest.mark.parametrize("name", ["power.docx", "power.pdf", "power.html", "power.md"])
def test_caption_label_and_chart_facts_come_with_it(shelf, name):
    library, _ = shelf
    facts = images(library, name)[0].metadata
    assert facts["caption"] == CAPTION and facts["label"] == "Figure 1"
    assert facts["chart_type"] == "bar"
    assert facts["description"].startswith(CAPTION) and facts["description_method"] == "caption"


def test_a_picture_without_a_caption_is_described_by_its_text(shelf):
    library, _ = shelf
    facts = images(library, "power.pptx")[0].metadata
    assert facts["description"] == WORDS and facts["description_method"] == "ocr"


def test_a_picture_elsewhere_is_named_and_never_fetched(shelf):
    library, _ = shelf
    far = images(library, "power.html")[1]
    assert far.metadata["source"] == "https://example.org/a.png"
    with pytest.raises(NotFoundError, match="only names its address"):
        library.image(far.node_id)


def test_a_node_that_is_no_image_has_no_picture(shelf):
    library, _ = shelf
    with pytest.raises(NotFoundError, match="is no image"):
        library.image(library.tree("power.pdf").nodes[0].node_id)


def test_a_broken_picture_costs_only_itself(library: Library):
    document = docx.Document()
    document.add_paragraph("The turbines ran all year.")
    document.add_picture(io.BytesIO(drawing(kind="JPEG")))
    document.add_picture(io.BytesIO(drawing("Second picture here")))
    data = io.BytesIO()
    document.save(data)
    whole = data.getvalue()
    from zipfile import ZipFile

    broken = io.BytesIO()
    with ZipFile(io.BytesIO(whole)) as before, ZipFile(broken, "w") as after:
        for member in before.infolist():
            content = before.read(member)
            after.writestr(member, content[:3000] if member.filename.endswith(".jpg") else content)
    library.add([Source("broken.docx", broken.getvalue())])
    library.read_pending()
    first, second = images(library, "broken.docx")
    assert "ocr_error" in first.metadata and "Second picture" in second.metadata["ocr_text"]
    assert library.version("broken.docx").warnings == ["1 picture could not be opened to read the text in them."]
    with pytest.raises(UnreadableFileError):
        library.image(first.node_id)


def test_small_pictures_wait_for_no_reading(library: Library):
    icon = Image.new("RGB", (40, 40), "red")
    buffer = io.BytesIO()
    icon.save(buffer, "PNG")
    document = docx.Document()
    document.add_paragraph("A dot: ")
    document.add_picture(io.BytesIO(buffer.getvalue()))
    library.add([Source("dot.docx", saved(document))])
    assert library.jobs() == []


def test_parsing_a_file_by_itself_reads_no_pictures_on_its_pages(tmp_path: Path, library: Library):
    path = tmp_path / "power.docx"
    path.write_bytes(word_file())
    [node] = [node for node in library.parse_file(path).nodes if node.role == "image"]
    assert node.metadata["ocr_text"] == ""
