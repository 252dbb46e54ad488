"""Numbers that a question writes in characters, as digits: 超过一万五千元 is 超过15000元."""

from __future__ import annotations

import re

from engine.structure.numbering import NUMERALS, TENS, value_of

_NUMERAL = re.compile(
    r"(?<=超过|大于|高于|多于|低于|小于|少于|不足|不到|至少|至多|达到|等于)(?P<number>[零〇一二两三四五六七八九十百千万]{2,})"
    r"|(?<![零〇一二两三四五六七八九十百千万第])(?P<before>[零〇一二两三四五六七八九十百千万]{2,})(?=[元块人件台个天岁]?(?:以上|以下|以内))"
)


def with_digits(text: str) -> str:
    """Return a question with the limits that it writes in characters in digits."""
    return _NUMERAL.sub(lambda match: str(_value(match["number"] or match["before"])), text)


def _value(numeral: str) -> int:
    """Return the number that characters write; 一万五 is 15,000."""
    high, mark, low = numeral.partition("万")
    if mark:
        rest = _below_ten_thousand(low)
        return 10_000 * (_below_ten_thousand(high) or 1) + (1000 * rest if len(low) == 1 else rest)
    return _below_ten_thousand(numeral)


def _below_ten_thousand(numeral: str) -> int:
    short = numeral[-2:-1] in ("百", "千") and numeral[-1] in NUMERALS  # 两千五 is 2,500
    if short:
        return value_of(numeral[:-1]) + NUMERALS[numeral[-1]] * TENS[numeral[-2]] // 10
    return value_of(numeral) if numeral else 0
