"""A Chinese follow-up made a whole question: the one before it, with the new thing in the place of the old.

As :mod:`engine.answer.restating`. Words are told by what stands between them: 的, 是, 在 and their like end one.
Of several the new one takes the place of the one with the same ending: 白鹿水库 that of 云门水库, 押金 that of 月租金.
"""

from __future__ import annotations

import re

from engine.answer.expected import offers
from engine.answer.restating import Restated

_DIGITS = "〇零一二三四五六七八九十百两"
YEAR = re.compile(r"(?:19|20)\d{2}(?=年|\b)")
TIME = re.compile(
    rf"(?:19|20)\d{{2}}年?度?(?:第?[一二三四1-4]季度|[上下]半年|\d{{1,2}}月(?:\d{{1,2}}日)?)?"
    rf"|第?[一二三四1-4]季度|[上下]半年|[{_DIGITS}\d]{{1,3}}月份?"
)
LABEL = re.compile(
    rf"第\s*[{_DIGITS}\d]+\s*(?P<unit>[章节條条款页頁编篇部项項]|部分|版)|(?P<kind>[表图圖]|附件|附录|公式|版本)\s*[{_DIGITS}\d]+(?:[.-]\d+)*[a-z]?"
)
_LEAD = re.compile(
    r"^\s*(?P<lead>(?:那么|那(?![个個些里裡])|还有|還有|另外|然后|接着|而且?|以及|换成|至于)?)[，,\s]*"
)
_TAIL = re.compile(r"(?P<tail>(?:又?(?:怎么样|怎样|如何))?呢?)[?？。!！\s]*$")
_ASKING = re.compile(
    r"什么|甚么|什麼|谁|誰|哪|几(?=[个年月天次家人])|多[少大长久高远]|怎么|怎样|如何|为何|为什么|是否|吗|嗎|能不能|可不可以|有没有|[它他她]们?|这|這|该|其"
)
_STOP = re.compile(
    r"请问|(?:有|为|為|是)?(?:什么时候|什么|什麼|多少|哪[里儿些个一年月天位座家]*|几[个年月天次家人]?|几|谁)|怎么样?|怎样|如何"
    r"|为什么|是否|有没有|规定|讲|说|介绍|包括|提到|每[年月日天周]|[的了是在与和及或吗呢吧？?，,。：:、；;！!\s]"
)
_QUESTION_WORD = re.compile(
    r"(?:是|有)?(?:什么时候|什么|什麼|多[少大长久高远]|哪[里儿些个一年月天位座家]*|几[个年月天次家人]?|谁|誰|为何|为什么|怎么样?|怎样|如何)"
)
_ONLY_ASKING = re.compile(
    rf"^\W*(?:在|从|到|由|给|被)?{_QUESTION_WORD.pattern}(?!是|叫)[^，。？?]{{0,2}}[？?。\s]*$"
)
# A place is told by these behind its name.
_INSIDE = re.compile(r"(?<=.)[中里内上]$|^[中里内上]$")
# Told by the day on which it is said, not by the question before.
_TODAY = re.compile(r"[去今明前后後]年|[本上下这這]个?[年月周]|[昨今明]天|现在|現在")
_BETWEEN = re.compile(r"[\u3400-\u9fffA-Za-z0-9·&.()（）%-]+")
_WHO = re.compile(r"谁|誰|哪[位个個家座]|何人")
_POINTING = re.compile(r"[它他她牠]们?(?P<own>的)?|其(?!他|它|中|余|餘|实|實)|该(?=[^\u3400-\u9fff]|的)")
_WHICH = re.compile(
    r"^\W*(?:那么?|所以)?(?:这|那|他们|它们)?(?:两[者个家座]|二者)?(?:之?中|里)?(?P<who>哪一?[个個家座种項项]?|谁|誰)(?:的(?P<what>[\u3400-\u9fff]{1,6}?))?"
    r"(?P<how>更[\u3400-\u9fff]{1,2}|比较[\u3400-\u9fff]{1,2})(?:一些|些|一点)?[?？]?\s*$"
)
_DURATION = re.compile(r"延迟|时间|时长|耗时|周期|期限")
_SLACK = 2


def is_fragment(question: str) -> bool:
    """True for a follow-up that is no sentence: 那2024年呢？, 白鹿水库呢？, 什么时候退？"""
    return bool(_body(question)) or _ONLY_ASKING.match(question) is not None


def restated(question: str, before: str) -> Restated | None:
    """Return the question before with what the follow-up names in its place; None where that cannot be told."""
    relative = _other_year(question, before)
    if relative:
        return Restated(relative)
    body = _body(question)
    if _TODAY.search(body):
        return None
    whole, old, new = before.strip(), "", ""
    for one in (TIME, LABEL):
        for match in one.finditer(body):
            placed = _placed_like(match, whole, one)
            if placed is None:
                return None
            whole = placed
        body = one.sub("的", body)
    body = re.sub(r"^(?:对于?|关于|在|从)", "", body)
    words = [named for word in re.split(r"[的\s，,]+", body) if (named := _INSIDE.sub("", word))]
    for word in words:
        swapped = _swapped(word, whole, last=len(words) > 1 and word == words[-1])
        if swapped is None:
            return None
        whole, *changed = swapped
        if not _is_asked_for(changed[0], before):
            old, new = changed
    return Restated(whole, old, new) if whole != before.strip() else None


