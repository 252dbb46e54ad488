"""The questions that a passage answers, as a model writes them (seed 004, 3.2 B.4)."""

from __future__ import annotations

import re

MOST_QUESTIONS = 5
LONGEST_QUESTION = 300
_QUESTION = re.compile(r"[^?？]+[?？]")
_NUMBERING = re.compile(r"^\W*(?:\d{1,2}[.)、．:：]\s*)?")


def questions_in(reply: str) -> list[str]:
    """Return the questions of a reply, without numbering; text behind the last question mark is none."""
    found = (_NUMBERING.sub("", question).strip() for question in _QUESTION.findall(reply))
    unique = dict.fromkeys(question for question in found if 4 < len(question) <= LONGEST_QUESTION)
    return list(unique)[:MOST_QUESTIONS]
