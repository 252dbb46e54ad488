"""Sentence ends, and cutting overlong paragraphs at them."""

from __future__ import annotations

import re

END = re.compile(
    r"[。！？；!?]+[”’」』）)\"']*|(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\be\.g)(?<!\bi\.e)(?<!\bal)\.[\"”’)\]]*(?=\s+[^\sa-z])"
)
HARD_LIMIT = 2000


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text; joined they give the text again."""
    sentences = []
    start = 0
    for match in END.finditer(text):
        end = match.end()
        while end < len(text) and text[end] == " ":
            end += 1
        sentences.append(text[start:end])
        start = end
    if start < len(text):
        sentences.append(text[start:])
    return sentences


def split_long(text: str, limit: int = HARD_LIMIT) -> list[str]:
    """Cut a text longer than ``limit`` characters into even parts at sentence ends (at spaces if need be)."""
    if len(text) <= limit:
        return [text]
    count = -(-len(text) // limit)
    target = len(text) / count
    parts: list[str] = []
    current = ""
    for sentence in sentences_of(text):
        for piece in _cut(sentence, limit):
            if current and (len(current) + len(piece) > limit or len(current) >= target):
                parts.append(current.strip())
                current = ""
            current += piece
    if current.strip():
        parts.append(current.strip())
    return parts


def _cut(sentence: str, limit: int) -> list[str]:
    pieces = []
    while len(sentence) > limit:
        at = sentence.rfind(" ", limit // 2, limit) + 1 or limit
        pieces.append(sentence[:at])
        sentence = sentence[at:]
    return [*pieces, sentence]
