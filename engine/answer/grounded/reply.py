"""A model's reply as plain, harmless text: no wrappings, no reasoning, no steps, no images, links or HTML."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from engine.answer.agent.protocol import begins_a_step, without_protocol
from engine.structure.sentences import split_sentences

# What a model is asked to reply when the evidence holds no answer.
NOT_FOUND = "NOT_IN_DOCUMENTS"
_NOT_FOUND = re.compile(r"NOT[_\s-]?IN[_\s-]?(?:THE[_\s-])?DOCUMENTS?", re.I)

_SHORT = 200
# How models say it when they forget the marker.
_IN_OTHER_WORDS = re.compile(
    r"\b(?:evidence|documents?|context|passages?|text|sources?)\b[^.\n]{0,40}\b(?:does|do|did)(?: not|n['’]t)"
    r" (?:contain|mention|provide|include|specify|state|say|answer)"
    r"|\b(?:could|can|was|am|were|are)(?: ?not|n['’]t)(?: be)?(?: able to)? (?:find|found|answer|answered|determine)"
    r"|\bno (?:information|answer|mention|evidence)\b"
    r"|\bnot (?:mentioned|found|contained|stated|provided|available) in\b"
    r"|(?:文档|文件|证据|资料|内容|材料|信息)中?[^。\n]{0,12}(?:没有|未|不)(?:提及|提到|提供|包含|找到|说明|涉及|相关)"
    r"|(?:无法|不能|没法)(?:回答|找到|确定|得知|得出)|没有(?:找到|提到|提及|相关信息|相关内容)|未(?:找到|提及|提到)",
    re.I,
)
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|$)", re.S | re.I)
_FENCE = re.compile(r"^\s*```[\w-]*[ \t]*\n(.*?)\n?```\s*$", re.S)
_ANSWER_KEYS = ("answer", "final_answer", "response", "text", "content", "答案", "回答")
_IMAGE = re.compile(r"!\[([^\]\n]{0,300})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,300}\])?")
_LINK = re.compile(r"\[([^\]\n]{0,300})\]\((?:[^()\n]|\([^()\n]{0,300}\)){0,2000}\)")
_DEFINITION = re.compile(r"^[ \t]*\[[^\]\n]{1,300}\]:[ \t]*<?(?:\w+:|/|#|www\.)\S*.*$", re.M)
_TAG = re.compile(r"<(?:!--.*?(?:-->|$)|[/!?]?[a-zA-Z][^<>]*>)", re.S)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
# The list of sources that models like to add; ours is made from what was checked.
_SOURCE_LIST = re.compile(
    r"\n[ \t]*(?:\*\*|#+[ \t]*)?(?:sources?|references?|citations?|参考(?:资料|文献)?|来源|引用(?:来源)?)"
    r"[ \t]*(?:\*\*)?[ \t]*[:：]?[ \t]*(?:\*\*)?[ \t]*"
    r"(?:\n(?:[ \t]*(?:[-*•][ \t]*)?[\[【^]*\d{1,3}[\].:】、][^\n]*)?)*$",
    re.I,
)
_LONGEST = 100_000
_PASSES = 8
_LOOP_LETTERS = 12
_MARKS = re.compile(r"[\[【][\d\s,，]{1,20}[\]】]")
# A mark in whose middle a reply was cut off.
_HALF_A_MARK = re.compile(r"\s*[\[【]\s*\d{0,4}\s*$")


def clean_reply(reply: str) -> str:
    """Return the reply's text; "" when there is nothing in it that can be read."""
    text = _THINKING.sub("", reply[:_LONGEST]).strip()
    text = _unwrapped(without_protocol(text))
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = without_markup(_without_loops(text)).strip()
    text = _HALF_A_MARK.sub("", _SOURCE_LIST.sub("", text)).strip()
    return text if re.search(r"\w", text) else ""


def without_markup(text: str) -> str:
    """Return Markdown text without images, link targets and HTML; citation marks stay."""
    for _ in range(_PASSES):  # taking one layer away may join the next
        before = text
        text = _IMAGE.sub(r"\1", text)
        text = _LINK.sub(lambda match: _label(match[1]), text)
        text = _TAG.sub("", text)
        if text == before:
            break
    text = _DEFINITION.sub("", text)
    return re.sub(r"<(?=[a-zA-Z/!?])", "< ", text).replace("![", "! [").replace("](", "] (")


def says_not_found(text: str) -> bool:
    """True when a reply is the agreed marker, or a short statement that the answer is not there."""
    match = _NOT_FOUND.search(text)
    if match:
        return len(text) - len(match[0]) < _SHORT
    if re.search(r"[\[【]\D{0,10}\d", text):  # a statement with a source is an answer
        return False
    return len(text) < _SHORT and bool(_IN_OTHER_WORDS.search(text)) and len(split_sentences(text)) <= 2


def _without_loops(text: str) -> str:
    """Keep a sentence's first two occurrences, whatever its marks: small models fall into loops."""
    seen: Counter[str] = Counter()
    kept: list[str] = []
    done = 0
    for sentence in split_sentences(text):
        bare = _MARKS.sub("", sentence.text).strip()
        seen[bare] += 1
        if seen[bare] <= 2 or len(bare) < _LOOP_LETTERS:
            kept.append(text[done : sentence.end])
        done = sentence.end
    return "".join([*kept, text[done:]])


def _label(label: str) -> str:
    return f"[{label}]" if label.strip("^ ").isdigit() else label


def _unwrapped(text: str) -> str:
    """Take a code fence and a JSON object with an answer in it from around the text."""
    fenced = _FENCE.match(text)
    inner = fenced[1].strip() if fenced else text
    if inner.startswith("{"):
        try:
            data, _ = json.JSONDecoder(strict=False).raw_decode(inner)
        except (ValueError, RecursionError):
            partial = re.match(r'\{\s*"(?:answer|text)"\s*:\s*"(.*)', inner, re.S)
            return partial[1].rstrip('"}` \n').replace('\\"', '"').replace("\\n", "\n") if partial else inner
        for key in _ANSWER_KEYS:
            if isinstance(data.get(key), str):
                return str(data[key])
        return ""
    return inner


def visible(pieces: Iterable[str]) -> Iterator[str]:
    """Pass on streamed pieces that a reader may see: no reasoning block, no marker, no JSON wrapping, no tool call.

    The first characters are held back until it is clear what they begin.
    """
    held, open_block, shown = "", False, False
    for piece in pieces:
        held += piece
        if open_block:
            end = re.search(r"</(think|thinking|reasoning)>", held, re.I)
            if not end:
                continue
            held, open_block = held[end.end() :].lstrip(), False
        if not shown:
            start = held.lstrip()
            if re.match(r"<(think|thinking|reasoning)>", start, re.I):
                open_block = True
                continue
            if len(start) < len(NOT_FOUND) + 2:
                continue
            if (
                _NOT_FOUND.match(start.lstrip("`*\"' "))
                or start.startswith(("{", "```"))
                or begins_a_step(start)
            ):
                return
            held, shown = start, True
        yield held
        held = ""
    if (
        held
        and not shown
        and not open_block
        and not _NOT_FOUND.search(held)
        and not held.lstrip().startswith(("{", "`"))
        and not begins_a_step(held.lstrip())
    ):
        yield held
