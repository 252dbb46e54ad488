"""Text recognition: ``python benchmarks/ocr.py DATA_FOLDER [--limit N] [--model tiny]``.

DATA_FOLDER holds ``gt.jsonl`` (``id``, ``lang``, ``text``) and the pages as ``clean/ID.png`` and
``degraded/ID.jpg``. Two things are measured:

- synthetic pages: the texts set in one and in two columns, drawn at 200 dpi, read and laid out. Character
  error rate is edit distance over length, word error rate the same over words (English), both with NFKC and in
  reading order, so that a mistaken order counts as errors;
- the pages of the folder: shares of letters and digits missed and invented, without order, for their texts come
  from a PDF's text layer, which has an order of its own, lacks words in pictures and may be garbage.

Chinese is set in Noto Serif CJK (Debian's fonts-noto-cjk). CPU seconds a page are those of reading alone; the
peak is that of the whole process.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from engine.config import OcrSettings, ParsingSettings
from engine.model import Block
from engine.parse.scan import read_pages
from engine.parse.scan_image import parse_image
from engine.parse.scan_text import blocks_of
from engine.providers.ocr import Ocr, open_ocr

NOTO = Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc")
ORDINARY = re.compile(r"[^\x20-\x7e\u4e00-\u9fff\u3001\u3002\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff01%]+")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="only the first N texts of each language")
    parser.add_argument("--model", choices=("tiny", "small", "medium"), default="tiny")
    parser.add_argument("--no-synthetic", action="store_true")
    parser.add_argument("--no-real", action="store_true")
    options = parser.parse_args()
    with (options.folder / "gt.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rows = [row for lang in ("en", "zh") for row in [r for r in rows if r["lang"] == lang][: options.limit]]
    ocr = open_ocr(OcrSettings(model=options.model))
    if ocr is None:
        raise SystemExit("Text recognition is switched off.")
    ocr.read(np.full((64, 200, 3), 255, np.uint8))  # loading is not reading
    if not options.no_synthetic:
        for columns in (1, 2):
            for lang in ("en", "zh"):
                synthetic([clean(row["text"], lang) for row in rows if row["lang"] == lang], lang, columns, ocr)
    if not options.no_real:
        for kind in ("clean", "degraded"):
            for lang in ("en", "zh"):
                real([row for row in rows if row["lang"] == lang], options.folder, kind, lang, ocr)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def synthetic(texts: Sequence[str], lang: str, columns: int, ocr: Ocr) -> None:
    """Set texts on scanned pages, read them, print the errors in reading order."""
    errors = letters = word_errors = words = pages = 0
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scan.pdf"
        for text in texts:
            expected = scanned_page(text, lang, columns, path)
            if not expected:
                continue
            started = time.process_time()
            read = list(read_pages(path, [1], ocr))
            seconds += time.process_time() - started
            found = text_of(blocks_of(read))
            errors += edits(list(plain(expected)), list(plain(found)))
            letters += len(plain(expected))
            word_errors += edits(normal(expected).split(), normal(found).split())
            words += len(normal(expected).split())
            pages += 1
    rate = f"words {100 * word_errors / words:5.2f} %" if lang == "en" else " " * 14
    print(
        f"synthetic {lang}, {columns} column{'s' if columns > 1 else ' '}: {pages:3} pages, "
        f"characters {100 * errors / letters:5.2f} %, {rate}, {seconds / pages:.2f} CPU s a page"
    )


def scanned_page(text: str, lang: str, columns: int, path: Path) -> str:
    """Write a PDF whose one page is a picture of the text; return the text that found room on it."""
    pymupdf: Any = import_module("pymupdf")

    size = 10.5
    gap, left, top, width = 24.0, 62.0, 72.0, 595.0 - 2 * 62
    column = (width - gap * (columns - 1)) / columns
    font = pymupdf.Font("tiro") if lang == "en" else pymupdf.Font(fontfile=str(NOTO))
    lines = list(wrapped(text, lang, font, size, column))
    room = int((842 - 2 * top) / (size * 1.5))
    kept = lines[: room * columns]
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        writer = pymupdf.TextWriter(page.rect)
        for index, line in enumerate(kept):
            x = left + (index // room) * (column + gap)
            writer.append((x, top + (index % room) * size * 1.5), line, font=font, fontsize=size)
        writer.write_text(page)
        picture = page.get_pixmap(dpi=200)
    with pymupdf.open() as scan:
        scan.new_page(width=595, height=842).insert_image(pymupdf.Rect(0, 0, 595, 842), pixmap=picture)
        scan.save(path)
    return ("" if lang == "zh" else " ").join(kept)


def wrapped(text: str, lang: str, font: Any, size: float, width: float) -> Iterator[str]:
    """Yield the lines of a text set in a column."""
    line = ""
    space = "" if lang == "zh" else " "
    for piece in text if lang == "zh" else text.split():
        longer = line + space + piece if line else piece
        if font.text_length(longer, size) > width and line:
            yield line
            line = piece
        else:
            line = longer
    if line:
        yield line


def real(rows: Sequence[dict[str, Any]], folder: Path, kind: str, lang: str, ocr: Ocr) -> None:
    """Read page pictures of the folder, print letters missed and invented."""
    missed = invented = letters = 0
    seconds = 0.0
    shares: list[float] = []
    for row in rows:
        path = folder / kind / f"{row['id']}.{'png' if kind == 'clean' else 'jpg'}"
        started = time.process_time()
        parsed = parse_image(path, ParsingSettings(), ocr)
        seconds += time.process_time() - started
        expected, found = letters_of(row["text"]), letters_of(text_of(parsed.blocks))
        shares.append((expected - found).total() / max(expected.total(), 1))
        missed += (expected - found).total()
        invented += (found - expected).total()
        letters += expected.total()
    print(
        f"{kind:>9} {lang}: {len(rows):3} pages, letters missed {100 * missed / letters:5.2f} % "
        f"(median page {100 * median(shares):.2f} %), invented {100 * invented / letters:5.2f} %, "
        f"{seconds / len(rows):.2f} CPU s a page"
    )


def text_of(blocks: Sequence[Block]) -> str:
    """Return the text of blocks in order."""
    return "\n".join(block.text for block in blocks)


def letters_of(text: str) -> Counter[str]:
    """Count letters and digits; leaders, rules and marks are left out."""
    return Counter(char for char in plain(text) if char.isalnum())


def clean(text: str, lang: str) -> str:
    """Return a text as one paragraph of ordinary letters (a Chinese one without spaces)."""
    text = re.sub(r"[.·…]{3,}", " ", text)  # leaders are no text
    text = ORDINARY.sub(" ", unicodedata.normalize("NFKC", text) if lang == "en" else text)
    return re.sub(r"\s+", "" if lang == "zh" else " ", text)


def normal(text: str) -> str:
    """Return text in compatibility form with plain quotes and dashes."""
    text = unicodedata.normalize("NFKC", text).translate(str.maketrans("“”‘’–—−", "\"\"''---"))
    return text.replace("。", ".").replace("、", ",")


def plain(text: str) -> str:
    """Return normalised text without white space."""
    return "".join(normal(text).split())


def edits(expected: Sequence[str], found: Sequence[str]) -> int:
    """Return the Levenshtein distance, a row of the table at a time."""
    codes: dict[str, int] = {}
    a = np.array([codes.setdefault(item, len(codes)) for item in expected], np.int64)
    b = np.array([codes.setdefault(item, len(codes)) for item in found], np.int64)
    steps = np.arange(len(b) + 1)
    row = steps.copy()
    for count, item in enumerate(a, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (b != item))
        row = np.minimum.accumulate(np.concatenate(([count], best)) - steps) + steps
    return int(row[-1])


if __name__ == "__main__":
    main()
