import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.config import ParsingSettings
from engine.errors import (
    LimitExceededError,
    ProviderUnavailableError,
    UnreadableFileError,
    UnsupportedFormatError,
)
from engine.parse.scan_image import decoded_picture, parse_image, text_in
from engine.providers.ocr import OcrLine


class Scripted:
    """A recogniser that reads one line in every picture, the next one in the next, and keeps their shapes."""

    name = "scripted"

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def read(self, image: np.ndarray) -> list[OcrLine]:
        self.shapes.append(image.shape)
        text = ("Minutes of the board", "Resolutions passed", "Signatures")[len(self.shapes) - 1]
        return [OcrLine(text, ((20, 20), (220, 20), (220, 44), (20, 44)), 0.97)]


class Absent:
    """A recogniser that cannot start."""

    name = "absent"

    def read(self, image: np.ndarray) -> list[OcrLine]:
        raise ProviderUnavailableError("Text recognition needs two system libraries.")


def saved(path: Path, mode: str = "RGB", size: tuple[int, int] = (400, 200), **options) -> Path:
    Image.new(mode, size, 0 if mode == "RGBA" else "white").save(path, **options)
    return path


def test_a_picture_is_a_document_of_one_page_with_its_text(tmp_path):
    parsed = parse_image(saved(tmp_path / "a.png", dpi=(200, 200)), ParsingSettings(), Scripted())

    assert (parsed.media_type, parsed.pages, parsed.page_sizes) == ("image/png", 1, [(144.0, 72.0)])
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        ("image", ""),
        ("paragraph", "Minutes of the board"),
    ]
    assert parsed.blocks[1].bbox == (7.2, 7.2, 79.2, 15.84)
    assert parsed.warnings == []


def test_each_picture_of_a_tiff_is_a_page(tmp_path):
    path = tmp_path / "a.tif"
    frames = [Image.new("1", (300, 400), 1) for _ in range(3)]
    frames[0].save(path, save_all=True, append_images=frames[1:], dpi=(300, 300))

    parsed = parse_image(path, ParsingSettings(), Scripted())

    assert (parsed.media_type, parsed.pages) == ("image/tiff", 3)
    assert [block.page for block in parsed.blocks if block.kind == "paragraph"] == [1, 2, 3]
    with pytest.raises(LimitExceededError, match=r"parsing\.max_pages"):
        parse_image(path, ParsingSettings(max_pages=2), Scripted())


def test_a_photo_is_turned_as_its_camera_was_and_stands_on_a_sheet(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    ocr = Scripted()
    parsed = parse_image(saved(tmp_path / "a.jpg", size=(4000, 3000), exif=exif, dpi=(72, 72)), ParsingSettings(), ocr)

    height, width, _ = ocr.shapes[0]
    assert width < height <= 3400
    assert parsed.page_sizes == [(631.5, 842.0)]


def test_a_picture_with_a_see_through_ground_is_read_on_white(tmp_path):
    ocr = Scripted()
    text_in(decoded_picture(saved(tmp_path / "a.webp", mode="RGBA").read_bytes()), ocr)

    assert ocr.shapes == [(200, 400, 3)]


def test_without_recognition_the_picture_is_kept_and_the_lack_is_told(tmp_path):
    path = saved(tmp_path / "a.png")

    broken = parse_image(path, ParsingSettings(), Absent())

    assert [block.kind for block in broken.blocks] == ["image"]
    assert broken.warnings == ["Text recognition needs two system libraries."]


def test_a_picture_of_a_document_gives_its_text_unless_it_is_small(tmp_path):
    image = decoded_picture(saved(tmp_path / "a.png").read_bytes())
    text, confidence = text_in(image, Scripted())
    assert text == "Minutes of the board" and confidence > 0.5


def test_what_stands_in_columns_in_a_picture_is_read_as_rows_of_cells(tmp_path):
    class Calendar:
        name = "calendar"

        def read(self, image: np.ndarray) -> list[OcrLine]:
            lines = [("Duty board of the harbour", 20, 20, 300), ("Week", 20, 80, 70), ("Mon", 120, 80, 160)]
            lines += [
                ("Tue", 240, 80, 270),
                ("1", 20, 130, 28),
                ("Anna Margareta", 120, 130, 236),
                ("Bo", 240, 130, 258),
            ]
            return [OcrLine(text, ((x, y), (to, y), (to, y + 20), (x, y + 20)), 0.97) for text, x, y, to in lines]

    text, _ = text_in(decoded_picture(saved(tmp_path / "a.png").read_bytes()), Calendar())
    assert text == "Duty board of the harbour\nWeek | Mon | Tue\n1 | Anna Margareta | Bo"


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ([("Turbine", 0.98), ("凡", 0.65)], "Turbine"),
        ([("免88", 0.65), ("興", 0.87)], ""),
        ([("電流", 0.91)], "電流"),
        ([("B", 0.99)], ""),
    ],
)
def test_what_an_icon_or_a_photograph_looks_like_is_no_text(found, text):
    class Sees:
        name = "scripted"

        def read(self, _image):
            return [
                OcrLine(said, ((10, y), (90, y), (90, y + 10), (10, y + 10)), confidence)
                for y, (said, confidence) in enumerate(found, 1)
            ]

    assert text_in(np.zeros((120, 120, 3), np.uint8), Sees())[0] == text


def huge_png(width: int, height: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


@pytest.mark.parametrize("size", [(60_000, 60_000), (100_000, 10), (13_000, 10_000)])
def test_a_picture_that_declares_huge_dimensions_is_refused_before_it_is_decoded(tmp_path, size):
    path = tmp_path / "bomb.png"
    path.write_bytes(huge_png(*size))

    with pytest.raises(LimitExceededError, match="million pixels"):
        parse_image(path, ParsingSettings(), Scripted())
    with pytest.raises(LimitExceededError):
        decoded_picture(path.read_bytes())


def test_a_cut_off_picture_and_another_kind_of_file_are_refused(tmp_path):
    rng = np.random.default_rng(1)
    whole = tmp_path / "a.png"
    Image.fromarray(rng.integers(0, 255, (300, 300, 3), dtype=np.uint8)).save(whole)
    cut = tmp_path / "cut.png"
    cut.write_bytes(whole.read_bytes()[:50_000])

    with pytest.raises(UnreadableFileError, match="damaged"):
        parse_image(cut, ParsingSettings(), Scripted())
    with pytest.raises(UnsupportedFormatError):
        decoded_picture(b"GIF89a and the like")
