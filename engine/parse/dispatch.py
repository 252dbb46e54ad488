"""A file -> blocks, by the parser for its kind."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config import ParsingSettings
from engine.errors import EmptyFileError, LimitExceededError
from engine.model import ParsedFile
from engine.parse.detect import Kind, detect, kind_of
from engine.parse.legacy import FORMATS as OLD_FORMATS
from engine.parse.legacy import libreoffice, parse_legacy
from engine.parse.other import FORMATS as OTHER_FORMATS
from engine.parse.other import parse_other

if TYPE_CHECKING:
    from engine.parse.mail_blocks import Attached
    from engine.parse.reading import Reading
    from engine.parse.scan import OnProgress

PACKED = frozenset({"docx", "xlsx", "pptx", "odt", "odp", "ods", "xls"})
_PARSERS = {
    "docx": ("docx", "parse_docx"), "xlsx": ("xlsx", "parse_xlsx"), "pptx": ("pptx", "parse_pptx"),
    "odt": ("odf", "parse_odt"), "odp": ("odf", "parse_odp"), "ods": ("odf", "parse_ods"),
    "markdown": ("markdown", "parse_markdown"), "html": ("html", "parse_html"), "csv": ("delimited", "parse_csv"),
    "text": ("text", "parse_text"), "xls": ("xls", "parse_xls"),
}  # fmt: skip


def parse_file(
    path: Path, name: str, settings: ParsingSettings, on_progress: OnProgress | None = None,
    reading: Reading | None = None, attached: Attached | None = None,
) -> ParsedFile:  # fmt: skip
    """Return the blocks of the file; ``name`` is used in messages and to tell Markdown from text.

    ``reading`` says what becomes of pages that are pictures of text (None: they are not read), ``attached`` is what
    the files in one file share, ``on_progress`` gets a stage name and the share done, 0 to 1. Raises a subclass of
    UnreadableFileError when the file is of no known kind, broken, protected, empty or over a limit.
    """
    kind = detect(path, name)
    size = path.stat().st_size
    if size > settings.max_file_mb * 1024 * 1024:
        raise LimitExceededError(
            f"{name} has {size / 1024 / 1024:.0f} MB; the limit is {settings.max_file_mb} MB "
            "(setting parsing.max_file_mb)."
        )
    if kind in {"pdf", "mail", "msg"}:
        from engine.parse.mail_blocks import Attached

        within = attached or Attached(
            lambda file, file_name, outer: parse_file(file, file_name, settings, None, reading, outer)
        )
        if kind != "pdf":
            return _parse_mail(path, kind, name, within)
        from engine.parse.pdf import parse_pdf

        return parse_pdf(path, settings, on_progress, reading, within)
    if kind == "picture":
        from engine.parse.reading import read_picture_file

        return read_picture_file(path, settings, reading, on_progress)
    if kind in OLD_FORMATS:
        return parse_legacy(path, kind, name, settings, lambda new: parse_file(new, name, settings), libreoffice())
    if kind in PACKED:
        return _not_empty(_parser(kind)(path, name), name)
    return _parse_text(path.read_bytes(), kind, name)


def _parser(kind: Kind) -> Callable[..., ParsedFile]:
    """Return the parser of a kind; what it needs is loaded with it."""
    module, parser = _PARSERS[kind]
    found: Callable[..., ParsedFile] = getattr(import_module(f"engine.parse.{module}"), parser)
    return found


def _parse_mail(path: Path, kind: Kind, name: str, attached: Attached) -> ParsedFile:
    from engine.parse import mail, msg
    from engine.parse.mail_blocks import parsed_mail

    read, media_type = (msg.read_msg, msg.MEDIA_TYPE) if kind == "msg" else (mail.read_eml, mail.MEDIA_TYPE)
    return parsed_mail(read(path.read_bytes(), name), media_type, name, attached)


def parse_bytes(data: bytes, name: str) -> ParsedFile:
    """Return the blocks of a text, Markdown or HTML document that is in memory. Raises as :func:`parse_file`."""
    return _parse_text(data, kind_of(data[: 64 * 1024], None, name), name)


def _parse_text(data: bytes, kind: Kind, name: str) -> ParsedFile:
    parsed = parse_other(data, kind, name) if kind in OTHER_FORMATS else _parser(kind)(data, name)
    return _not_empty(parsed, name)


def _not_empty(parsed: ParsedFile, name: str) -> ParsedFile:
    if not parsed.blocks:
        raise EmptyFileError(f"{name} holds no text. Check the file and add it again.")
    return parsed
