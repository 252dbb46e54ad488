"""winmail.dat: what Outlook packs a message and its files into for other programs ([MS-OXTNEF])."""

import struct
from collections.abc import Iterator, Sequence

from engine.errors import LimitExceededError
from engine.parse.detect import TNEF
from engine.parse.mail import Attachment, Mail
from engine.parse.msg import FILE, FILE_NAME, MAX_DEPTH, SUBJECT, Part, bodies_of

# Ids of attributes, the lower half of them; those that say the same as a property, with its name.
_CODE_PAGE, _FILE_BEGINS, _PROPERTIES = 0x9007, 0x9002, {0x9003, 0x9005}
_OLDER = {0x8004: "0037001e", 0x800C: "1000001e", 0x800F: "37010102", 0x8010: "3707001e"}
_ATTRIBUTE = struct.Struct("<BHHI")
# Property types of several sizes, of a fixed size else; several values of one type; named properties.
_COUNTED, _SIZES = {0x000D, 0x001E, 0x001F, 0x0102}, {2: 4, 3: 4, 4: 4, 10: 4, 11: 4, 0x48: 16}
_MANY, _NAMED = 0x1000, 0x8000
_INTERFACE = 16


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
