"""Titles that only count ("Section 1", 第一部分, "1.", "Slide 3") or say nothing ("Untitled", 未命名)."""

from __future__ import annotations

import re

_NUMERAL = r"(?:\d{1,4}(?:\.\d{1,3})*|[IVXLCivxlc]{1,7}|[A-Za-z]|[一二三四五六七八九十百千零〇两]{1,6})"
_SPELLED = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|fourth|fifth"
_COUNTED = re.compile(
    rf"^\W*(?:(?:(?:the\s+)?(?:section|chapter|part|book|volume|slide|page|unit|lesson|lecture|topic|paragraph|text|"
    rf"sheet|act|scene|item)\W*(?:{_NUMERAL}|{_SPELLED})|(?:{_SPELLED})\s+(?:section|chapter|part|book|volume|lesson))"
    rf"|第\s*{_NUMERAL}\s*(?:编|篇|部分|部|章节|章|节|節|回|卷|册|讲|课|单元|页|頁|张|集)|(?:章节|部分|页|幻灯片|段落|节|章)\s*{_NUMERAL}"
    rf"|[（(\[【]?(?:\d{{1,4}}(?:\.\d{{1,3}})*|[IVX]{{1,7}}|[A-Z]|[一二三四五六七八九十百]{{1,4}})[)）\]】]?[、.．:：]*)\W*$",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"^\W*(?:untitled(?:\s+\w{0,10})?|no\s+title|new\s+section|default\s+section|unnamed|"
    r"未命名(?:文档|章节)?|无标题|無標題|新建(?:章节|页面|文档)|单击此处添加标题|click\s+to\s+(?:add|edit)\s+title)\W*\d*\W*$",
    re.IGNORECASE,
)


def is_meaningless(title: str) -> bool:
    """Tell whether a title only counts or says nothing about what follows."""
    title = title.strip()
    return len(title) <= 40 and bool(
        _COUNTED.match(title) or _EMPTY.match(title) or not any(map(str.isalnum, title))
    )


def with_meaning(title: str, phrase: str) -> str:
    """Return a meaningless title with a phrase that says what follows; its number, if it has one, stays in front."""
    title = title.strip()
    if _EMPTY.match(title) or not any(map(str.isalnum, title)):
        return phrase
    return (
        f"{title} {phrase}"
        if title[-1] in ".．、:：)）]】"
        else f"{title}: {phrase}"
        if title.isascii()
        else f"{title} {phrase}"
    )
