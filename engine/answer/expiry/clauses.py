"""Sentences that give a term: "This Agreement starts on 17 February 2025 and continues for 18 months", 租期五年.

A clause tells whose term it is, how long that is, and from when it counts: from a date in the same sentence, or from
one that has a name there ("the Commencement Date", 起租日) and is defined in another. Read is only what is plain: one
term a sentence, which is its verb's, and one start, which is the same subject's. A term that limits something (within,
at least, 提前, 不超过) or may be renewed is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from engine.answer.check.dates import DATE, date_of
from engine.answer.expiry.asked import AGREEMENT, WHOLE, Thing, thing_of
from engine.answer.numbers import number_forms, scaled_form
from engine.structure.numbering import without_number
from engine.structure.sentences import is_cjk

_DATE = re.compile(DATE, re.IGNORECASE)
_TERM = re.compile(
    r"(?P<word>\b[A-Za-z]+(?:-[A-Za-z]+)?)?(?:\s?[(（]?(?<![\d.,])(?P<digits>\d{1,4})[)）]?)?[\s-]"
    r"(?:(?:calendar|consecutive|full)\s)?(?P<unit>year|month|week|day)s?\b"
    r"|(?<![第\d.一二两三四五六七八九十百])(?P<number>\d{1,4}|[一二两三四五六七八九十百]{1,5})\s?(?:[(（]\s?\d{1,4}\s?[)）])?\s?"
    r"(?P<zh>年|[个個]月|周|星期|天|[个個]?(?:自然|日历|日曆)?日)(?!半)",
    re.IGNORECASE,
)
_LONGEST = {"months": 1200, "days": 36_600}
_LIMITS = re.compile(
    r"\b(?:within|least|less than|up to|at most|(?:max|min)imum(?: of)?|first|last|every|each|next|preceding|further"
    r"|additional|successive|another|more than|after|exceed\w*|later than|extended by|hundred(?: and)?)\W*$"
    r"|(?:提前|前|[后後]|逾期|超[过過]|不足|不少于|至少|最[多长長]|每|[满滿]|首|在|另|再|延[长長]|近)$",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"^\s?(?:['’]|(?:of\s)?(?:prior|before|written|notice|after|ago|in advance|in arrears)\b"
    r"|以?[内內前后後上下]|之[内內前后後]|的?(?:[书書]面)?通知)",
    re.IGNORECASE,
)
_RENEWED = re.compile(
    r"\b(?:renew|exten[ds]|successive|thereafter|rolling|month[- ]to[- ]month|until|till)"
    r"|(?<![连連持存后後])[续續]|[顺順]延|延[长長]|自[动動]",
    re.IGNORECASE,
)
_FROM = (
    r"(?:from(?:\sand\sincluding)?|since|as\s(?:of|from)|with\seffect\sfrom|(?:start|commenc|beginn?)(?:s|es|ing|ed)?"
    r"(?:\s(?:on|from))?|(?:takes?\seffect|effective|in\sforce|into\s(?:force|effect))(?:\s(?:on|from|as\sof))?)\s(?:the\s)?"
)
_FROM_DATE = re.compile(rf"\b{_FROM}(?:(?:\w+\s){{1,3}}(?:date|day)\s\()?$", re.IGNORECASE)
_FROM_NAMED = re.compile(rf"\b(?i:{_FROM})[\"“]?(?P<name>(?:[A-Z][\w-]*\s){{1,4}}?(?:Date|Day))\b")
_FROM_ZH = re.compile(r"(?:[自从從由]|(?:起租|起始|[开開]始|生效|起算)(?:之?日|日期)(?:[为為是]|[:：])?)\s?$")
_SINCE_ZH = re.compile(r"^\s?(?:[（(]含[^)）]{0,4}[)）])?(?:零[时時點点])?(?:起|[开開]始|生效)")
_FROM_NAMED_ZH = re.compile(
    r"[自从從由为為][“「]?(?P<name>[^，。；、自从從由“]{1,12}日)[”」]?(?:起|[开開]始)"
)
# What leads from its subject to a term, and what may stand between a term and its start.
_VERB = re.compile(
    r"(?:\b(?:(?:is|are|be)(?:\s(?:granted|made|agreed|concluded))?|lasts?|runs?|continues?|remains?\s(?:valid|in\s(?:full\s)?(?:force|effect)(?:\sand\seffect)?))|[:：|])"
    r"\s?(?:for\s)?$",
    re.IGNORECASE,
)
_OF_A_TIME = re.compile(
    r"\b(?:an?|the)\s(?:(?:initial|fixed|total)\s)?(?:period|term|duration)\sof\s$", re.IGNORECASE
)
_LETS = re.compile(r"\b(?:lets|leases|rents|engages|employs|appoints)\b.*\bfor\s$", re.IGNORECASE)
_PREDICATE = re.compile(
    r"\b(?:is|are|be|was|were|will|shall|has|have|starts?|begins?|commence[sd]?|takes?|lasts?|runs?|continues?|remains?"
    r"|comes?|came|means)\b|[:|]",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;]|\b(?:and|but|which)\b", re.IGNORECASE)
_BESIDE = re.compile(
    rf"\s*(?:(?:unless|subject|if|provided|on|in|for|{_FROM})\b.*|(?:shall|will)\s*)?$", re.IGNORECASE
)
_JOINS = re.compile(r"[\s,)]*(?:and|which|it)?\s*(?:shall|will)?\s*$", re.IGNORECASE)
_ZH_JOINS = re.compile(r"[\s，,（()）]*(?:[并並且]|其|[该該])?(?:期限|租期|[该該]期[间間])?[\s应應]*$")
_ZH_LEADS = re.compile(r"(?:[为為]期?|是|共[计計]?|[应應]?[为為]|[:：|]|[约約]定|[为為]期|[暂暫]定|\s)+$")
_ZH_START = re.compile(
    r"(?:[自从從由]|[为為](?=[^，。；]{1,20}日起))[^，。；]{1,24}?(?:起|[开開]始)(?!租)(?:[计計]?算|生效)?[，,]?"
)
_ZH_AFTER = re.compile(r"^的?(?P<name>[\u3400-\u9fff]{2,8})")
_ZH_SUBJECT = re.compile(r"^(?P<name>[^，。；自从從由为為是：:|]{2,20})")


@dataclass(frozen=True, slots=True)
class Term:
    """So many months or days; ``text`` as written."""

    count: int
    unit: str
    text: str

    @property
    def length(self) -> tuple[int, str]:
        """How long it is, however it is written."""
        return self.count, self.unit


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence's term: whose it is (None: of the contract as a whole) and its start, a date or the name of one."""

    thing: Thing
    term: Term
    start: date | None = None
    start_name: str = ""


