"""Outlook's own formats: messages (.msg), a compound file whose streams are their properties ([MS-OXMSG]), and
winmail.dat, what it packs a message and its files into for other programs ([MS-OXTNEF])."""

from __future__ import annotations

import struct
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.parser import HeaderParser

from olefile import OleFileIO

from engine.errors import LimitExceededError, UnreadableFileError
from engine.parse.detect import BROKEN, TNEF
from engine.parse.encoding import decode
from engine.parse.mail import SMALLEST_INLINE_PICTURE, Attachment, Body, Mail, decoded_words
from engine.parse.rtf import code_page
from engine.structure.sequences import grouped

MEDIA_TYPE = "application/vnd.ms-outlook"
MAX_DEPTH = 10
MAX_BODY = 64 * 1024 * 1024
# Property ids of [MS-OXPROPS].
SUBJECT, _BODY, _HTML, _RTF, _SENT = 0x0037, 0x1000, 0x1013, 0x1009, 0x0039
_HEADERS, _SENDER = 0x007D, 0x0C1A
_SENDER_ADDRESSES, _ADDRESSES = (0x5D01, 0x0C1F), (0x39FE, 0x3003)
_RECIPIENT_TYPE, _NAME, _CODE_PAGES = 0x0C15, 0x3001, (0x3FFD, 0x3FDE)
FILE, FILE_NAME, _FILE_TYPE, _CONTENT_ID, _EMBEDDED = 0x3701, 0x3707, 0x370E, 0x3712, "__substg1.0_3701000D"
# Bytes before the properties of a file, of a message inside another, of what belongs to one ([MS-OXMSG] 2.4.1).
_MESSAGE_HEADER, _INNER_HEADER, _PART_HEADER = 32, 24, 8
Place = tuple[str, ...]
# Ids of attributes, the lower half of them; those that say the same as a property, with its name.
_CODE_PAGE, _FILE_BEGINS, _PROPERTIES = 0x9007, 0x9002, {0x9003, 0x9005}
_OLDER = {0x8004: "0037001e", 0x800C: "1000001e", 0x800F: "37010102", 0x8010: "3707001e"}
_ATTRIBUTE = struct.Struct("<BHHI")
# Property types of several sizes, of a fixed size else; several values of one type; named properties.
_COUNTED, _SIZES = {0x000D, 0x001E, 0x001F, 0x0102}, {2: 4, 3: 4, 4: 4, 10: 4, 11: 4, 0x48: 16}
_MANY, _NAMED = 0x1000, 0x8000
_INTERFACE = 16


class Part:
    """A message, a recipient or an attachment: a storage in the file with its properties."""

    def __init__(self, file: OleFileIO, path: Place, header: int, pages: Sequence[int] = ()) -> None:
        self._file = file
        self._path = path
        inside = [name[len(path) :] for name in file.listdir() if tuple(name[: len(path)]) == path]
        self._streams = {name[0].casefold(): name[0] for name in inside if len(name) == 1}
        self.storages = list(dict.fromkeys(name[0] for name in inside if len(name) > 1))
        data = self._read("__properties_version1.0")
        places = range(header, len(data) - 15, 16)
        self.numbers = dict(struct.unpack_from("<2xH4xQ", data, place) for place in places)
        self.pages = pages or [*filter(None, (self.numbers.get(pid, 0) & 0xFFFFFFFF for pid in _CODE_PAGES))]

    def _read(self, stream: str) -> bytes:
        return bytes(self._file.openstream([*self._path, self._streams[stream]]).read())

    def data(self, pid: int, kind: str = "0102") -> bytes | None:
        """Return the bytes of a property, None where there are none; without a ``kind`` those that are only bytes."""
        stream = f"__substg1.0_{pid:04x}{kind}"
        return self._read(stream) if stream in self._streams else None

    def text(self, pid: int) -> str:
        """Return a text; one of 8 bits is read in the first of the code pages that fits, else by its bytes."""
        if wide := self.data(pid, "001f"):
            return wide.decode("utf-16-le", "replace").replace("\0", "")
        data = (self.data(pid, "001e") or b"").replace(b"\0", b"")
        codecs = ((page, code_page(page)) for page in self.pages)
        # cp1252 stands for those, too, that Python has no codec for.
        return decode(data, *(codec for page, codec in codecs if codec != "cp1252" or page == 1252)).text

    def line(self, *pids: int) -> str:
        """Return the first of the texts that is there, on one line."""
        return next(filter(None, (" ".join(self.text(pid).split()) for pid in pids)), "")

    def parts(self, name: str) -> Iterator[Part]:
        """Yield the recipients or the attachments."""
        for storage in self.storages:
            if storage.startswith(f"__{name}_version1.0_#"):
                yield Part(self._file, (*self._path, storage), _PART_HEADER, self.pages)

    def inner(self) -> Part | None:
        """Return the message that an attachment is, None for any other."""
        found = next((one for one in self.storages if one.casefold() == _EMBEDDED.casefold()), None)
        return Part(self._file, (*self._path, found), _INNER_HEADER) if found else None


def read_msg(data: bytes, name: str) -> Mail:
    """Return the message. Raises UnreadableFileError when it is damaged, LimitExceededError when too deep."""
    try:
        with OleFileIO(data) as file:
            return _mail(Part(file, (), _MESSAGE_HEADER), name, 0)
    except BROKEN as error:
        raise UnreadableFileError(
            f"{name} is a damaged Outlook message. Open it in Outlook and save it again."
        ) from error


def _mail(message: Part, name: str, depth: int) -> Mail:
    if depth > MAX_DEPTH:
        raise LimitExceededError(f"{name} is nested too deeply. Save what is attached and add that.")
    attachments = list(_attachments(message, name, depth))
    return Mail(message.line(SUBJECT), list(_headers(message)), list(bodies_of(message)), attachments)


