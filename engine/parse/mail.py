"""A mail message as sent: headers, bodies, attachments; read from RFC 5322 files (.eml, .mht) and winmail.dat."""

from __future__ import annotations

import mimetypes
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Literal

from engine.errors import LimitExceededError
from engine.parse.detect import TNEF
from engine.parse.encoding import codec_of, decode

MEDIA_TYPE = "message/rfc822"
MAX_PARTS, MAX_DEPTH = 1000, 20
HEADERS = ("From", "To", "Cc", "Date")
# A smaller picture inside a message is part of its looks: a logo, an icon, a line.
SMALLEST_INLINE_PICTURE = 20_000
_TEXT_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Body:
    """A part of a message's text; plain text is in UTF-8, a page in the encoding that it states."""

    kind: Literal["text", "html", "rtf"]
    data: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attached file, or an attached message; neither where the data could not be read."""

    name: str
    data: bytes | None = None
    mail: Mail | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """A message. ``headers`` are (name, value) as read; bodies stand in order."""

    subject: str
    headers: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)


def read_eml(data: bytes, name: str) -> Mail:
    """Return the message. Raises LimitExceededError when it is nested too deeply or has too many parts."""
    if data.startswith(TNEF):
        return _unpacked(data, name)
    return _Reader(name).mail(BytesParser(policy=compat32).parsebytes(data), 0)


def _unpacked(data: bytes, name: str) -> Mail:
    from engine.parse.msg import read_tnef

    return read_tnef(data, name)


class _Reader:
    """Reads one file's message and the messages in it; counts the parts of all."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parts = 0

    def mail(self, message: Message, depth: int) -> Mail:
        """Return a message with what is attached to it."""
        headers = [(name, value) for name in HEADERS if (value := _header(message, name))]
        attachments: list[Attachment] = []
        bodies = list(self._bodies(message, attachments, depth))
        for packed in [one for one in attachments if (one.data or b"").startswith(TNEF)]:
            inner = _unpacked(packed.data or b"", self._name)
            attachments.remove(packed)
            attachments += inner.attachments
            bodies = bodies or inner.bodies
        return Mail(_header(message, "Subject"), headers, bodies, attachments)

    def _bodies(self, part: Message, attachments: list[Attachment], depth: int) -> Iterator[Body]:
        self._parts += 1
        if self._parts > MAX_PARTS or depth > MAX_DEPTH:
            raise LimitExceededError(
                f"{self._name} holds more parts than a message can, or parts nested too deeply. "
                "Save what is attached and add that."
            )
        kind = part.get_content_type()
        if kind == "message/rfc822" and part.is_multipart():
            for inner in _inner(part)[:1]:
                mail = self.mail(inner, depth + 1)
                attachments.append(Attachment(_filename(part) or mail.subject or "message.eml", mail=mail))
        elif kind == "multipart/alternative":
            choices = list(filter(None, (list(self._bodies(p, attachments, depth + 1)) for p in _inner(part))))
            longest = max(choices, key=_words, default=[])
            # The last alternative is the richest (RFC 2046, 5.1.4), unless it lacks most of the words.
            rich = choices and _words(choices[-1]) >= _TEXT_SHARE * _words(longest)
            yield from choices[-1] if rich else longest
        elif part.is_multipart():
            for inner in _inner(part):
                yield from self._bodies(inner, attachments, depth + 1)
        else:
            yield from _leaf(part, kind, attachments)


def _inner(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Message)] if isinstance(payload, list) else []


def _leaf(part: Message, kind: str, attachments: list[Attachment]) -> Iterator[Body]:
    data = b""
    with suppress(ValueError, LookupError):
        data = payload if isinstance(payload := part.get_payload(decode=True), bytes) else b""
    attached = part.get_content_disposition() == "attachment" or (_filename(part) and kind != "text/html")
    if not attached and kind in {"text/plain", "text/html", "text/enriched"}:
        stated = part.get_param("charset")
        text = decode(data, *([stated.strip("\"' ")] if isinstance(stated, str) else [])).text
        if str(part.get_param("format", "")).lower() == "flowed":
            text = _unflowed(text, str(part.get_param("delsp", "")).lower() == "yes")
        if text.strip():
            encoded = text.encode("utf-8", "replace")
            # The mark outweighs what the page says of its own encoding.
            yield Body("html", BOM_UTF8 + encoded) if kind == "text/html" else Body("text", encoded)
        return
    if kind in {"message/delivery-status", "text/css", "application/pgp-signature"}:
        return
    inside = part.get("Content-ID") or part.get("Content-Location")
    inline = inside or part.get_content_disposition() == "inline"
    if kind.startswith("image/") and inline and len(data) < SMALLEST_INLINE_PICTURE:
        return
    ending = mimetypes.guess_extension(kind) or ""
    attachments.append(Attachment(_filename(part) or f"attachment {len(attachments) + 1}{ending}", data))


def _words(bodies: list[Body]) -> int:
    text = b" ".join(body.data for body in bodies)
    if any(body.kind == "html" for body in bodies):
        from selectolax.lexbor import LexborHTMLParser

        page = LexborHTMLParser(text.decode("utf-8", "replace"))
        return len("".join(page.body.text().split())) if page.body is not None else 0
    return len(b"".join(text.split()))


def _unflowed(text: str, drops_space: bool) -> str:
    """Join the lines that a blank at their end marks as broken by the sender's program (RFC 3676)."""
    lines: list[str] = []
    flowing = ""
    for line in text.split("\n"):
        quotes = line[: len(line) - len(line.lstrip(">"))]
        words = line[len(quotes) :].removeprefix(" ")
        if lines and flowing == f"{quotes} ":
            lines[-1] += words
        else:
            lines.append(f"{quotes} {words}" if quotes else words)
        flowing = f"{quotes} " if words.endswith(" ") and words != "-- " else ""
        if flowing and drops_space:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


def _filename(part: Message) -> str:
    with suppress(ValueError, LookupError, TypeError):
        return " ".join(decoded_words(part.get_filename() or "").split())
    return ""


def _header(message: Message, name: str) -> str:
    """Return a header as words on one line; the bytes of those that were sent raw tell their encoding."""
    values = (value for key, value in message.raw_items() if key.lower() == name.lower())
    return " ".join(decoded_words(str(next(values, ""))).split())


def decoded_words(text: str) -> str:
    """Return a header's text with encoded words (RFC 2047) and raw bytes as characters."""
    if any("\udc80" <= c <= "\udcff" for c in text):
        text = decode(text.encode("utf-8", "surrogateescape")).text
    try:
        parts = ((part, codec_of(charset or "raw-unicode-escape")) for part, charset in decode_header(text))
        return "".join(part if isinstance(part, str) else part.decode(codec, "replace") for part, codec in parts)
    except (LookupError, ValueError, HeaderParseError):
        return text
