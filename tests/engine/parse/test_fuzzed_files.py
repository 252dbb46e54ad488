"""A small, fixed sample of files made hostile; benchmarks/fuzz.py tries many more."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import docx
import openpyxl
import pptx
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from engine.config import ParsingSettings
from engine.errors import UnreadableFileError
from engine.parse.worker import ParseWorker

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
from hostile import spoils_for

UNCLEAR = ("crashed the parser", "took longer than", "MB of memory to read")


def write_samples(folder: Path) -> list[Path]:
    text = "A bridge carries rail and road between the city and its northern shore. "
    document = docx.Document()
    document.add_heading("Bridges", 1)
    document.add_paragraph(text * 5)
    document.add_table(3, 3).cell(1, 1).text = "cell"
    document.save(str(folder / "a.docx"))
    book = openpyxl.Workbook()
    for row in range(1, 30):
        book.active.append([f"row {row}", row, row * 1.5])
    book.save(folder / "a.xlsx")
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "Bridges"
    deck.save(str(folder / "a.pptx"))
    sheet = Canvas(str(folder / "a.pdf"), invariant=1)
    for page in range(3):
        sheet.drawString(72, 700, f"{text} Page {page}.")
        sheet.rect(72, 500, 300, 80)
        sheet.showPage()
    sheet.save()
    (folder / "a.md").write_text(f"# Bridges\n\n{text}\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    (folder / "a.html").write_text(f"<html><body><h1>Bridges</h1><p>{text}</p><ul><li>one</ul></body></html>")
    Image.new("RGB", (60, 40), "white").save(folder / "a.png")
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def worker() -> Iterator[ParseWorker]:
    worker = ParseWorker(ParsingSettings(timeout_seconds=60, memory_mb=1024))
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> list[Path]:
    return write_samples(tmp_path_factory.mktemp("good"))


@pytest.mark.parametrize("round_", [1, 2, 3])
def test_files_made_hostile_end_in_a_tree_or_in_a_clear_message(worker, samples, tmp_path, round_):
    random = Random(round_)
    for sample in samples:
        spoil = random.choice(spoils_for(sample.suffix))
        path = tmp_path / f"hostile{sample.suffix}"
        path.write_bytes(spoil(sample.read_bytes(), random))
        try:
            tree = worker.parse(path, name=path.name, sha256="ab" * 32, document_id="d", version=1)
        except UnreadableFileError as error:
            assert str(error).endswith((".", ").")), str(error)
            assert not any(words in str(error) for words in UNCLEAR), (spoil, str(error))
        else:
            assert tree.nodes


def test_the_process_that_read_hostile_files_still_reads_a_good_one(worker, samples):
    good = next(path for path in samples if path.suffix == ".docx")
    tree = worker.parse(good, name=good.name, sha256="cd" * 32, document_id="d", version=1)
    assert tree.nodes[1].title == "Bridges"