def with_referent(question: str, before: str, subject: str) -> str | None:
    """Return the question with what 它 or 其 stands for: ``subject``, else what the question before speaks of first."""
    if _POINTING.search(question) is None or _WHO.search(before):
        return None
    words = _words(before)
    referent = subject or (words[0][2] if words else "")
    if not referent:
        return None
    return _POINTING.sub(
        lambda match: referent + ("的" if match["own"] or match[0] == "其" else ""), question, count=1
    )


def compared(question: str, before: str, subjects: list[str]) -> str | None:
    """Return 哪个更高？ asked of the last two subjects, by what was asked of them."""
    match = _WHICH.match(question)
    if match is None or len(subjects) < 2:
        return None
    a, b = subjects[-2:]
    measure = match["what"] or next(
        (word for _, _, word in reversed(_words(before)) if word not in (a, b)), ""
    )
    how = match["how"]
    if measure and how in ("更快", "更慢") and _DURATION.search(measure):
        how = "更短" if how == "更快" else "更长"
    return f"{a}和{b}{match['who']}{'的' + measure if measure else ''}{how}？"


def asked_otherwise(question: str, before: str) -> str | None:
    """Return something else asked of the same, 那谁来付？: the question before without what it asks for, then this one.

    None where the follow-up has no question word of its own.
    """
    lead = _LEAD.match(question)
    assert lead is not None
    own = question[lead.end() :].strip()
    if _QUESTION_WORD.search(own) is None:
        return None
    rest = _QUESTION_WORD.sub("", before.strip()).rstrip("？?。吗呢 ")
    return f"{rest}，{own}"


def _body(question: str) -> str:
    """Return what a fragment names; "" for a question that is more than a fragment."""
    lead, tail = _LEAD.match(question), _TAIL.search(question)
    assert lead is not None and tail is not None
    body = question[lead.end() : tail.start()].strip(" ，,？?")
    begun = lead["lead"] or tail["tail"] or TIME.fullmatch(body)
    return "" if not begun or _ASKING.search(body) else body


def _placed_like(match: re.Match[str], before: str, kind: re.Pattern[str]) -> str | None:
    """Return the question before with a time or a numbered place in the place of its own; None where it has several."""
    found = list(kind.finditer(before))
    if kind is LABEL:
        found = [one for one in found if one.groupdict() == match.groupdict()] or found
    if len(found) > 1:
        return None
    if found:
        start, end = found[0].span()
        return before[:start] + match[0] + before[end:]
    return match[0] + ("的" if kind is LABEL else "") + before


def _swapped(word: str, before: str, last: bool) -> tuple[str, str, str] | None:
    """Put a word in the place of the one that is most like it. ``last`` when it follows another (A的B)."""
    words = _words(before)
    if not words:
        return None
    latin = word.isascii()
    alike = [one for one in words if one[2].isascii()] if latin else []
    if not alike and not latin:
        ends = [(_shared_ending(word, one[2]), one) for one in words]
        best = max(length for length, _ in ends)
        alike = [one for length, one in ends if best and length == best]
    if (
        not alike
        and len(words) > 1
        and not last
        and (latin or (_is_person(word) and _is_person(words[0][2])))
    ):
        alike = words[:1]
    elif not alike and (last or len(words) == 1 or "的" in before):
        alike = words[-1:]
    if not alike:
        return None
    start, end, old = alike[0]
    if not latin and len(old) > len(word) + _SLACK:
        start, old = end - len(word), old[-len(word) :]
    return before[:start] + word + before[end:], old, word


def _words(text: str) -> list[tuple[int, int, str]]:
    """Return the words of a question that name something, with their places; times and numbered places left out."""
    masked = text
    for one in (TIME, LABEL, _STOP):
        masked = one.sub(lambda match: "\n" * len(match[0]), masked)
    found = [(match.start(), _INSIDE.sub("", match[0])) for match in _BETWEEN.finditer(masked)]
    return [(start, start + len(word), word) for start, word in found if word]


def _is_asked_for(word: str, before: str) -> bool:
    """True for the last of several words: what is asked of the others."""
    words = [one for _, _, one in _words(before)]
    return len(words) > 1 and words[-1].endswith(word)


def _is_person(word: str) -> bool:
    """True for two or three characters of which the first is a surname; 某 stands for any given name."""
    return len(word) in (2, 3) and offers(f"{word[0]}某", "", "person")


def _shared_ending(a: str, b: str) -> int:
    length = 0
    while length < min(len(a), len(b)) and a[-1 - length] == b[-1 - length]:
        length += 1
    return length


def _other_year(question: str, before: str) -> str:
    """Return the question before asked of the year before or after its own; "" where that is not asked."""
    body = _body(question)
    step = (
        -1
        if re.fullmatch(r"在?[前上]一年", body)
        else 1
        if re.fullmatch(r"在?(?:[后後下]一年|次年)", body)
        else 0
    )
    years = YEAR.findall(before)
    if not step or len(years) != 1:
        return ""
    return YEAR.sub(str(int(years[0]) + step), before).strip()
