"""Whose end a question asks for: "When does the lease expire?", "the last day of the warranty", 租约什么时候到期？

What has an end is a contract as a whole (a lease, an agreement, a loan) or a period in one (rent-free, probation,
warranty), which are called by several names, in Chinese and in English. What is called otherwise is known by its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engine.answer.terms import content_terms
from engine.index.tokenize import tokens
from engine.structure.sentences import is_cjk

AGREEMENT = "agreement"
# What a contract is as a whole.
WHOLE = frozenset({AGREEMENT, "lease", "loan", "subscription", "licence", "insurance"})
_CALLED = {
    "rent-free": r"\brent[- ]free|免租",
    "probation": r"\b(?:probation(?:ary)?|trial)|[试試]用|[见見][习習]",
    "warranty": r"\b(?:warrant(?:y|ies)|guarantee)|保修|保固|[质質]保|[质質]量保[证證]",
    "defects": r"\bdefects?[ -](?:liability|notification|correction)|缺陷[责責]任",
    "lock-up": r"\block-?(?:up|in)|[锁鎖]定|限售|禁售",
    "non-compete": r"\bnon-?compet\w+|[竞競][业業](?:限制|禁止)",
    "confidentiality": r"\b(?:confidentiality|non-disclosure)|保密(?:[义義][务務])?",
    "insurance": r"\binsurance|保[险險]",
    "loan": r"\bloan|[借贷貸]款",
    "subscription": r"\bsubscription|[订訂][阅閱]",
    "licence": r"\blicen[cs]e|[许許]可|授[权權]",
    "lease": r"\b(?:lease|tenancy|rental)|租[赁賃]|租[约約]|承租|租(?!金|[户戶]|用|客)",
    AGREEMENT: r"\b(?:agreement|contract)|合[同约約]|[协協][议議]",
}
# Words for the time itself, which say nothing of what has it.
_GENERIC = re.compile(
    r"(?:^|\s)(?:initial|fixed|original|current|terms?|periods?|phases?|times?|durations?|validity)$"
    r"|(?:有效|存[续續]|[约約]定|合作)?期(?:[间間限])?$|[时時][间間]$|的$|(?:持[续續]|共[计計]?|[为為])$",
    re.IGNORECASE,
)
_TERM = re.compile(r"\b(?:term|duration|validity)\b|期限|有效期|租期|存[续續]期", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:initial|original)\b|初始|最初|首[个個]?(?:租|合同|服[务務])?期", re.IGNORECASE)
_DETERMINER = re.compile(
    r"^(?:(?:the|an?|this|that|our|my|your|their|its|each|any)\s+|[本该該此我你您])+们?的?", re.I
)
_ASIDE = re.compile(
    r"\s+(?:of|on|with|for|under|in|between|from|to|at|by|that|which|granted|set|signed)\b", re.I
)

_THING = r"(?P<thing>[^,;:?!]{3,80}?)"
_WHEN = r"^\W*(?:and\s+|so\s+)?(?:(?:un)?till?\s+)?(?:when|(?:on\s+)?(?:what|which)\s+(?:date|day))(?:\s+exactly)?"
_END = r"(?:date|day)"
_ENDS = r"(?:end|expire|run\s+out|terminate|lapse|finish|come\s+to\s+an\s+end|run|last|continue|be\s+over)"
_OVER = r"(?:over|up|out|(?:due|going|set)\s+to\s+(?:end|expire)|valid|in\s+force)"
_TAIL = r"(?:\s+(?:by\s+itself|automatically|exactly|until|till|to))?\W*$"
_ZH_THING = r"^\W*(?:[请請][问問][，,]?)?(?P<thing>[^，。？?！,;；]{2,30}?)"
_ZH_WHEN = (
    r"(?:(?:[什甚][么麼][时時][候间間])|何[时時日]|哪一?[天日]|[几幾][号號]|哪年哪月(?:哪[天日])?|多会[儿兒])"
)
_ZH_END = r"(?:到期|[届屆][满滿]|期?[满滿]|[结結]束|截止|[终終]止|[失过過][效期]|[为為]止)"
_ZH_TAIL = r"[的了吗呢啊呀]*\W*$"
_ASKED = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_WHEN}\s+(?:does|do|will|would)\s+{_THING}\s+{_ENDS}{_TAIL}",
        rf"{_WHEN}\s+(?:is|are|will)\s+{_THING}\s+(?:be\s+)?{_OVER}{_TAIL}",
        rf"^\W*(?:when(?:\s+is|['’]s)|what(?:\s+is|['’]s)|on\s+(?:what|which)\s+{_END}\s+is)\s+(?:the\s+)?(?:last|final)\s+day"
        rf"\s+(?:of|in|under)\s+{_THING}\W*$",
        rf"^\W*(?:when(?:\s+is|['’]s)|what(?:\s+is|['’]s))\s+(?:the\s+)?(?:end|expiry|expiration|termination)(?:\s+{_END})?"
        rf"\s+(?:of|for)\s+{_THING}\W*$",
        rf"^\W*(?:when(?:\s+is|['’]s)|what(?:\s+is|['’]s))\s+{_THING}(?:['’]s?)?\s+(?:end|expiry|expiration|last)"
        rf"(?:\s+{_END})?\W*$",
        rf"{_ZH_THING}(?:[会會将將]?(?:在|于|於|到|至)?){_ZH_WHEN}(?:才|[会會将將]|就)*{_ZH_END}{_ZH_TAIL}",
        rf"{_ZH_THING}(?:持[续續]|[延执執]行?|有效|截止?)?(?:[会會])?(?:到|至){_ZH_WHEN}(?:才|[会會])*{_ZH_END}?{_ZH_TAIL}",
        rf"{_ZH_THING}的?(?:最[后後]一[天日]|到期[日时時]|[届屆][满滿]日|截止日|[终終]止日|[结結]束日)期?[间間]?(?:是|[为為])?"
        rf"(?:{_ZH_WHEN})?{_ZH_TAIL}",
    )
)
# What asks for something at, before or after an end, or for the end of an act.
_ASKS_ELSE = re.compile(
    r"\b(?:after|before|if|when|once|who|how|must|should|can|may|notice|get|gets|pay|give|return\w*)\b"
    r"|[后後前内內]|通知|解除|退|付|交|如果|多久|多少|申[请請]",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Thing:
    """What has an end: its ``kind``, "" where it is known by its ``words`` alone.

    ``words`` are its name as written, ``rest`` what is said of it beside the name of its kind ("with Tuolang");
    ``first`` where the term before any renewal is asked for.
    """

    kind: str
    words: str
    rest: str = ""
    first: bool = False

    def named_in(self, text: str) -> bool:
        """True where a text speaks of the thing; of a contract, also where it tells of a term and not whose."""
        if not self.kind:
            return content_terms(self.words).keys() <= set(tokens(text))
        kind = first_kind(text)
        if self.kind not in WHOLE or kind == self.kind:
            return kind == self.kind
        return (
            kind == AGREEMENT
            or (self.kind == AGREEMENT and kind == "lease")
            or (not kind and says_term(text))
        )


def whose_end(question: str) -> Thing | None:
    """Return what a question asks the end of; None for any other question."""
    for form in _ASKED:
        if match := form.match(question):
            thing = match["thing"].strip()
            if _ASKS_ELSE.search(thing):
                return None
            return replace(thing_of(thing) or Thing(AGREEMENT, ""), first=bool(_FIRST.search(thing)))
    return None


def thing_of(phrase: str) -> Thing | None:
    """Return what a phrase names; None where it names nothing but a time ("the term", 有效期)."""
    phrase = _DETERMINER.sub("", phrase.strip())
    head, rest = (phrase, "") if is_cjk(phrase) else _cut(phrase)
    bare = without_time(head)
    if not bare:
        inner = _ASIDE.sub("", rest, count=1)
        return thing_of(inner) if inner else None
    if not (kind := _kind(bare)):
        return Thing("", bare, rest)
    beside = re.sub(f"{_CALLED[kind]}|{_CALLED[AGREEMENT]}", " ", bare, flags=re.IGNORECASE)
    return Thing(kind, bare, f"{beside} {rest}".strip())


def calls(text: str, kind: str) -> bool:
    """True when a text has a name of a kind anywhere."""
    return bool(re.search(_CALLED[kind], text, re.IGNORECASE))


def says_term(text: str) -> bool:
    """True where a text has a word for the time of a contract."""
    return bool(_TERM.search(text))


def first_kind(text: str) -> str:
    """Return the kind that a text speaks of, a period before the contract that it is in; "" where it names none."""
    return next((kind for kind in _CALLED if calls(text, kind)), "")


def without_kinds(text: str) -> str:
    """Return a text without the names of kinds."""
    return re.sub("|".join(_CALLED.values()), " ", text, flags=re.IGNORECASE)


def without_time(phrase: str) -> str:
    """Return a phrase without the words at its end that mean no more than a time."""
    shorter = _GENERIC.sub("", phrase).strip()
    return shorter if shorter == phrase else without_time(shorter)


def _cut(phrase: str) -> tuple[str, str]:
    aside = _ASIDE.search(phrase)
    return (phrase[: aside.start()], phrase[aside.start() :]) if aside else (phrase, "")


def _kind(name: str) -> str:
    """Return the kind that a name ends in; of a "lease agreement" that is what kind of agreement it is."""
    ending = next((kind for kind, called in _CALLED.items() if re.search(rf"(?:{called})$", name, re.I)), "")
    if ending != AGREEMENT:
        return ending
    return next(
        (kind for kind in _CALLED if kind in WHOLE and kind != AGREEMENT and calls(name, kind)), ending
    )
