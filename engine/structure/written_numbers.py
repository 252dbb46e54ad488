"""Numbers in digits, in Chinese numerals and in English words, with their hundreds, thousands and millions."""

import math
import re
from decimal import Decimal

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = dict(zip((*_ONES, *_TENS), (*range(20), *range(20, 100, 10)), strict=True))
# "One month" is said of any; from two on a number is meant.
NUMBER_WORDS = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES[2:])})"
_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_LARGE = {word: 10**power for word, power in _POWERS.items()} | {"dozen": 12}
LARGE_WORDS = "|".join(_LARGE)
_SIMPLE = str.maketrans("〇○两兩萬億點", "零零二二万亿点")
# 百人 are a hundred.
_BARE = re.compile("(?<![零一二三四五六七八九])(?=[百千])")


def number_of(text: str) -> Decimal | None:
    """Return the value of a written number; None for what is none."""
    plain = text.replace(",", "").casefold()
    if re.fullmatch(r"\d+(?:\.\d+)?", plain):
        return Decimal(plain)
    words = re.split(r"[-\s]", plain)
    small = [word for word in words if word not in _LARGE]
    if small and all(word in _WORDS for word in small):
        return Decimal(sum(map(_WORDS.__getitem__, small)) * math.prod(_LARGE.get(word, 1) for word in words))
    import cn2an  # takes long to load, and most commands read no number

    try:
        return Decimal(str(cn2an.cn2an(_BARE.sub("一", plain.translate(_SIMPLE)), "smart")))
    except (ValueError, KeyError):  # 一亿〇亿 is no number, which the library tells by its own failure
        return None
