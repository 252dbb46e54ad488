"""Words that deny, forbid, bound or say the contrary, in Chinese and English: the one list of them.

What turns a clause is found with its kind: ``not`` denies what follows it, ``bar`` the whole clause, and ``plain``
only looks like one of these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from engine.index.tokenize import tokens

TurnKind = Literal["plain", "bar", "not"]

NEGATIONS = frozenset(
    "not no never neither nor without cannot n't 不 没 未 非 无 無 沒 没有 沒有 并未 并不 并非 不得 不再 "
    "从未 尚未 不能 不会 不是 不应 不可 未能 并没有 从不 未曾 暂不 不予 无需 无须 不必 不用 不需 不准 不许".split()
)
# What stands on one side is contrary to what stands on the other.
_SIDES: tuple[tuple[str, str], ...] = (
    ("increase increased increases increasing rise rises rose risen rising grow grows grew grown growth climbed",
     "decrease decreased decreases decreasing fall falls fell fallen falling decline declined declines drop"
     " dropped shrank shrunk"),
    ("accept accepted accepts approve approved approves approval granted", "reject rejected rejects refused denied"),
    ("open opened opens", "closed close closes"),
    ("enabled enable", "disabled disable"),
    ("won win wins", "lost lose loses"),
    ("true", "false"),
    ("successful succeeded success", "failed fails failure"),
    ("profit", "loss"),
    ("includes include included", "excludes exclude excluded"),
    ("highest", "lowest"), ("largest", "smallest"), ("maximum", "minimum"),
    ("上升 增加 增长 上涨 提高 上调 攀升", "下降 减少 下跌 降低 下调 下滑"),
    ("盈利", "亏损"),
    ("同意 批准 通过 赞成", "反对 否决 驳回 拒绝"), ("支持", "反对 驳回"),
    ("开放 开启 打开", "关闭"), ("启用", "禁用 停用"), ("成功", "失败"), ("最高", "最低"), ("最大", "最小"),
)  # fmt: skip
# Contrary only where they stand at one place of two sentences: elsewhere they say too many other things.
_OPPOSED = """
up down|higher lower|more fewer|more less|most least|gain loss|above below|allow forbid|allowed forbidden
allowed prohibited|permitted prohibited|permitted forbidden|first last|must may|增 减|升 降|涨 跌|高于 低于|多于 少于
大于 小于|允许 禁止|应当 可以|有 无|上 下|高 低|多 少|大 小|赢 输|胜 负|可以 不得|可以 禁止|必须 可以|以上 以下
"""
_PAIRS = frozenset(
    frozenset(pair.split()) for line in _OPPOSED.strip().splitlines() for pair in line.split("|")
)
_WORD_SIDES = tuple((frozenset(left.split()), frozenset(right.split())) for left, right in _SIDES)


def opposite(a: str, b: str) -> bool:
    """True when two words, in lower case, say the contrary of each other."""
    if frozenset((a, b)) in _PAIRS:
        return True
    return any((a in left and b in right) or (b in left and a in right) for left, right in _WORD_SIDES)


@lru_cache(maxsize=1)
def _term_sides() -> dict[str, set[tuple[int, int]]]:
    found: dict[str, set[tuple[int, int]]] = {}
    for number, sides in enumerate(_WORD_SIDES):
        for side, words in enumerate(sides):
            for term in (term for word in words for term in tokens(word)):
                found.setdefault(term, set()).add((number, side))
    return found


def sides_of(term: str) -> set[tuple[int, int]]:
    """Return (pair of sides, side) wherever a term has a contrary."""
    return _term_sides().get(term, set())


# What a particle makes the contrary of itself, "switched the pump off", is said by one word, which has a contrary.
_SWITCHED = re.compile(
    r"\b(?:switch|turn|power)(?:ed|es|s|ing)?(?P<what>(?:\s(?:the|it|them|its|your|this|that|all|any|an?)\b(?:\s\w+){0,2}?)?)"
    r"\s(?P<how>on|off)\b",
    re.IGNORECASE,
)


def in_one_word(text: str) -> str:
    """Return a text with "enabled" and "disabled" for what is switched or turned on and off."""
    return _SWITCHED.sub(
        lambda match: ("enabled" if match["how"].lower() == "on" else "disabled") + match["what"], text
    )


_ALLOWED = r"(?:allowed|permitted|authori[sz]ed|entitled|eligible|acceptable)"
_NEEDED = r"(?:required|necessary|needed|mandatory|obligatory|compulsory|obliged)"
_N_T = r"(?:\bnot|n['’]t|\bnever|\bno longer|\bneither)"
_ADVERB = r"(?:\s(?:be|been|being|\w+ly|yet|at all))*"
_MORE = r"(?:later|more|longer|greater|higher)"
_LESS = r"(?:less|fewer|earlier|sooner|lower|shorter)"
_DENIED_ZH = r"(?:不|不得|不能|不应|不可|不会|不宜|未)"
# In this order at every place of a text.
_TURNS: tuple[tuple[TurnKind, str], ...] = (
    ("plain", r"\bnot only\b|\bno doubt\b|\bwithout exception\b|\bwhether or not\b|\bnos?\.\s?(?=\d)"
     r"|\bnot limited to\b|\bif not\b"
     rf"|{_N_T}{_ADVERB}\s(?:prohibited|forbidden|banned|barred|disallowed|illegal|unlawful)\b"
     r"|不仅|不但|不只|不光|不论|无论|不管|不断|不同|不久|不过(?!\d)|未来|未成年|非常|非洲|无一例外|不可抗力|不动产|无线|无人机"
     r"|不锈|差不多|[未不]满(?=[\d一二三四五六七八九十百两])|是否|能否|可否|(?:不|未|没有|并不|并未)(?:被)?(?:禁止|严禁)"),
    ("plain", rf"\bnot\b(?=[^.;,]{{1,60}}\buntil\b)|{_N_T}{_ADVERB}\s(?:limited|restricted|capped)\b"
     rf"|\b(?:no|not){_ADVERB} (?:{_MORE}|{_LESS}) than\b|{_N_T}{_ADVERB} exceed(?:ing)?\b"
     rf"|{_DENIED_ZH}(?:超过|高于|多于|大于|晚于|迟于|长于|逾|少于|低于|小于|早于|短于)|未必|不一定|避免|以免|免费|而不是"),
    ("bar", rf"{_N_T}{_ADVERB}\s(?:{_ALLOWED}|{_NEEDED})\b|\bno need\b"
     r"|\b(?:prohibit(?:s|ed|ing|ion)?|forb[ia]d(?:s|den|ding)?|ban(?:s|ned)?|disallow(?:s|ed)?|unlawful|illegal)\b"
     r"|(?:不|未|没有|未被|不被)(?:允许|准许)|不准|不许|(?:严格)?禁止|严禁|无权|除外|没有?必要"),
    ("not", r"\bcannot\b|\bnot\b|n['’]t\b|\bneither\b|\bnever\b|\bnone\b|\bnobody\b|\bnothing\b|\bnowhere\b|\bno\b"
     r"|\bwithout\b|\bunable\b|\bunless\b|\bnor\b|\bnon-(?=[a-z])"
     r"|除非|并?不是|不予|不再|并不|并未|并非|从未|从不|尚未|未能|未曾|没有|沒有|并没有|不会|不应当?|不宜|无法|不得|不能|不可以?"
     r"|无需|无须|不必|不用|不需要?|不须|毋须|毋需|免于|绝不|决不|[不未无無没沒勿毋免]"),
)  # fmt: skip
_TURN = re.compile("|".join(f"(?P<t{number}>{pattern})" for number, (_, pattern) in enumerate(_TURNS)), re.I)


@dataclass(frozen=True, slots=True)
class Turn:
    """What turns a clause, at ``text[start:end]``."""

    kind: TurnKind
    start: int
    end: int


def turns_of(text: str) -> list[Turn]:
    """Return what turns a text, in order."""
    return [
        Turn(_TURNS[int(match.lastgroup[1:])][0], match.start(), match.end())
        for match in _TURN.finditer(text)
        if match.lastgroup
    ]
