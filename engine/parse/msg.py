"""Outlook messages (.msg): a compound file whose properties are read with ``python-oxmsg`` ([MS-OXMSG])."""

from __future__ import annotations

import struct
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any, cast

from oxmsg import Message
from oxmsg.attachment import Attachment as Attached
from oxmsg.domain import constants, encodings
from oxmsg.domain.model import (
    MSG_HDR_OFFSET,
    RECIP_HDR_OFFSET,
    UnrecognizedCodePageError,
    UnsupportedEncodingError,
)
from oxmsg.properties import Properties
from oxmsg.recipient import Recipient

from engine.errors import LimitExceededError, UnreadableFileError
from engine.parse.encoding import decode
from engine.parse.mail import SMALLEST_INLINE_PICTURE, Attachment, Body, Mail
from engine.parse.rtf import code_page

MEDIA_TYPE = "application/vnd.ms-outlook"
MAX_DEPTH = 10
MAX_BODY = 64 * 1024 * 1024
# Property ids and types of [MS-OXPROPS].
_HTML, _RTF, _RECIPIENT_TYPE, _EMBEDDED = 0x1013, 0x1009, 0x0C15, "3701000D"
_CONTENT_ID = 0x3712
# Bytes before the properties of a message inside a message ([MS-OXMSG] 2.4.1.2).
_INNER_HEADER = 24
# What a damaged compound file makes olefile and oxmsg raise.
_BROKEN = (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, struct.error)


class _Texts(Properties):  # type: ignore[misc,unused-ignore]
    """Properties whose 8-bit texts are read in the first of the code pages that fits, else by their bytes."""

    # The library asks for these before it reads any property, and refuses code pages that Python lacks.
    body_encoding = _str_prop_encoding = "cp1252"
    code_pages: tuple[int, ...] = ()

    def str_prop_value(self, pid: int) -> str | None:
        """Return a text, None where there is none."""
        found = self._get_property(pid, (constants.PTYP_STRING, constants.PTYP_STRING8))
        if found is None:
            return None
        data = self._storage.property_stream_bytes(pid, found.ptyp)
        if found.ptyp == constants.PTYP_STRING:
            return data.decode("utf-16-le", "replace")
        for number in self.code_pages:
            try:
                codec = code_page(number)
                return data.decode(codec if codec != "cp1252" else encodings.encoding_from_codepage(number))
            except (LookupError, ValueError, UnrecognizedCodePageError, UnsupportedEncodingError):
                continue
        return decode(data).text


class _Message(Message):  # type: ignore[misc,unused-ignore]
    """A message; ``header`` is how many bytes stand before its properties."""

    header = MSG_HDR_OFFSET

    @property
    def _properties(self) -> _Texts:
        texts = _Texts(self._storage, self.header)
        stated = (constants.PID_MESSAGE_CODEPAGE, constants.PID_INTERNET_CODEPAGE)
        texts.code_pages = tuple(page for pid in stated if (page := texts.int_prop_value(pid)))
        return texts

    def texts_of(self, part: Recipient | Attached) -> _Texts:
        """Return the properties of a recipient or an attachment, which are in the message's code page."""
        texts = _Texts(part._storage, RECIP_HDR_OFFSET)
        texts.code_pages = self._properties.code_pages
        return texts


class _Inner(_Message):
    """A message that is attached to another; the header of its properties is shorter than a file's."""

    header = _INNER_HEADER


def read_msg(data: bytes, name: str) -> Mail:
    """Return the message. Raises UnreadableFileError when it is damaged, LimitExceededError when too deep."""
    try:
        return _mail(cast(_Message, _Message.load(data)), name, 0)
    except _BROKEN as error:
        raise UnreadableFileError(
            f"{name} is a damaged Outlook message. Open it in Outlook and save it again."
        ) from error


def _mail(message: _Message, name: str, depth: int) -> Mail:
    if depth > MAX_DEPTH:
        raise LimitExceededError(f"{name} is nested too deeply. Save what is attached and add that.")
    attachments = list(_attachments(message, name, depth))
    return Mail(
        " ".join(message.subject.split()), list(_headers(message)), list(_bodies(message)), attachments
    )


