"""Several questions in one: "Who leads the work, and how many days a month?", 押金多少，什么时候退？

Each part is asked for itself where no passage answers all of it: what one paragraph tells is quoted from there, and
what the documents do not tell is said of that part alone.
"""

from __future__ import annotations

import re

from engine.structure.sentences import is_cjk

_MOST = 3
# A verb that stands before its subject asks; "and was", "and had" may go on with what was said before.
_VERB = (
    r"(?:do|does|did|can|could|may|must|should|will|would)\b"
    r"|(?:is|are|was|were|has|have|had) (?:there|it|he|she|they|we|you|the|any|this|that|these|those|my|our|its|his|her"
    r"|their)\b"
)
_WORD = r"(?:who(?:se|m)?|what|when|where|which|how|why)\b"
# Behind a comma alone "which" and "who" tell more of what stands before it.
_BORDER = re.compile(
    rf"\?\s+(?=\S)|[,;]?\s+and\s+(?={_WORD}|{_VERB})|[,;]\s+(?=(?:how|what|why)\b|{_VERB})", re.IGNORECASE
)
_BEGINS = re.compile(
    rf"\W*(?:(?:and|or|in|on|at|by|for|to|from|of|with|under)\s+)?(?:{_WORD}|{_VERB}|(?:is|are|was|were|has|have|had)\b)",
    re.IGNORECASE,
)
# What follows these words hangs on them: "do you know who", "say which".
_HANGS = re.compile(
    r"\b(?:know|tell|say|says|explain|show|see|depends?|on|about|of|if|whether|or)\s*$", re.IGNORECASE
)
_BORDER_CHINESE = re.compile(r"[，,；;？?]\s*(?=\S)")
_ASKS_CHINESE = re.compile(
    r"多少|[谁誰哪吗嗎]|(?<![任几幾])何|(?<![来來隔近前后後这這那朝去十数])(?:[几幾][天年月日次位小分家](?!来|來)|[几幾]\w{0,3}$)|第[几幾]|什[么麼]|怎[么麼样樣]|[为為]啥|是否|[是有能会會可]不[是能会會可]|多[长長久大高远遠]|[呢]$"
)
# 是多少 asks for nothing of its own.
_BARE_CHINESE = re.compile(
    r"(?:分别|各|又|具体|大[约概])?(?:是|为|有)?(?:多少|什么|哪些|谁|几个?|如何|怎么样)[？?。\s]*$"
)


def questions_in(text: str) -> list[str]:
    """Return the two or three questions that a text holds, each as it stands there; none where it holds one."""
    chinese = is_cjk(text)
    border, begins = (_BORDER_CHINESE, _ASKS_CHINESE) if chinese else (_BORDER, _BEGINS)
    parts: list[str] = []
    start = 0
    for match in border.finditer(text):
        if not chinese and _HANGS.search(text[: match.start()]):
            continue
        parts.append(text[start : match.start()])
        start = match.end()
    parts = [part.strip(" ?？，,;；") for part in (*parts, text[start:])]
    parts = [part for part in parts if part]
    if not 1 < len(parts) <= _MOST:
        return []
    if chinese:
        whole = all(begins.search(part) for part in parts) and not any(map(_BARE_CHINESE.match, parts))
    else:
        whole = all(map(begins.match, parts)) and all(len(part.split()) > 2 for part in parts)
    return [f"{part}{'？' if chinese else '?'}" for part in parts] if whole else []
