"""Bytes of a text file -> characters, with the encoding told from the bytes.

UTF-8 proves itself. The others overlap: the text is read in each that may be meant, and the reading wins that is most
likely as language by the vocabulary of the embedding model (one of words and their frequencies in many languages).
Which single-byte encoding may be meant tells ``charset_normalizer``.
"""

import codecs
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import orjson

SAMPLE = 64 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_EAST_ASIAN = ("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr")
_WIDE_LINE = re.compile(rb"[^\n]*[\x80-\xff][^\n]*")
_EVIDENCE = 2000
# What Western European writing needs beyond ASCII; few of these among ASCII letters mean cp1252.
_WESTERN = "àâäáãåæçéèêëíìîïñóòôöõøœúùûüýÿßÀÂÄÁÅÆÇÉÈÊËÍÎÑÓÔÖØŒÚÜ«»“”„‘’‚–—…•€£¥©®°§±²³½¼·¿¡\xa0"
# What pages and messages mean by these names (WHATWG Encoding Standard, 4.2).
_MEANT = {
    "iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932",
    "big5": "big5hkscs", "euc_kr": "cp949",
}  # fmt: skip
# Zero-width spaces and soft hyphens are no part of the words that they stand in.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\xad\u200b\u2060\ufeff\ud800-\udfff\ufffe\uffff]")

TOKENIZER = Path(__file__).parents[1] / "providers" / "weights" / "e5-small" / "tokenizer.json"
# The vocabulary of the embedding model has no Hangul and no Cyrillic: natural logarithms for a letter of those.
_COMMON_HANGUL = "이다는을의에가하고지로은서기를한도인자사리나아대시어라"
_COMMON_SYLLABLE, _RARE, _CYRILLIC, _UNKNOWN = -7.0, -12.0, -4.0, -20.0


class Decoded(NamedTuple):
    """A text and the encoding it was read with; ``lossy`` when bytes had to be replaced."""

    text: str
    encoding: str
    lossy: bool

    @property
    def warnings(self) -> list[str]:
        """What a user is told of it."""
        return [f"Some characters could not be read as {self.encoding}."] if self.lossy else []


def decode(data: bytes, *stated: str) -> Decoded:
    """Return the text with ``\\n`` line ends and without control characters (form feeds stay).

    Of the encodings that are ``stated`` the first is taken that exists and that the bytes agree with.
    """
    encoding, errors = _encoding_of(data, stated)
    text = data.decode(encoding, errors)
    lossy = errors == "replace" and "\ufffd" in text
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return Decoded(text, encoding, lossy)


def codec_of(name: str) -> str:
    """Return the codec that is meant by the name of an encoding. Raises LookupError for an unknown name."""
    codec = codecs.lookup(name).name
    return _MEANT.get(codec, codec)


def _encoding_of(data: bytes, stated: Sequence[str]) -> tuple[str, str]:
    if marked := next((encoding for bom, encoding in _BOMS if data.startswith(bom)), None):
        return marked, "replace"
    for name in stated:
        with suppress(LookupError, ValueError):
            data.decode(codec_of(name))
            return codec_of(name), "strict"
    if wide := utf16_without_bom(data[:SAMPLE]):
        return wide, "replace"
    try:
        data.decode("utf-8")
        return "utf-8", "strict"
    except UnicodeDecodeError as error:
        if _mostly_utf8(data, error):
            return "utf-8", "replace"
    evidence = _wide_lines(data)
    readings = {name: evidence.decode(name, "replace") for name in (*_EAST_ASIAN, _single_byte(data))}
    return max(readings, key=lambda name: likelihood(readings[name])), "replace"


def utf16_without_bom(sample: bytes) -> str | None:
    """Return the byte order of text in UTF-16 that has no mark, None for anything else."""
    if len(sample) < 4:
        return None
    even, odd = sample[::2], sample[1::2]
    for high, low, codec in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        # Characters such as 一 end in 0, too.
        if high.count(0) > 0.2 * len(high) and low.count(0) * 2 <= high.count(0):
            controls = sum(1 for h, c in zip(high, low, strict=False) if not h and c < 9)
            return codec if controls * 50 <= len(low) else None
    return None


def _mostly_utf8(data: bytes, error: UnicodeDecodeError) -> bool:
    if error.start >= len(data) - 3 and error.start > 0:
        return any(byte >= 0x80 for byte in data[: error.start][-SAMPLE:]) or error.start > 64
    sample = data[max(0, error.start - SAMPLE // 2) : error.start + SAMPLE // 2].decode("utf-8", "replace")
    wide = sum(1 for c in sample if c > "\x7f" and c != "\ufffd")
    return wide > 20 * sample.count("\ufffd")


def _wide_lines(data: bytes) -> bytes:
    """Return the first lines with more than ASCII in them."""
    found = b""
    for line in _WIDE_LINE.finditer(data):
        found += line[0][:_EVIDENCE] + b"\n"
        if len(found) > _EVIDENCE:
            break
    return found


def _single_byte(data: bytes) -> str:
    sample = data[:SAMPLE].decode("cp1252", "replace")
    wide = [c for c in sample if c > "\x7f"]
    western = sum(map(_WESTERN.__contains__, wide)) >= 0.95 * len(wide)
    if western and len(wide) < 0.25 * sum(map(str.isalpha, sample)):
        return "cp1252"
    from charset_normalizer import from_bytes

    found = from_bytes(data[:SAMPLE]).best()
    return "cp1252" if found is None or found.encoding.startswith(("ascii", "utf_", "latin")) else found.encoding


def likelihood(text: str) -> float:
    """Return the logarithm of how likely a text is by the frequencies of its words."""
    tokenizer, scores = _vocabulary()
    tokens = tokenizer.encode(text, add_special_tokens=False).tokens
    known = sum(scores[token] if token in scores else _outside(token) for token in tokens)
    return float(known + _UNKNOWN * text.count("\ufffd"))


def _outside(token: str) -> float:
    total = 0.0
    for before, char in pairwise(" " + token):
        if "가" <= char <= "힣":
            total += _COMMON_SYLLABLE if char in _COMMON_HANGUL else _RARE
        elif "\u0400" <= char < "\u0500":
            total += _RARE if char.isupper() and before.islower() else _CYRILLIC
        else:
            total += _UNKNOWN
    return total


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[Any, dict[str, float]]:
    """Return the tokenizer of the embedding model and the score of each of its words; takes 0.3 s."""
    from tokenizers import Tokenizer

    content = TOKENIZER.read_bytes()
    return Tokenizer.from_buffer(content), dict(orjson.loads(content)["model"]["vocab"])


def is_common(word: str) -> bool:
    """Tell whether a word is frequent enough to have a token of its own."""
    return f"▁{word}" in _vocabulary()[1]
