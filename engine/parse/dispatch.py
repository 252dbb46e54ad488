"""A file -> blocks, by the parser for its kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config import ParsingSettings
from engine.errors import EmptyFileError, LimitExceededError
from engine.model import ParsedFile
from engine.parse.detect import Kind, detect, kind_of

if TYPE_CHECKING:
    from engine.parse.reading import Reading

OnProgress = Callable[[str, float], None]


def parse_file(
    path: Path,
    name: str,
    settings: ParsingSettings,
    on_progress: OnProgress | None = None,
    reading: Reading | None = None,
) -> ParsedFile:
    """Return the blocks of the file; ``name`` is used in messages and to tell Markdown from text.

    ``reading`` says what becomes of pages that are pictures of text; None: they are not read.

    ``on_progress`` gets a stage name and the share done, 0 to 1. Raises a subclass of
    UnreadableFileError when the file is of no known kind, broken, protected, empty or over a limit.
    """
    kind = detect(path, name)
    size = path.stat().st_size
    if size > settings.max_file_mb * 1024 * 1024:
        raise LimitExceededError(
            f"{name} has {size / 1024 / 1024:.0f} MB; the limit is {settings.max_file_mb} MB "
            "(setting parsing.max_file_mb)."
        )
    if kind == "pdf":
        from engine.parse.pdf import parse_pdf

        return parse_pdf(path, settings, on_progress, reading)
    if kind == "picture":
        from engine.parse.reading import read_picture_file

        return read_picture_file(path, settings, reading, on_progress)
    if kind == "docx":
        from engine.parse.docx import parse_docx

        return _not_empty(parse_docx(path, name), name)
    if kind == "xlsx":
        from engine.parse.xlsx import parse_xlsx

        return _not_empty(parse_xlsx(path, name), name)
    if kind == "pptx":
        from engine.parse.pptx import parse_pptx

        return _not_empty(parse_pptx(path, name), name)
    return _parse_text(path.read_bytes(), kind, name)


def parse_bytes(data: bytes, name: str) -> ParsedFile:
    """Return the blocks of a text or Markdown document that is in memory. Raises as :func:`parse_file`."""
    return _parse_text(data, kind_of(data[: 64 * 1024], None, name), name)


def _parse_text(data: bytes, kind: Kind, name: str) -> ParsedFile:
    if kind == "markdown":
        from engine.parse.markdown import parse_markdown

        return _not_empty(parse_markdown(data, name), name)
    if kind == "html":
        from engine.parse.html import parse_html

        return _not_empty(parse_html(data, name), name)
    if kind == "csv":
        from engine.parse.delimited import parse_csv

        return _not_empty(parse_csv(data, name), name)
    from engine.parse.text import parse_text

    return _not_empty(parse_text(data, name), name)


def _not_empty(parsed: ParsedFile, name: str) -> ParsedFile:
    if not parsed.blocks:
        raise EmptyFileError(f"{name} holds no text. Check the file and add it again.")
    return parsed
