"""A mail that is meant by what it says: "Who sent the mail about the trucks?", 关于空调的邮件抄送给了谁？

Who wrote to whom, and when, stands at a mail's head, what it is about in its text or subject. A question counts where
it asks nothing but that. The head is quoted, as is that of any document: title, author, date.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePath

from engine.answer.check.marks import harmless
from engine.answer.check.sources import Sources
from engine.answer.events import OnEvent, Token
from engine.answer.evidence import TreeEvidence
from engine.answer.extractive import quotable
from engine.answer.phrases import Phrases
from engine.answer.understand.terms import content_terms, pieces_covered, pieces_of, terms_with_forms
from engine.answer.understand.translated import translated_pieces
from engine.model import Answer, Document, Evidence, TraceStep, Tree
from engine.structure.sentences import is_cjk

MAILS = (".eml", ".msg")
# Of the mails that say all of it, so many are told.
MOST_TOLD = 3
_FRAME_EN = (
    r"\b(?:sent|send|sends|wrote|write|written|received|receives?|got|gets?|forwarded|copied|copy|cc'?d?|bcc|addressed|sender|"
    r"recipients?|author|date|dated|day|time|subject|headline|exactly|also|else|people|person|on|in|to|from|of)\b"
)
_ASKS_EN = re.compile(
    r"\b(?:who|whom|when)\b|\b(?:what|which)\b.*\b(?:date|day|time|subject|headline|sender|recipients?)\b",
    re.IGNORECASE,
)
_MAIL_EN = re.compile(
    r"(?:\b(?:the|an?|that|this|any|his|her|their|our)\s+)?\b(?:(?:e[- ]?)?mails?|messages?)\s+"
    r"(?:about|on|regarding|concerning|re|(?:that|which)\s+(?:mentions?|says?|speaks?\s+of|is\s+about)|mentioning|saying|"
    r"with\s+(?:the\s+)?subject)\s+(?P<term>.+)$",
    re.IGNORECASE,
)
_TRAILING_EN = re.compile(rf"(?:\s+(?:{_FRAME_EN[2:-2]}|and|by|was|were|is))+\W*$|\W+$", re.IGNORECASE)
_MAIL_ZH = re.compile(
    r"^(?:(?P<before>.*?)(?:关于|有关|提到|提及|说到))?(?P<term>[^，。？?]+?)的?(?:那|这|该)?[封份条]?(?:电子)?(?:邮件|电邮)(?P<after>.*)$"
)
_ASKS_ZH = re.compile(r"谁|哪[些位个]|什么人|什么时候|何时|哪[天日年]|主题|标题|日期|时间")
_FRAME_ZH = re.compile(
    r"发件人?|收件人?|抄送|密送|发送|发出|寄出|收到|什么时候|什么时间|何时|哪[些位个天日年]|什么|主题|标题|日期|时间|关于|有关|请问"
    r"|[是谁由被发送给寄写收到的了在来去都还人呢啊\W]"
)


def mail_asked_by_subject(question: str) -> str:
    """Return what the mail is about whose head a question asks for; "" for any other question."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    term = _in_chinese(text) if is_cjk(text) else _in_english(text)
    return term if content_terms(term) else ""


def _in_english(text: str) -> str:
    match = _MAIL_EN.search(text)
    if match is None or not _ASKS_EN.search(text[: match.start()]):
        return ""
    frame = re.sub(_FRAME_EN, " ", text[: match.start()], flags=re.IGNORECASE)
    term = _TRAILING_EN.sub("", match["term"])
    return "" if content_terms(frame) or _ASKS_EN.search(term) else term


def _in_chinese(text: str) -> str:
    match = _MAIL_ZH.match(text)
    frame = (match["before"] or "") + match["after"] if match else ""
    if match is None or not _ASKS_ZH.search(frame) or _FRAME_ZH.sub("", frame):
        return ""
    return "" if _ASKS_ZH.search(match["term"]) else match["term"]


def mails_among(documents: Sequence[Document]) -> list[Document]:
    """Return the documents that are mails."""
    return [one for one in documents if PurePath(one.name).suffix.lower() in MAILS]


def mails_saying(term: str, trees: Sequence[Tree]) -> list[Tree]:
    """Return the first mails, of ``trees`` in their order, that hold every word of a term, in either language."""
    return [tree for tree in trees if _holds(term, _terms(tree))][:MOST_TOLD]


def _terms(tree: Tree) -> frozenset[str]:
    return terms_with_forms("\n".join([tree.name, *(f"{node.title}\n{node.text}" for node in tree.nodes)]))


def _holds(term: str, present: frozenset[str]) -> bool:
    return any(
        pieces and pieces_covered(pieces, present) >= 1.0
        for pieces in (pieces_of(term), translated_pieces(term))
    )


# The head of a document is so many short texts.
MOST_HEAD, LONGEST_HEAD = 5, 400
_PROSE = ("paragraph", "list", "caption")
# Below these lines of a mail its text begins.
_FIELDS = re.compile(r"(?:From|To|Date): ")


def head_of(tree: Tree) -> list[Evidence]:
    """Return the nodes at the head of a document as evidence; none where it begins with something else."""
    make = TreeEvidence(tree)
    head: list[Evidence] = []
    for node in tree.nodes[1:]:
        # A mail's subject is its first section's title; a second section begins the text.
        if node.role == "section" and head:
            break
        if node.title or (node.text and node.role in _PROSE and len(node.text) <= LONGEST_HEAD):
            head.append(make.of(node))
        if len(head) == MOST_HEAD or _FIELDS.match(node.text):
            break
    return head


def quote_heads(trees: Sequence[Tree], phrases: Phrases, tell: OnEvent) -> Answer | None:
    """Return an answer that quotes the heads of documents, each under its name; None where none has one."""
    heads = [(tree.name, head) for tree in trees if (head := head_of(tree))]
    if not heads:
        return None
    sources = Sources([item for _, head in heads for item in head])
    parts: list[str] = []
    steps: list[TraceStep] = []
    index = 0
    for name, head in heads:
        lines = [phrases.at_the_head.format(name=harmless(name)), ""]
        for item in head:
            n = sources.add(index, 0, len(item.text)) if item.text else sources.add_title(index)
            lines.append(f"- {quotable(item.text or item.title)} [{n}]")
            index += 1
        parts.append("\n".join(lines))
        steps.append(
            TraceStep(
                len(steps),
                "action",
                phrases.step_head.format(name=name),
                "get_node_content",
                {"document": name},
            )
        )
    text = "\n\n".join(parts)
    tell(Token(text))
    for step in steps:
        tell(step)
    return Answer(
        text, "direct", "medium", True, sources.citations, reasoning_steps=len(steps), reasoning_trace=steps
    )