def days_in(text: str) -> list[tuple[int, int, date]]:
    """Return the days of a calendar that a text names, with their places; one that may be two is none."""
    found = []
    for match in _DATE.finditer(text):
        when = date_of(match)
        if when is None or len(when.readings) != 1:
            continue
        year, month, day = when.readings[0]
        if isinstance(year, int) and isinstance(month, int) and isinstance(day, int):
            try:
                found.append((match.start(), match.end(), date(year, month, day)))
            except ValueError:  # 30 February
                continue
    return found


def terms_in(text: str) -> list[tuple[int, int, Term]]:
    """Return the terms that a text gives, with their places; what only limits something is none."""
    return [
        (start, end, term)
        for start, end, term in _durations(text)
        if not _LIMITS.search(text[:start]) and not _LIMITED.match(text[end:])
    ]


def clause_of(sentence: str) -> Clause | None:
    """Return whose term a sentence gives, and from when; None where it does not plainly give one."""
    text = without_number(" ".join(sentence.split()))
    if not _TERM.search(text):
        return None
    durations, found = _durations(text), terms_in(text)
    if not found or len({term.length for *_, term in durations}) > 1 or _RENEWED.search(text):
        return None
    (start, _, term), end = found[0], found[-1][1]
    days = days_in(text)
    if len({day for *_, day in days}) > 1:
        return None
    chinese = is_cjk(text)
    named = (_thing_zh if chinese else _thing)(text, start, end)
    if named is None:
        return None
    thing, subject = named
    begun = _start(text, days, chinese)
    if begun is None or not (_joins_zh if chinese else _joins)(text, begun, (start, end), subject, thing):
        return Clause(thing, term)
    return Clause(thing, term, begun[2], begun[3])


def _durations(text: str) -> list[tuple[int, int, Term]]:
    plain = list(text)
    for match in _DATE.finditer(text):
        if date_of(match) is not None:
            plain[match.start() : match.end()] = "\0" * len(match[0])
    return list(_read("".join(plain)))


