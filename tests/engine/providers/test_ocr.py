import numpy as np
import pymupdf
import pytest

from engine.config import OcrSettings
from engine.errors import ProviderUnavailableError
from engine.providers.ocr import Ocr, open_ocr


@pytest.fixture(scope="module")
def ocr() -> Ocr:
    opened = open_ocr(OcrSettings())
    assert opened is not None
    return opened


def picture(lines: list[str]) -> np.ndarray:
    with pymupdf.open() as document:
        page = document.new_page(width=320, height=30 + 24 * len(lines))
        for index, line in enumerate(lines):
            font = "helv" if line.isascii() else "china-ss"
            page.insert_text((20, 36 + 24 * index), line, fontname=font, fontsize=12)
        drawn = page.get_pixmap(dpi=200)
    return np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width, 3)[:, :, ::-1]


def test_english_and_chinese_lines_are_read_with_boxes_and_confidence(ocr):
    lines = sorted(
        ocr.read(picture(["The harbour was dredged", "员工每年享有十五天年假"])), key=lambda line: line.box[1]
    )

    assert [line.text for line in lines] == ["The harbour was dredged", "员工每年享有十五天年假"]
    assert all(line.confidence > 0.9 for line in lines)
    x0, y0, x1, y1 = (value * 72 / 200 for value in lines[0].box)
    assert 15 < x0 < 25 and 20 < y0 < 30 < 35 < y1 < 42 and 120 < x1 < 180


def test_a_picture_without_text_has_no_lines(ocr):
    assert ocr.read(np.full((80, 200, 3), 255, np.uint8)) == []


def test_the_name_tells_the_weights(ocr):
    assert ocr.name.startswith("PP-OCRv6_tiny@")


def test_nothing_reads_when_recognition_is_switched_off():
    assert open_ocr(OcrSettings(enabled=False)) is None


def test_missing_weights_are_told_with_what_to_do(tmp_path):
    with pytest.raises(ProviderUnavailableError, match="Install DropQA again"):
        _ = Ocr(OcrSettings(), tmp_path).name