def _date(message: _Message) -> str:
    """When the message was sent; nothing where the file gives no date or one that cannot be."""
    try:
        sent = message.sent_date
        return sent.strftime("%Y-%m-%d %H:%M UTC") if sent is not None else ""
    except (OverflowError, ValueError, AttributeError):
        return ""


def _headers(message: _Message) -> Iterator[tuple[str, str]]:
    people: dict[str, list[str]] = {"To": [], "Cc": []}
    for recipient in message.recipients:
        texts = message.texts_of(recipient)
        kind = {1: "To", 2: "Cc"}.get(texts.int_prop_value(_RECIPIENT_TYPE) or 1)
        if kind:
            addresses = map(texts.str_prop_value, (constants.PID_SMTP_ADDRESS, constants.PID_EMAIL_ADDRESS))
            name = texts.str_prop_value(constants.PID_DISPLAY_NAME)
            people[kind].append(_person(name or "", next(filter(None, addresses), "")))
    stated = {
        "From": message.sender or "",
        "To": ", ".join(people["To"]),
        "Cc": ", ".join(people["Cc"]),
        "Date": _date(message),
    }
    for header, value in stated.items():
        if shown := " ".join(value.replace("\0", "").split()):
            yield header, shown


def _person(name: str, address: str) -> str:
    name, address = name.strip("\0 "), address.strip("\0 ")
    if not address or address.startswith("/o=") or address == name:
        return name or address
    return f"{name} <{address}>" if name else address


def _bodies(message: _Message) -> Iterator[Body]:
    html = message.properties.binary_prop_value(_HTML)
    if html:
        yield Body("html", html)
        return
    older = message.properties.str_prop_value(_HTML)
    text = (message.body or "").replace("\0", "")
    if older and older.strip():
        yield Body("html", BOM_UTF8 + older.encode("utf-8", "replace"))
    elif text.strip():
        yield Body("text", text.encode("utf-8", "replace"))
    elif (packed := message.properties.binary_prop_value(_RTF)) and (rtf := unpacked_rtf(packed)):
        yield Body("rtf", rtf)


def _quietly(read: Any) -> Any:
    try:
        return read()
    except _BROKEN:
        return None


def _attachments(message: _Message, name: str, depth: int) -> Iterator[Attachment]:
    for number, item in enumerate(message.attachments, 1):
        texts = message.texts_of(item)
        file_name = _quietly(lambda t=texts: t.str_prop_value(constants.PID_ATTACH_LONG_FILENAME)) or ""
        shown = " ".join(file_name.replace("\0", "").split())
        data = _quietly(lambda item=item: item.file_bytes)
        storages = cast(Any, item)._storage.storages
        embedded = next((s for s in storages if s.name.upper().endswith(_EMBEDDED)), None)
        if embedded is not None:
            mail = _mail(_Inner(embedded), name, depth + 1)
            yield Attachment(shown or mail.subject or f"message {number}", mail=mail)
        elif data is None or not _is_decoration(item, data):
            yield Attachment(shown or f"attachment {number}", data)


def _is_decoration(item: Any, data: bytes) -> bool:
    """Tell whether a picture stands in the text and is too small to say anything."""
    kind = _quietly(lambda: item.mime_type) or ""
    shown_inside = _quietly(lambda: item.properties.str_prop_value(_CONTENT_ID))
    return bool(shown_inside) and kind.startswith("image/") and len(data) < SMALLEST_INLINE_PICTURE


def unpacked_rtf(packed: bytes) -> bytes:
    """Return the RTF of a compressed body ([MS-OXRTFCP]), b"" for no such body or a damaged or oversized one."""
    from compressed_rtf.compressed_rtf import crc32, decompress

    if len(packed) < 16:
        return b""
    size, raw_size, kind, sum_stated = struct.unpack_from("<II4sI", packed)
    if kind == b"MELA":
        return packed[16 : 16 + raw_size]
    # What the library refuses, it refuses with a bare Exception.
    whole = kind == b"LZFu" and raw_size <= MAX_BODY and crc32(packed[16 : size + 4]) == sum_stated
    try:
        return bytes(decompress(packed)) if whole else b""
    except struct.error:
        return b""
