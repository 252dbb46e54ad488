"""Numbers in digits, in Chinese numerals and in English words below a hundred."""

from __future__ import annotations

import re
from decimal import Decimal

from engine.structure.numbering import CHINESE, value_of

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: value for value, word in enumerate(_ONES)} | {
    word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)
}
# "One month" is said of any; from two on a number is meant.
NUMBER_WORDS = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES[2:])})"


def number_of(text: str) -> Decimal | None:
    """Return the value of a written number; None for what is none."""
    plain = text.replace(",", "").casefold()
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return Decimal(plain)
    words = re.split(r"[-\s]", plain)
    if all(word in _WORDS for word in words):
        return Decimal(sum(_WORDS[word] for word in words))
    whole, _, fraction = plain.partition("点")
    if not whole or any(character not in CHINESE for character in whole + fraction):
        return None
    digits = "".join(str(value_of(character)) for character in fraction)
    return Decimal(f"{value_of(whole)}.{digits}" if digits else value_of(whole))
