"""Why a statement is marked, in one plain sentence of the question's language."""

from __future__ import annotations

from engine.answer.check.judging import Verdict
from engine.answer.check.marks import shortened

_ENGLISH = {
    "another": "“{what}” belongs to something else there; the cited place has “{rival}”.",
    "other": "The cited place says “{rival}”, not “{what}”.",
    "nowhere": "“{what}” does not stand in the documents cited, and does not follow from them.",
    "quote": "The quotation “{what}” does not stand in the documents cited.",
    "name": "“{what}” does not stand in the documents cited.",
    "denied": "The cited place says the opposite.",
    "word": "The cited place says “{rival}”, not “{what}”.",
    "unsaid": "No place in the documents was found that says this.",
    "computed": "Computed from what is cited.",
    "elsewhere": "It stands in another place than the one cited.",
}
_CHINESE = {
    "another": "“{what}”在所引之处说的是别的；所引之处为“{rival}”。",
    "other": "所引之处说的是“{rival}”，不是“{what}”。",
    "nowhere": "所引文档中没有“{what}”，也无法由其得出。",
    "quote": "引文“{what}”并未出现在所引文档中。",
    "name": "“{what}”并未出现在所引文档中。",
    "denied": "所引之处的说法与此相反。",
    "word": "所引之处说的是“{rival}”，不是“{what}”。",
    "unsaid": "没有在文档中找到这样说的地方。",
    "computed": "由所引内容计算得出。",
    "elsewhere": "依据在另一处，不在所引之处。",
}


def reason_of(verdict: Verdict, language: str) -> str:
    """Return why a statement is not simply supported; "" where it is."""
    if verdict.state == "supported":
        return ""
    kind = "computed" if verdict.state == "computed" else verdict.problem
    sentences = _CHINESE if language == "zh" else _ENGLISH
    return sentences[kind].format(what=shortened(verdict.what), rival=shortened(verdict.rival, 120))
