"""Numbers and dates of a workbook as their number formats show them (ECMA-376 part 1, 18.8.30 and 18.8.31)."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import lru_cache

Formatter = Callable[[float], str]
GENERAL = "General"
# Formats that a file names by number only. Those that follow the reader's country are given as ISO dates.
BUILT_IN = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "#,##0", 6: "#,##0", 7: "#,##0.00", 8: "#,##0.00",
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm",
    17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    27: 'yyyy"年"m"月"', 28: 'm"月"d"日"', 29: 'm"月"d"日"', 30: "yyyy-mm-dd", 31: 'yyyy"年"m"月"d"日"',
    32: 'h"时"mm"分"', 33: 'h"时"mm"分"ss"秒"', 36: 'yyyy"年"m"月"', 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "##0.0E+0",
    49: "@", 50: 'yyyy"年"m"月"', 51: 'm"月"d"日"', 57: 'yyyy"年"m"月"', 58: 'm"月"d"日"',
}  # fmt: skip
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]\-]*)[^\]]*\]|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]'
    r"|(?P<half>AM/PM|A/P|上午/下午)|(?P<general>General)|(?P<date>y+|m+|d+|h+|s+|e+(?![+-]))"
    r"|(?P<exponent>[E][+-])|(?P<digits>[0#?]+)|(?P<other>.)",
    re.I | re.S,
)
_LONGEST_FORMAT = 300
# Parts of a date {0} and the hour {1} on its clock; minutes are "n" here.
_DATE_PARTS = {
    **dict.fromkeys(("y", "yyy", "yyyy"), "{0.year}"), "yy": "{0:%y}",
    "m": "{0.month}", "mm": "{0.month:02}", "mmm": "{0:%b}", "mmmm": "{0:%B}",
    "d": "{0.day}", "dd": "{0.day:02}", "ddd": "{0:%a}", "dddd": "{0:%A}", "h": "{1}", "hh": "{1:02}",
    "n": "{0.minute}", "nn": "{0.minute:02}", "s": "{0.second}", "ss": "{0.second:02}",
}  # fmt: skip


def general(number: float) -> str:
    """Return a number as cells without a format show it."""
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    return f"{number:.11g}" if abs(number) < 1e11 else f"{number:.15g}"


@lru_cache(maxsize=4096)
def formatter(code: str, from_1904: bool = False) -> Formatter:
    """Return what shows a number in this format. ``from_1904``: dates count from 1904, as old Mac files do."""
    if code in {"", GENERAL, "@"} or len(code) > _LONGEST_FORMAT:
        return general
    sections = [_tokens(section) for section in _sections(code)]

    def show(number: float) -> str:
        tokens = sections[0]
        if number < 0 and len(sections) > 1 and sections[1]:
            tokens, number = sections[1], -number
        elif number == 0 and len(sections) > 2:
            tokens = sections[2]
        if any(kind in {"date", "elapsed"} for kind, _ in tokens):
            return _date(number, tokens, from_1904)
        return _number(number, tokens)

    return show


def _sections(code: str) -> list[str]:
    parts, start = [], 0
    for match in re.finditer(r'"[^"]*"|\\.|\[[^\]]*\]|(;)', code):
        if match[1]:
            parts.append(code[start : match.start()])
            start = match.end()
    return [*parts, code[start:]]


def _tokens(section: str) -> list[tuple[str, str]]:
    names = dict.fromkeys(("quoted", "escaped", "currency"), "literal")
    found = ((m.lastgroup, m[m.lastgroup]) for m in _TOKEN.finditer(section) if m.lastgroup)
    return [(names.get(kind, kind), text) for kind, text in found if text]


def _number(number: float, tokens: list[tuple[str, str]]) -> str:
    before, pattern, after, exponent = "", "", "", ""
    for kind, text in tokens:
        if kind == "general":
            pattern = "General"
        elif kind == "digits" and exponent:
            exponent += text
        elif (kind == "digits" or (kind == "other" and text in ".,")) and not after:
            pattern += text
        elif kind == "exponent":
            exponent = text
        elif kind == "digits" or text == "/":
            return general(number)
        elif text != "@":
            number = number * 100 if text == "%" and kind == "other" else number
            before, after = (before, after + text) if pattern else (before + text, after)
    if not pattern:
        return before.strip() or ("" if tokens == [] else general(number))
    if pattern == "General":
        return f"{before}{general(number)}{after}".strip()
    shown = _digits(abs(number), pattern, exponent)
    sign = "-" if number < 0 and any(c in "123456789" for c in shown) else ""
    return f"{sign}{before}{shown}{after}".strip()


def _digits(number: float, pattern: str, exponent: str) -> str:
    bare = pattern.rstrip(",")
    number /= 1000 ** (len(pattern) - len(bare))
    whole, _, fraction = bare.partition(".")
    decimals = sum(fraction.count(sign) for sign in "0#?")
    least = fraction.rstrip("#?").count("0")
    if exponent:
        mantissa, _, power = f"{number:.{decimals}e}".partition("e")
        return f"{mantissa}E{power[0]}{abs(int(power)):0{max(exponent.count('0'), 1)}d}"
    # Half a unit goes up, as in Excel; a hair more than the number keeps binary fractions from going down.
    text = f"{number * (1 + 1e-15):{',' if ',' in whole else ''}.{decimals}f}"
    if decimals > least:
        head, _, tail = text.partition(".")
        tail = tail[:least] + tail[least:].rstrip("0")
        text = f"{head}.{tail}" if tail else head
    head, point, tail = text.partition(".")
    if "0" not in whole and head == "0" and point:
        head = ""
    return (head if "," in whole else head.zfill(whole.count("0"))) + point + tail


def _date(number: float, tokens: list[tuple[str, str]], from_1904: bool) -> str:
    # Excel has a 29 February 1900 that never was.
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if number >= 60 else 31)
    try:
        moment = start + timedelta(days=int(number), seconds=round((number % 1) * 86400))
    except (OverflowError, ValueError):
        return general(number)
    if number < 0:
        return general(number)  # dates start at 0
    twelve = any(kind == "half" for kind, _ in tokens)
    hour = (moment.hour % 12 or 12) if twelve else moment.hour
    parts: list[str] = []
    last = ""
    for index, (kind, text) in enumerate(tokens):
        low = text.lower().replace("e", "y")
        if kind == "elapsed":
            parts.append(str(round(number * 86400) // {"h": 3600, "m": 60, "s": 1}[low[0]]))
            last = low[0]
        elif kind == "date":
            following = next((t.lower() for k, t in tokens[index + 1 :] if k == "date"), "")
            if low in {"m", "mm"} and (last == "h" or following.startswith("s")):
                low = "n" * len(low)
            shown = _DATE_PARTS.get(low[:4]) or _DATE_PARTS[low[:2]]
            parts.append(shown.format(moment, hour)[: 1 if low == "mmmmm" else None])
            last = text[0].lower()
        elif kind == "half":
            parts.append("AM" if moment.hour < 12 else "PM")
        elif kind == "digits":  # fractions of a second
            if parts and parts[-1] == ".":
                parts.pop()
        elif text != "@":
            parts.append(text)
    return "".join(parts).strip()