def _headers(message: Part) -> Iterator[tuple[str, str]]:
    told = ((one.numbers.get(_RECIPIENT_TYPE, 1), one) for one in message.parts("recip"))
    people = grouped((kind & 0xFFFFFFFF, _person(one.line(_NAME), one.line(*_ADDRESSES))) for kind, one in told)
    sent = HeaderParser().parsestr(message.text(_HEADERS))["From"]
    sender = _person(message.line(_SENDER), message.line(*_SENDER_ADDRESSES))
    stated = {
        "From": decoded_words(str(sent)) if sent else sender, "To": ", ".join(people.get(1, ())),
        "Cc": ", ".join(people.get(2, ())), "Date": _date(message.numbers.get(_SENT, 0)),
    }  # fmt: skip
    yield from ((header, shown) for header, value in stated.items() if (shown := " ".join(value.split())))


def _date(ticks: int) -> str:
    """When the message was sent (tenths of microseconds since 1601); "" for no date or one that cannot be."""
    with suppress(OverflowError):
        sent = datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10)
        return sent.strftime("%Y-%m-%d %H:%M UTC") if ticks else ""
    return ""


def _person(name: str, address: str) -> str:
    if not address or address.lower().startswith("/o=") or address == name:
        return name or address
    return f"{name} <{address}>" if name else address


def bodies_of(message: Part) -> Iterator[Body]:
    """Yield the text of a message in the richest form that it has."""
    if html := message.data(_HTML):
        yield Body("html", html)
    elif older := message.text(_HTML).strip():
        yield Body("html", BOM_UTF8 + older.encode("utf-8", "replace"))
    elif (text := message.text(_BODY)).strip():
        yield Body("text", text.encode("utf-8", "replace"))
    elif (packed := message.data(_RTF)) and (rtf := unpacked_rtf(packed)):
        yield Body("rtf", rtf)


def _attachments(message: Part, name: str, depth: int) -> Iterator[Attachment]:
    for number, item in enumerate(message.parts("attach"), 1):
        shown, data = item.line(FILE_NAME), item.data(FILE)
        small = data is not None and len(data) < SMALLEST_INLINE_PICTURE
        if inner := item.inner():
            mail = _mail(inner, name, depth + 1)
            yield Attachment(shown or mail.subject or f"message {number}", mail=mail)
        elif not (small and item.line(_CONTENT_ID) and item.line(_FILE_TYPE).startswith("image/")):
            yield Attachment(shown or f"attachment {number}", data)


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
    with suppress(struct.error):
        return bytes(decompress(packed)) if whole else b""
    return b""


class _Packed(Part):
    """The properties of a message or a file, by id and type as Outlook's own files name them."""

    def __init__(self, pages: Sequence[int] = ()) -> None:
        self.pages = pages
        self.values: dict[str, bytes] = {}

    def data(self, pid: int, kind: str = "0102") -> bytes | None:
        """Return the bytes of a property, None where there are none."""
        return self.values.get(f"{pid:04x}{kind}")

    def take(self, data: bytes) -> None:
        """Take all properties of a block of them, as far as it is whole."""
        at = 4
        while at + 4 <= len(data):
            kind, pid = struct.unpack_from("<HH", data, at)
            at += 4
            if pid >= _NAMED:  # a set of names, and a number or words
                words = _number(data, at + 20) if _number(data, at + 16) else 0
                at += 24 + words + -words % 4
            count, type_ = 1, kind & ~_MANY
            if kind & _MANY or type_ in _COUNTED:
                count, at = _number(data, at), at + 4
            for _ in range(min(count, len(data))):
                size = _SIZES.get(type_, 8)
                if type_ in _COUNTED:
                    size, at = _number(data, at), at + 4
                if at + size > len(data):
                    return
                self.values[f"{pid:04x}{type_:04x}"] = data[at : at + size]
                at += size + -size % 4


def read_tnef(data: bytes, name: str, depth: int = 0) -> Mail:
    """Return the message, as far as the file is whole. Raises LimitExceededError when it is nested too deeply."""
    if depth > MAX_DEPTH:
        raise LimitExceededError(f"{name} is nested too deeply. Save what is attached and add that.")
    parts = [_Packed()]
    for attribute, value in _attributes(data):
        if attribute == _CODE_PAGE:
            parts[0].pages = [_number(value, 0)]
        elif attribute == _FILE_BEGINS:
            parts.append(_Packed(parts[0].pages))
        elif attribute in _PROPERTIES:
            parts[-1].take(value)
        elif attribute in _OLDER:
            parts[-1].values[_OLDER[attribute]] = value
    attachments = [_attachment(file, number, name, depth) for number, file in enumerate(parts[1:], 1)]
    return Mail(parts[0].line(SUBJECT), [], list(bodies_of(parts[0])), attachments)


def _attachment(file: _Packed, number: int, name: str, depth: int) -> Attachment:
    shown = file.line(FILE_NAME)
    inner = file.data(FILE, "000d") or b""
    if inner[_INTERFACE:].startswith(TNEF):
        mail = read_tnef(inner[_INTERFACE:], name, depth + 1)
        return Attachment(shown or mail.subject or f"message {number}", mail=mail)
    return Attachment(shown or f"attachment {number}", file.data(FILE))


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 6
    while at + _ATTRIBUTE.size <= len(data):
        _, attribute, _, size = _ATTRIBUTE.unpack_from(data, at)
        at += _ATTRIBUTE.size
        yield attribute, data[at : at + size]
        at += size + 2


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")
