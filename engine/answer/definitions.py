"""What a question wants defined ("What is a rake?", 什么是大语言模型), and which sentences define it.

Only surface cues are used, in Chinese and English: the term, then what it is, is called or means. Who bears a role
("Who is the Tenant?") is told by the role in brackets behind a name, or before a colon.
"""

from __future__ import annotations

import re

_ASKED = [
    re.compile(
        r"^\W*(?:what(?:\s+is|\s+are|'s|’s)|define|explain(?:\s+what)?|(?:what\s+is\s+)?(?:the\s+)?(?:definition|meaning)\s+of)"
        r"\s+(?:meant\s+by\s+)?(?:an?\s+|the\s+)?(?P<term>[\w-]+(?:\s[\w-]+){0,3}?)(?:\s+(?:is|are))?\W*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^\W*what\s+(?:does|do)\s+(?:an?\s+|the\s+)?(?P<term>[\w-]+(?:\s[\w-]+){0,3}?)\s+mean\W*$",
        re.IGNORECASE,
    ),
    re.compile(r"^\W*(?:什么是|什麼是|何谓|何謂|何为|解释一?下?)(?P<term>[^，。？?！]{1,16}?)[？?。]*$"),
    re.compile(
        r"^\W*(?P<term>[^，。？?！]{1,16}?)的?(?:定义|定義|含义|含義|概念)(?:是(?:什么|什麼))?[？?。]*$"
    ),
    re.compile(r"^\W*(?P<term>[^，。？?！]{1,16}?)(?:是|指的?是?)(?:什么|什麼|啥)(?:意思|概念)?[？?。]*$"),
]
_WHO_IS = (
    re.compile(
        r"^\W*who(?:\s+is|\s+are|'s|’s)\s+the\s+(?P<term>[\w-]+(?:\s[\w-]+){0,3}?)\W*$", re.IGNORECASE
    ),
    re.compile(r"^\W*(?P<term>[^，。？?！的]{1,12}?)是(?:谁|誰|哪[位家个]?(?:公司|人)?)[？?。]*$"),
)
_STANDS_FOR = (
    r"\S\s?[（(](?:the\s+|hereinafter\s+(?:the\s+)?|(?:以下)?简?称[：:]?\s*|下称\s*)?[\"'“”‘’]?{0}[\"'“”‘’]?[)）]"
    r"|(?:^|[\n；;])\W*(?:the\s+)?{0}\s?(?:[（(][^）)]{{0,20}}[）)])?\s?[:：]\s*\S"
)
_MEANT = re.compile(
    r"\b(?:mean(?:ing)?(?:\s+of\b)?|stands?\s+for|short\s+for|abbreviat\w*)\b|什[么麼]意思|[全简簡][称稱]|[缩縮][写寫]|[含涵][义義]",
    re.IGNORECASE,
)
_BRACKETS = r"(?:\s?[（(][^）)]{0,60}[）)])?"


def asked_term(question: str) -> str:
    """Return the term that a question wants defined, "" for any other question."""
    for form in _ASKED:
        if match := form.match(question):
            return match["term"].strip("\"'“”‘’「」《》 ")
    return ""


def asks_meaning(question: str) -> bool:
    """Tell whether a question asks what words or letters mean: what says it writes them out or defines them."""
    return bool(_MEANT.search(question))


def asked_bearer(question: str) -> str:
    """Return the role whose bearer a question wants named ("Who is the Tenant?", 承租人是谁？), "" for any other."""
    return next((match["term"].strip() for form in _WHO_IS if (match := form.match(question))), "")


def names_bearer(sentence: str, role: str) -> bool:
    """Tell whether a sentence names who bears a role: "Acme Ltd (the Tenant)", 承租人（乙方）：高志远."""
    name = re.escape(role).replace("\\ ", r"\s+")
    return bool(re.search(_STANDS_FOR.format(name), sentence, re.IGNORECASE))


def defines(sentence: str, term: str) -> bool:
    """Tell whether a sentence says what a term is; in English in any number, in Chinese behind up to two asides."""
    if term.isupper() and re.search(rf"\w\s?[（(]{re.escape(term)}[)）]", sentence):  # written out before it
        return True
    name = re.escape(term).replace("\\ ", r"\s+")
    if re.search(r"[\u3400-\u9fff]", term):
        return bool(
            re.search(
                rf"{name}[”」》]?{_BRACKETS}(?:，[^，。]{{1,20}}){{0,2}}，?(?:是指|是一|指的?是|系指|指[^向示定出导]|即|定义为|就是)"
                rf"|(?:称为|称之为|称作|叫做|被称为|简称){name}",
                sentence,
            )
        )
    return bool(
        re.search(
            rf"^\W*(?:an?\s+|the\s+)?{name}(?:e?s)?{_BRACKETS}(?:,[^,.]{{1,60}},)?\s+(?:is|are|was|were|refers?\s+to|means?|"
            rf"denotes?|describes?|consists?\s+of|(?:is|are|can\s+be)\s+defined)\b"
            rf"|\b(?:called|known\s+as|termed|defined\s+as)\s+(?:an?\s+|the\s+)?{name}(?:e?s)?\b",
            sentence,
            re.IGNORECASE,
        )
    )
