"""A text that answers part of a question names what answers the rest: it vouches for the passages it names.

Questions of two steps ("In which county is the town where she was born?") find the first passage by their own words;
the second is known only by its title, which stands in the first one. Wikipedia's links are such mentions, and following
them is how its two-step questions are answered (Yang et al. 2018, HotpotQA; Asai et al. 2020). Other documents name
each other likewise ("see the Master Agreement", 《劳动法》), without a link that could be followed.

A mention counts only where it can hardly be chance: a title of several words or four unspaced characters, or one
capitalised word inside a sentence that few of the passages found hold. "Royston, Hertfordshire" is also meant by
"Royston".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.retrieve.query import is_unspaced
from storage.base import StoredNode

# So many of the best texts are read for the titles of others, and so much of each.
READ_TEXTS, READ_LETTERS = 2, 4000
# One word that more than so many of the other texts hold is no name.
HELD_BY = 5
_EXTRA = re.compile(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*$")
_SENTENCE_END = ".!?:;•|\n"


def title_links(nodes: Sequence[StoredNode], strengths: Sequence[float]) -> list[float]:
    """Return for each node the strength, 0..1, of the best text that names its title; 0 where none does.

    The nodes come best first, with how strong each is. Of several nodes with one title the best one is meant.
    """
    texts = [one.node.text[:READ_LETTERS] for one in nodes]
    titles = [_title(one) for one in nodes]
    links = [0.0] * len(nodes)
    seen: set[str] = set()
    for i, title in enumerate(titles):
        if not title or title in seen:
            continue
        seen.add(title)
        for j in range(min(READ_TEXTS, len(nodes))):
            if links[i] < strengths[j] and title != titles[j] and _names(texts[j], title, texts):
                links[i] = strengths[j]
    return links


def _title(stored: StoredNode) -> str:
    """The innermost title over a node, without what stands in brackets behind it."""
    return _EXTRA.sub("", stored.path[-1] if stored.path else "").strip(" .:：《》")


def _names(text: str, title: str, texts: Sequence[str]) -> bool:
    """Tell whether a text names a title; ``texts`` are all that were found."""
    if is_unspaced(title):
        return len(title) >= 4 and title in text
    return any(
        _stands_in(text, form) if " " in form and len(form) >= 7 else _is_name_in(text, form, texts)
        for form in dict.fromkeys((title, title.split(",")[0]))
    )


def _is_name_in(text: str, word: str, texts: Sequence[str]) -> bool:
    if len(word) < 4 or not word[0].isupper() or not _stands_in(text, word, inside=True):
        return False
    return sum(_stands_in(other, word) for other in texts) <= HELD_BY


def _stands_in(text: str, form: str, inside: bool = False) -> bool:
    """Tell whether a text holds a form as whole words; ``inside``: not only at the beginning of sentences."""
    at = text.find(form)
    while at >= 0:
        around = text[max(0, at - 1) : at], text[at + len(form) : at + len(form) + 1]
        if not any(character.isalnum() for character in around):
            before = text[:at].rstrip(" \t")
            if not inside or (before and before[-1] not in _SENTENCE_END):
                return True
        at = text.find(form, at + 1)
    return False
