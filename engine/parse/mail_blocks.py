"""A mail message -> blocks: subject, headers, text with its quotations, attachments as sections of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.errors import EmptyFileError, LimitExceededError, UnreadableFileError
from engine.model import Block, ParsedFile
from engine.parse.filename import clean_name
from engine.parse.limits import check_blocks
from engine.parse.mail import MEDIA_TYPE, Attachment, Body, Mail
from engine.structure.heading_levels import ATTACHED, with_headings
from engine.structure.running_texts import without_running
from engine.structure.sentences import split_long

MAX_NESTING, MAX_ATTACHMENTS, MAX_ATTACHED_BYTES = 4, 200, 400 * 1024 * 1024
_QUOTED = re.compile(r"\s{0,3}((?:>\s?)+)")
# Places in the attached file: there is nothing in the message to look them up in.
_DROPPED = frozenset({"spans", "source"})
# What text recognition says of a block stays; looks must not be compared across files.
_KEPT_EVIDENCE = frozenset({"ocr", "confidence"})


@dataclass
class Attached:
    """Reads attached files with ``parse``, within what one file may hold, however deeply nested."""

    parse: Callable[[Path, str, Attached], ParsedFile]
    depth: int = 0
    files: int = 0
    size: int = 0
    warnings: list[str] = field(default_factory=list)
    unread: int = 0

    def section(self, attachment: Attachment, level: int) -> list[Block]:
        """Return an attachment as a section of a level, nothing where it could not be read, which becomes a warning."""
        found = self._blocks(attachment)
        repeats = bool(found) and found[0].kind == "heading" and found[0].text == attachment.name
        heading = [Block("heading", attachment.name, level=level)] if found else []
        return [replace(b, evidence=b.evidence | ATTACHED) for b in heading + _below(found[repeats:], level)]

    def _blocks(self, attachment: Attachment) -> list[Block]:
        shown = attachment.name
        try:
            parsed = self._parsed(attachment)
        except (UnreadableFileError, RecursionError) as error:
            why = "It is nested too deeply." if isinstance(error, RecursionError) else str(error)
            if not isinstance(error, EmptyFileError) or attachment.data:
                self.warnings.append(f"The attachment “{shown}” was not read. {why}")
            return []
        self.warnings += [f"{shown}: {warning}" for warning in parsed.warnings]
        self.unread += len(parsed.unread_pages)
        body, running = without_running(parsed.blocks)
        return [*with_headings(replace(parsed, blocks=body)), *running]

    def _parsed(self, attachment: Attachment) -> ParsedFile:
        data = attachment.data
        self.files += 1
        self.size += len(data or b"")
        if self.files > MAX_ATTACHMENTS or self.size > MAX_ATTACHED_BYTES or self.depth >= MAX_NESTING:
            raise LimitExceededError("There are too many attached files, or they are nested too deeply.")
        self.depth += 1
        try:
            if attachment.mail is not None:
                return ParsedFile(MEDIA_TYPE, mail_blocks(attachment.mail, attachment.name, self))
            if not data:
                raise EmptyFileError("It is empty.")
            with TemporaryDirectory(prefix="dropqa-mail-") as folder:
                path = Path(folder, "attachment")
                path.write_bytes(data)
                return self.parse(path, clean_name(attachment.name), self)
        finally:
            self.depth -= 1


def parsed_mail(mail: Mail, media_type: str, name: str, attached: Attached) -> ParsedFile:
    """Return a message with its attachments as a document. Raises EmptyFileError when it says nothing."""
    blocks = mail_blocks(mail, name, attached)
    if len(blocks) < 2 and not mail.subject:
        raise EmptyFileError(f"{name} is a message without text. Check the file and add it again.")
    return ParsedFile(
        media_type, blocks, title=blocks[0].text, warnings=attached.warnings,
        unread_pages=list(range(1, attached.unread + 1)),
    )  # fmt: skip


def mail_blocks(mail: Mail, name: str, attached: Attached) -> list[Block]:
    """Return the subject as heading of level 1, headers, text, and each attachment as a section of level 2."""
    title = mail.subject or Path(name).stem or "Message"
    blocks = [Block("heading", title[:500], level=1)]
    if mail.headers:
        lines = (f"{header}: {value}" for header, value in mail.headers)
        blocks += [Block("paragraph", piece) for piece in split_long("\n".join(lines))]
    for body in mail.bodies:
        blocks += _below(body_blocks(body, name), 1)
    for attachment in mail.attachments:
        blocks += attached.section(attachment, 2)
        check_blocks(len(blocks), name)
    return blocks


def _below(blocks: list[Block], levels: int) -> list[Block]:
    """Put headings so many levels deeper and forget looks and boxes, which have no page here."""
    found = []
    for block in blocks:
        level = (block.level or 1) + levels if block.kind == "heading" else block.level
        evidence = {key: value for key, value in block.evidence.items() if key in _KEPT_EVIDENCE}
        metadata = {key: value for key, value in block.metadata.items() if key not in _DROPPED}
        found.append(replace(block, level=level, bbox=None, evidence=evidence, metadata=metadata))
    return found


def body_blocks(body: Body, name: str) -> list[Block]:
    """Return the blocks of a part of a message's text."""
    if body.kind == "html":
        from engine.parse.html import parse_html

        return parse_html(body.data, name).blocks
    if body.kind == "rtf":
        from engine.parse.other import parse_other

        return parse_other(body.data, "rtf", name).blocks
    return list(_text_blocks(body.data.decode("utf-8", "replace"), name))


def _text_blocks(text: str, name: str) -> Iterator[Block]:
    """Yield the paragraphs and lists of a plain text; quoted stretches without their marks, marked as quotes."""
    from engine.parse.text import parse_text

    rows = text.replace("\r\n", "\n").split("\n")
    for depth, lines in groupby(rows, lambda line: match[1].count(">") if (match := _QUOTED.match(line)) else 0):
        stretch = "\n".join(_QUOTED.sub("", line, count=1) if depth else line for line in lines)
        for block in parse_text(stretch.encode(), name).blocks:
            kind = "paragraph" if block.kind == "heading" else block.kind
            facts = {"quote": True} if depth else {}
            level = block.level if kind == "list_item" else None
            yield replace(block, kind=kind, level=level, evidence={}, metadata=block.metadata | facts)
