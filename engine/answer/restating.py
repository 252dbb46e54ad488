"""An English follow-up made a whole question: the one before it, with the new thing in the place of the old.

What a follow-up names is of a kind (a time, a numbered place, a name, a thing) and takes the place of what the
question before names of that kind: of a year the year, of a company the company, of "the costs" the revenue that was
asked for. What has no place of its own is added ("… in Berlin?"). A part of which that cannot be told restates nothing.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["time", "label", "name", "thing"]

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
TIME = re.compile(
    rf"(?:(?:\d{{1,2}} )?{_MONTH} )?\b(?:19|20)\d{{2}}\b(?:[-/]\d{{2}}\b)*|\b(?:{_MONTH}|Q[1-4]|H[12])\b"
    r"|\bthe (?:first|second|third|fourth|last) (?:quarter|half|month|week)\b"
)
YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_BEFORE = re.compile(r"(?:in |for )?the (?:year before(?: that)?|(?:previous|preceding|prior) year)", re.I)
_AFTER = re.compile(r"(?:in |for )?the (?:year after(?: that)?|(?:next|following|subsequent) year)", re.I)
# Told by the day on which it is said, not by the question before.
_TODAY = re.compile(
    r"\b(?:last|this|next|current) (?:year|month|week|quarter)\b|\b(?:today|yesterday|tomorrow|now)\b", re.I
)
LABEL = re.compile(
    r"\b(?P<unit>chapter|section|article|clause|paragraph|part|appendix|annex|table|figure|fig\.|page|version|slide|sheet|"
    r"step|item|exhibit|rule|equation)\s+(?P<number>\d+(?:\.\d+)*[a-z]?|[IVX]+|[A-Z])\b",
    re.I,
)
_LEAD = re.compile(
    r"^\s*(?P<lead>(?:(?:and|but|so|or|then|also|ok(?:ay)?|now)\b[\s,]*)*"
    r"(?:(?:what|how)\s+(?:about|of)\b|(?:the )?same for\b)?)\s*",
    re.I,
)
_TAIL = re.compile(r"[\s,]*(?:\b(?:then|instead|too|as well|please)\b)?[\s?.!]*$", re.I)
_PREPOSITION = (
    r"in|for|at|of|with|without|by|on|from|during|about|under|regarding|concerning|to|per|since|until"
)
# A name or thing with one of these, or none, is what the question is about; with others it stands beside that.
_ABOUT = ("", "about", "of", "for", "regarding", "concerning")
_CLAUSE = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|must|may"
    r"|might|has|have|had|it|its|they|them|their|he|him|his|she|her|this|that|these|those|there|not|no|if|than|one)\b",
    re.I,
)
_DETERMINER = re.compile(r"^(?:the|a|an|our|their|its|any|all)\s+", re.I)
_MOST_WORDS = 8
_WORD = r"[a-z][\w'’-]*"
_END = (
    rf"(?=\s+(?:{_PREPOSITION}|did|does|do|is|are|was|were|has|have|had|can|will|would|should|must|may|and|or|than|as"
    r"|say|says|said|that|which)\b|\s*[,?.!]|\s*$|\s+[A-Z0-9\"“])"
)
_THING = (
    r"(?P<det>(?:(?:the|a|an|our|their|its|any|your|my)\s+)?(?:[A-Z][\w.-]*['’]s\s+)?)"
    rf"(?P<thing>{_WORD}(?:\s+{_WORD}){{0,4}}?){_END}"
)
# Where a question names what it asks for.
_ASKED_FOR = (
    re.compile(
        r"^\W*(?i:what|when|where|who|which|how (?:much|high|large|long|big|low|old|tall|wide|deep|expensive|far))\s+"
        rf"(?:is|are|was|were)\s+{_THING}"
    ),
    re.compile(
        rf"^\W*(?i:how many|how much|which|what)\s+(?!is\b|are\b|was\b|were\b|do|did|can|has|have){_THING}"
    ),
    re.compile(rf"\b(?:about|regarding|concerning|on)\s+{_THING}"),
    re.compile(rf"^\W*(?i:please\s+)?(?i:tell|give|show|list|name|find)\s+(?:me\s+)?{_THING}"),
    # What stands between "do the" and the verb, where the question ends with that.
    re.compile(
        r"\b(?:do|does|did)\s+(?P<det>(?:the|our|an?)\s+)(?P<thing>[a-z][\w'’-]*(?:\s+[a-z][\w'’-]*){0,3})(?=\s+[a-z]+\W*$)"
    ),
    re.compile(r"\b(?:do|does|did)\s+(?P<det>the\s+|our\s+|a\s+)(?P<thing>[a-z][\w'’-]*)(?=\s+\w)"),
    re.compile(rf"\b(?=the\b|our\b|my\b){_THING}"),
)
# "When was the bridge opened?" asks for the bridge.
_PARTICIPLE = re.compile(r"(?<=\w)\s+\w+(?:ed|en|wn|ilt|old|ept|ade|aid|ought|aught|ound|born)$")
_CAPITAL = r"\b[A-Z](?:(?:[\w.&-]|['’](?!s\b))*\w)?"
_NAME = re.compile(
    r"[\"“](?P<quoted>[^\"”]{2,60})[\"”]"
    rf"|(?P<name>(?:{_CAPITAL}|\w*\d[\w-]*)(?:\s+(?:(?:of|de|van|von|the)\s+)?(?:{_CAPITAL}|\d+))*)"
)
_SUBJECT_BEFORE = re.compile(
    r"\b(?:of|for|about|did|does|do|has|have|had|is|are|was|were|by)\s+(?:the\s+)?$", re.I
)
_POINTING = re.compile(r"\b(?:(?P<own>its|their)|it|they|them)\b", re.I)
_DUMMY = re.compile(
    r"\bit(?:\s+is)?\s+(?:allowed|possible|necessary|required|permitted|forbidden|true|raining)\b", re.I
)
# Here what is pointed at is the answer, not a part of the question.
_OF_THE_UNKNOWN = re.compile(
    r"^\W*(?:who\b|(?:which|what)\s+(?!is\b|are\b|was\b|were\b|does\b|do\b|did\b))", re.I
)
# Of who does something to a thing, the thing is "it", and what it is done to "them".
_NOT_WHO = re.compile(r"\b(?:it|its|them)\b", re.I)
_WHO = re.compile(r"^\W*who\b", re.I)
_DONE_TO = re.compile(
    r"^\W*(?i:who)\s+(?:(?:is|are|was|were)\s+\w+\s+(?:for|of|to|with|by)|(?!(?:is|are|was|were|has|had|will|can|may|must)\b)\w+)"
    rf"\s+{_THING}"
)
# What belongs to the one name of a question: the shop in Ghent.
_DETERMINED = re.compile(
    r"\b(?:the|our)\s+(?:[a-z][\w'’-]*(?:\s+[a-z][\w'’-]*){0,2}\s+(?:in|at|from|on)\s+(?:the\s+)?)?$", re.I
)
_AUXILIARY = re.compile(
    r"^(?:did|do|does|is|are|was|were|has|have|had|can|will|would|shall|should|must|may)\s+", re.I
)
_ASKING = re.compile(
    rf"^\W*(?:(?:{_PREPOSITION})\s+)?(?:how\s+(?:many|much|long|old|often|far|tall|high|large|big|deep|fast|wide|heavy|come)"
    r"|who(?:m|se)?|what|when|where|why|which|how)\b\s*",
    re.I,
)
_WHICH = re.compile(
    r"^\W*(?:and |so |then )*(?:which|who)(?: one)?(?: of (?:them|the two|these|those))?"
    r"(?P<rest>\s+(?:is|are|was|were|has|have|had)\s+(?:the\s+)?(?P<how>[\w-]+(?: [\w-]+)?))\s*\?*\s*$",
    re.I,
)
_MORE = re.compile(
    r"higher|larger|bigger|greater|more|more expensive|dearer|longer|slower|older|heavier", re.I
)
_LESS = re.compile(r"lower|smaller|less|fewer|cheaper|less expensive|shorter|lighter", re.I)
_DURATION = re.compile(r"latency|time|duration|delay|period|runtime", re.I)


class Restated(NamedTuple):
    """A follow-up as a whole question; ``old`` and ``new`` are the subjects that changed places, "" where none did."""

    question: str
    old: str = ""
    new: str = ""


class _Part(NamedTuple):
    kind: Kind
    text: str
    preposition: str
    determined: bool


def is_fragment(question: str) -> bool:
    """True for a follow-up that is no sentence: "and in 2023?", "What about Acme?", "For children?", "How soon?"."""
    asked = _ASKING.match(question)
    return bool(_parts(question)) or (asked is not None and len(question[asked.end() :].split()) < 2)


def restated(question: str, before: str) -> Restated | None:
    """Return the question before with what the follow-up names in its place; None where that cannot be told."""
    relative = _other_year(question, before)
    if relative:
        return Restated(relative)
    whole, old, new = before.strip(), "", ""
    for part in _parts(question):
        placed = _placed(part, whole)
        if placed is None:
            return None
        whole = placed.question
        if placed.old and part.kind in ("name", "thing"):  # not where another thing is asked of the same
            old, new = placed.old, placed.new
    return Restated(whole, old, new) if whole != before.strip() else None


def with_referent(question: str, before: str, subject: str) -> str | None:
    """Return the question with what "it" or "they" stand for: ``subject``, else what the question before is about."""
    pointing = [match[0].casefold() for match in _POINTING.finditer(question)]
    if (
        not pointing
        or _POINTING.fullmatch(_body(question))
        or _DUMMY.search(question)
        or (_OF_THE_UNKNOWN.match(before) and not (_WHO.match(before) and _NOT_WHO.search(question)))
    ):
        return None
    referent = subject or _about(before)
    if not referent:
        return None
    possessive = referent + ("'" if referent.endswith("s") else "'s")
    named = _POINTING.sub(lambda match: possessive if match["own"] else referent, question, count=1)
    said = re.sub(r"^\s*(?:and|but|so|then|also)\b[\s,]*", "", named, flags=re.I)
    return said[:1].upper() + said[1:]


def compared(question: str, before: str, subjects: list[str]) -> str | None:
    """Return "which one is higher?" asked of the last two subjects, by what was asked of them."""
    match = _WHICH.match(question)
    if match is None or len(subjects) < 2:
        return None
    a, b = subjects[-2:]
    asked = _asked_for(before)
    measure = before[slice(*asked[1])] if asked else ""
    how = match["how"].casefold()
    if _LESS.fullmatch(how) or (how == "faster" and _DURATION.search(measure)):
        how = "lower"
    elif _MORE.fullmatch(how) or how == "faster":
        how = "higher"
    else:
        measure = ""
    return f"Which has the {how} {measure}, {a} or {b}?" if measure else f"Which{match['rest']}, {a} or {b}?"


def asked_otherwise(question: str, before: str) -> str | None:
    """Return something else asked of the same, "and why?": the question before without what it asks for, then this one.

    None where the follow-up has no question word of its own.
    """
    lead = _LEAD.match(question)
    assert lead is not None
    own = question[lead.end() :].strip()
    rest = _AUXILIARY.sub("", _ASKING.sub("", before.strip(), count=1)).rstrip(" ?.!")
    return f"{rest} {own}" if _ASKING.match(own) and not re.search(r"\babout\W*$", lead[0]) else None


def _body(question: str) -> str:
    """Return what a fragment says behind its lead; "" for a question that is more than a fragment."""
    lead = _LEAD.match(question)
    assert lead is not None
    body = _TAIL.sub("", question[lead.end() :]).strip()
    begun = lead["lead"].strip() or re.match(rf"(?:{_PREPOSITION})\b", body, re.I) or TIME.fullmatch(body)
    return body if begun and len(body.split()) <= _MOST_WORDS else ""


def _parts(question: str) -> list[_Part]:
    """Return what a fragment names, in order; nothing for a question that is more than a fragment."""
    body = _body(question)
    if _CLAUSE.search(body) or _TODAY.search(body):
        return []
    parts = []
    pieces = re.split(rf"(?:^|\s+)({_PREPOSITION})\s+", f" {body}", flags=re.I)
    for preposition, text in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        text = text.strip(" ,")
        if text:
            parts.append(_part(text, preposition.casefold()))
    return parts


def _part(text: str, preposition: str) -> _Part:
    bare = _DETERMINER.sub("", text)
    if TIME.fullmatch(text):
        kind: Kind = "time"
    elif LABEL.fullmatch(bare):
        kind = "label"
    elif re.search(r"[A-Z0-9\"“]", bare):
        kind = "name"
    else:
        kind = "thing"
    return _Part(kind, text if kind == "time" else bare, preposition, bare != text)


def _placed(part: _Part, before: str) -> Restated | None:
    if part.kind == "time":
        return _by_spans(part, before, [match.span() for match in TIME.finditer(before)], "in")
    if part.kind == "label":
        return _label_placed(part, before)
    if part.kind == "name":
        return _name_placed(part, before)
    return _thing_placed(part, before)


def _by_spans(part: _Part, before: str, spans: list[tuple[int, int]], preposition: str) -> Restated | None:
    if len(spans) > 1:
        return None
    return _put(part.text, before, spans[0]) if spans else _added(part, before, preposition)


def _label_placed(part: _Part, before: str) -> Restated | None:
    unit = part.text.split()[0].casefold()
    found = list(LABEL.finditer(before))
    alike = [match.span() for match in found if match["unit"].casefold() == unit] or [m.span() for m in found]
    return _by_spans(part, before, alike, "in")


def _name_placed(part: _Part, before: str) -> Restated | None:
    names = _names(before)
    if part.preposition not in _ABOUT:
        names = [
            n for n in names if re.search(rf"\b{part.preposition}\s+(?:the\s+)?$", before[: n.start()], re.I)
        ]
    elif len(names) > 1:
        names = [name for name in names if _SUBJECT_BEFORE.search(before[: name.start()])] or names
    if not names:
        return _added(part, before, "for")
    return _put(part.text, before, names[0].span())


def _names(before: str) -> list[re.Match[str]]:
    """Return the names in a question; times and numbered places are none."""
    taken = [match.span() for one in (TIME, LABEL) for match in one.finditer(before)]
    return [
        match
        for match in _NAME.finditer(before)
        if not any(match.start() < end and start < match.end() for start, end in taken)
        and not _opens(before, match)
    ]


def _opens(before: str, match: re.Match[str]) -> bool:
    """True for the capital that any question begins with."""
    return (
        not before[: match.start()].strip(" \"'“(")
        and " " not in match[0].strip()
        and match["quoted"] is None
    )


def _thing_placed(part: _Part, before: str) -> Restated | None:
    if part.preposition:
        beside = re.search(rf"\b{part.preposition}\s+{_THING}", before)
        if beside is None and part.preposition not in _ABOUT:
            return _added(part, before, part.preposition)
        if beside is not None:
            return _put(part.text, before, beside.span("thing"))
    of = re.search(rf"\b(?:of|about|for|on)\s+(?!the\b|an?\b|our\b){_THING}", before)
    if of is not None and not part.determined:
        return _put(part.text, before, of.span("thing"))
    asked = _asked_for(before)
    return None if asked is None else Restated(_put(part.text, before, asked[1]).question)


def _put(text: str, before: str, span: tuple[int, int]) -> Restated:
    start, end = span
    return Restated(before[:start] + text + before[end:], before[start:end], text)


def _added(part: _Part, before: str, preposition: str) -> Restated:
    said = re.sub(r"[\s?.!]+$", "", before)
    return Restated(f"{said} {part.preposition or preposition} {part.text}?")


def _about(before: str) -> str:
    """Return what a question is about: the one name in it, else the thing that it asks for."""
    names = _names(before)
    if len(names) == 1:
        determined = _DETERMINED.search(before[: names[0].start()])
        return (determined[0] if determined else "") + names[0][0]
    if names:
        return ""
    about = _ASKED_FOR[2].search(before) or (_DONE_TO.search(before) if _WHO.match(before) else None)
    asked = (about["det"], about.span("thing")) if about else _asked_for(before)
    return asked[0] + before[slice(*asked[1])] if asked else ""


def _asked_for(before: str) -> tuple[str, tuple[int, int]] | None:
    """Return the determiner and the place of the thing that a question asks for."""
    found = next((match for one in _ASKED_FOR if (match := one.search(before))), None)
    if found is None:
        return None
    start, end = found.span("thing")
    asks_what = found.re is not _ASKED_FOR[0] or re.match(r"\W*what\b", before, re.I)
    rest = None if asks_what else _PARTICIPLE.search(before[start:end])
    return found["det"], (start, start + rest.start() if rest else end)


def _other_year(question: str, before: str) -> str:
    """Return the question before asked of the year before or after its own; "" where that is not asked."""
    body = _body(question)
    step = -1 if _BEFORE.fullmatch(body) else 1 if _AFTER.fullmatch(body) else 0
    years = YEAR.findall(before)
    if not step or len(years) != 1:
        return ""
    return YEAR.sub(str(int(years[0]) + step), before).strip()