def _read(text: str) -> Iterator[tuple[int, int, Term]]:
    for match in _TERM.finditer(text):
        unit = match["unit"] or match["zh"].removeprefix("个").removeprefix("個")
        unit = re.sub("自然日|日历日|日曆日", "日", unit)
        numbers = [match["digits"] or match["number"]] if match["digits"] or match["number"] else []
        numbers = numbers or re.findall("[a-z]+", (match["word"] or "").lower())
        values = [form for one in numbers for form in number_forms(one) if form.isdigit()]
        if not values or len(values) != len(numbers) or (len(values) > 1 and int(values[0]) < 20):
            continue
        count = str(sum(map(int, values)))
        lasting = scaled_form(f"{count} {unit}", count)
        if lasting is None or not int(count):
            continue
        worded = match["word"] and number_forms(match["word"])
        start = match.start() if worded or match["number"] else match.start("digits")
        said, _, kind = lasting.partition(" ")
        if int(said) > _LONGEST[kind]:
            continue
        yield start, match.end(), Term(int(said), kind, text[start : match.end()].strip())


def _start(
    text: str, days: list[tuple[int, int, date]], chinese: bool
) -> tuple[int, int, date | None, str] | None:
    """Return where the start of a sentence's term is named, and the date or its name; None without one."""
    for start, end, day in days:
        before = (_FROM_ZH if chinese else _FROM_DATE).search(text[:start])
        if before or (chinese and _SINCE_ZH.match(text[end:])):
            return before.start() if before else start, end, day, ""
    named = None if days else (_FROM_NAMED_ZH if chinese else _FROM_NAMED).search(text)
    return (named.start(), named.end(), None, named["name"]) if named else None


def _thing(text: str, start: int, end: int) -> tuple[Thing, int] | None:
    """Return whose term stands at a place of an English sentence, and where its subject begins."""
    after = re.match(r"\s(?P<name>(?:[a-z-]+\s){0,2}?[a-z-]+)(?=[\s,.]|$)", text[end:])
    if after and (thing := thing_of(after["name"])) and thing.kind:
        return thing, 0
    before = re.sub(r"\ban?\s$", "", text[:start])  # "a 75-day period"
    if _LETS.search(_OF_A_TIME.sub("", before)):
        return Thing(AGREEMENT, ""), 0
    before = _OF_A_TIME.sub("", before)
    if of := re.search(r".*\b(?:an?|the|with|for)\s(?P<name>[\w'’ -]{3,40}?)\sof\s$", before, re.IGNORECASE):
        thing = thing_of(of["name"])
        return (thing, 0) if thing else None
    verb = _VERB.search(before) or _started(before)
    if verb is None:
        return None
    place = verb.start()
    for part in reversed(_PARTS.split(before[:place])):
        place = before.rindex(part, 0, place) if part else place
        if not _BESIDE.match(part):
            predicate = _PREDICATE.search(part)
            name = part[: predicate.start()] if predicate else part
            return thing_of(name.strip(" \"“”'")) or Thing(AGREEMENT, ""), place
    return None


def _started(before: str) -> re.Match[str] | None:
    """Return the start that a term follows: "commenced on 1 September 2020 for"."""
    lead = re.sub(r",?\sfor\s$", "", before)
    dated = [start for start, end, _ in days_in(lead) if end == len(lead)]
    return _FROM_DATE.search(lead[: dated[0]]) if dated and lead != before else None


def _joins(
    text: str, begun: tuple[int, int, date | None, str], term: tuple[int, int], subject: int, thing: Thing
) -> bool:
    """True where a start is of the same subject as a term: behind it, before it, or at the sentence's head."""
    if begun[0] >= term[1]:
        between = text[term[1] : begun[0]]
        return bool(_JOINS.match(between) or (thing.words and thing.words in between and len(between) < 30))
    return begun[0] >= subject or not text[: begun[0]].strip()


def _thing_zh(text: str, start: int, end: int) -> tuple[Thing, int] | None:
    """Return whose term stands at a place of a Chinese sentence, and where its subject begins."""
    after = _ZH_AFTER.match(text[end:])
    if after and (thing := thing_of(re.split("[自从從由]", after["name"])[0])) and thing.kind:
        return thing, start
    before = _ZH_LEADS.sub("", _ZH_START.sub("，", text[:start]))
    near = re.split("[，,。；;]", before.rstrip("，, "))[-1].strip()
    if near and (thing := thing_of(near)):
        return thing, max(0, text.rfind(near, 0, start))
    subject = _ZH_SUBJECT.match(text)
    thing = thing_of(subject["name"]) if subject else None
    return (thing or Thing(AGREEMENT, ""), 0) if thing or not subject or near else None


def _joins_zh(
    text: str, begun: tuple[int, int, date | None, str], term: tuple[int, int], subject: int, thing: Thing
) -> bool:
    if begun[0] >= term[1]:
        between = text[term[1] : begun[0]]
        return bool(_ZH_JOINS.match(between) or re.fullmatch(r"的?[\u3400-\u9fff]{2,8}[，,（(]?", between))
    return begun[0] >= subject or thing.kind in WHOLE
