"""Names in a sentence of an answer that the documents cited for it do not have.

"Acme makes paper [1]" has nearly every word of a passage on Borealis, which makes paper, too. A passage may call
its subject "the company", so the name may stand anywhere in what was found of its document, its titles included.
Only names that are told by their looks are checked: words with a capital inside a sentence, Latin words among Chinese.
The first word of a sentence has a capital anyhow; it is checked where the question has it as a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from engine.answer.asked_names import printed_names
from engine.answer.sufficiency import with_titles
from engine.answer.terms import content_terms
from engine.index.tokenize import tokens
from engine.model import Evidence
from engine.structure.sentences import is_cjk

# Dates are written in figures, too, and what is in capitals alone abbreviates what the text may write out.
_OF_DATES = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday".split()
)
_LONGEST_ABBREVIATION = 5
# "Spanish" is what a text on Spain says.
_LIKE = 3
_FIRST = re.compile(r"\W*([A-Za-z][\w.'’&-]*\w)")


def strange_names(
    sentence: str, cited: Collection[int], evidence: Sequence[Evidence], asked: str = ""
) -> list[str]:
    """Return the names as written; none where what is cited (places in ``evidence``) is in another language.

    ``asked`` is the question.
    """
    items = [evidence[index] for index in cited]
    if not items or any(is_cjk(item.text) != is_cjk(sentence) for item in items):
        return []
    documents = {item.hit.document_id for item in items}
    own = [item for item in evidence if item.hit.document_id in documents]
    text = " ".join(f"{with_titles(item)} {item.subject}" for item in own)
    begun = {term[:_LIKE] for term in tokens(text)}
    return [
        name
        for name in dict.fromkeys(_names(sentence, asked))
        if not (name.isupper() and len(name) <= _LONGEST_ABBREVIATION)
        and name.casefold() not in _OF_DATES
        and name.casefold() not in text.casefold()
        and (terms := content_terms(name))
        and all(term[:_LIKE] not in begun for term in terms)
    ]


def _names(sentence: str, asked: str) -> list[str]:
    found = printed_names(sentence)
    first = _FIRST.match(sentence)
    if first is None or is_cjk(sentence):
        return found
    return [*([first[1]] if first[1] in printed_names(asked) else []), *(n for n in found if n != first[1])]
