"""Bytes of a text file -> characters, with the encoding told from the bytes.

UTF-8 proves itself; the East Asian encodings overlap, so they are told apart by how many of their most
common characters the decoded sample holds; what is left is a single-byte encoding and goes to
``charset_normalizer``.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

SAMPLE = 64 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The most frequent characters of running text in each encoding's language.
_COMMON = {
    "gb18030": "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年，。、",
    "big5": "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年，。、",
    "shift_jis": "のにはをたがでてとしれさいるなもらかすあこりうまよき、。",
    "euc_jp": "のにはをたがでてとしれさいるなもらかすあこりうまよき、。",
    "euc_kr": "이다는을의에가하고지로은서기를한도인자사리나아대시어라",
}
# What Western European writing needs beyond ASCII; few of these among ASCII letters mean cp1252.
_WESTERN = "àâäáãåæçéèêëíìîïñóòôöõøœúùûüýÿßÀÂÄÁÅÆÇÉÈÊËÍÎÑÓÔÖØŒÚÜ«»“”„‘’‚–—…•€£¥©®°§±²³½¼·¿¡\xa0"
_SHARE_OF_COMMON = 0.1
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class Decoded(NamedTuple):
    """A text and the encoding it was read with; ``lossy`` when bytes had to be replaced."""

    text: str
    encoding: str
    lossy: bool


def decode(data: bytes) -> Decoded:
    """Return the text with ``\\n`` line ends and without control characters (form feeds stay)."""
    encoding, errors = _encoding_of(data)
    text = data.decode(encoding, errors)
    lossy = errors == "replace" and "\ufffd" in text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _CONTROLS.search(text):
        text = _CONTROLS.sub("", text)
    return Decoded(text.removeprefix("\ufeff"), encoding, lossy)


def _encoding_of(data: bytes) -> tuple[str, str]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding, "replace"
    if wide := _utf16_without_bom(data[:SAMPLE]):
        return wide, "replace"
    try:
        data.decode("utf-8")
        return "utf-8", "strict"
    except UnicodeDecodeError as error:
        if _mostly_utf8(data, error):
            return "utf-8", "replace"
    return _east_asian(data) or _single_byte(data), "replace"


def _utf16_without_bom(sample: bytes) -> str | None:
    if len(sample) < 4 or b"\0" not in sample:
        return None
    half = len(sample) // 2
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > 0.2 * half and even * 10 < odd:
        return "utf-16-le"
    if even > 0.2 * half and odd * 10 < even:
        return "utf-16-be"
    return None


def _mostly_utf8(data: bytes, error: UnicodeDecodeError) -> bool:
    if error.start >= len(data) - 3 and error.start > 0:
        return any(byte >= 0x80 for byte in data[: error.start][-SAMPLE:]) or error.start > 64
    sample = data[max(0, error.start - SAMPLE // 2) : error.start + SAMPLE // 2].decode("utf-8", "replace")
    wide = sum(1 for c in sample if c > "\x7f" and c != "\ufffd")
    return wide > 20 * sample.count("\ufffd")


def _east_asian(data: bytes) -> str | None:
    start = next((i for i, byte in enumerate(data[: 1 << 20]) if byte >= 0x80), 0)
    start = data.rfind(b"\n", 0, start) + 1  # so that no character is cut in two
    sample = data[start : start + SAMPLE]
    best, best_share = None, _SHARE_OF_COMMON
    for encoding, common in _COMMON.items():
        text = sample.decode(encoding, "replace")
        wide = [c for c in text if c > "\x7f"]
        if len(wide) < 2 or text.count("\ufffd") > max(1, len(wide) // 50):
            continue
        share = sum(1 for c in wide if c in common) / len(wide)
        if share > best_share:
            best, best_share = encoding, share
    return best


def _single_byte(data: bytes) -> str:
    sample = data[:SAMPLE].decode("cp1252", "replace")
    wide = [c for c in sample if c > "\x7f"]
    letters = sum(1 for c in sample if c.isalpha())
    if len(wide) < 0.25 * letters and sum(1 for c in wide if c in _WESTERN) >= 0.95 * len(wide):
        return "cp1252"
    from charset_normalizer import from_bytes

    match = from_bytes(data[:SAMPLE]).best()
    if match is None or match.encoding in {"ascii", "utf_8", "utf_16", "utf_32"}:
        return "cp1252"
    return "cp1252" if match.encoding.startswith("latin") else match.encoding
