"""What found texts say on a question, condensed by a language model: key facts, a summary, a note (seed 001, 2).

All texts go into one prompt, as in :mod:`engine.retrieve.llm_judge`, and what is said of each is kept by content. A
fact or summary with a number that the text does not have is dropped: the original text stays what is shown and cited.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from engine.errors import ProviderError
from engine.model import Condensed
from engine.providers.cancelling import Cancelled, awaited
from engine.providers.llm import Llm
from engine.providers.prompts import prompt
from engine.retrieve.llm_judge import ask_of_all, by_passage, items_of
from engine.retrieve.remembered import Remembered
from storage.replies import Replies

MOST_FACTS = 8
# So much of a text is condensed.
LONGEST_TEXT = 6000
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def condense(
    question: str, texts: Sequence[str], llm: Llm, replies: Replies, letters: int, cancelled: Cancelled | None = None
) -> list[Condensed]:
    """Return what each text says on a question, if anything, by a model, in one call for all that are new.

    ``letters`` is the longest a summary may be; ``cancelled`` is asked while the model is waited for. Raises
    ProviderError, CancelledError.
    """
    kept = Remembered[Condensed](
        replies,
        ("condense", awaited(lambda: llm.model, cancelled), str(letters)),
        lambda one: one.to_dict(),
        lambda value: Condensed(**value),
    )

    def ask(new: Sequence[str]) -> list[Condensed]:
        reply = ask_of_all(llm, prompt("condense").replace("{letters}", str(letters)), question, new, cancelled)
        items = by_passage(_condensed(reply, len(new)), len(new))
        found = {number: _read(item, new[number - 1], letters) for number, item in items}
        if not found:
            raise ProviderError("The model's summaries cannot be read. Try another rerank.summary_model.")
        return [found.get(number, Condensed()) for number in range(1, len(new) + 1)]

    return kept.ask(question, texts, ask)


def _read(item: dict[str, Any], text: str, letters: int) -> Condensed:
    listed = item.get("key_facts")
    facts = [one.strip() for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    summary, note = (" ".join(str(item.get(name) or "").split()) for name in ("summary", "relevance_note"))
    return Condensed(
        [fact for fact in facts if fact and _has_numbers_of(fact, text)][:MOST_FACTS],
        _cut(summary, letters) if _has_numbers_of(summary, text) else "",
        _cut(note, letters),
    )


def _condensed(value: Any, count: int) -> list[dict[str, Any]]:
    """The entries in a reply; a small model leaves the list out where there is one passage."""
    if count == 1 and isinstance(value, dict) and "passages" not in value:
        return [{**value, "passage": 1}]
    return items_of(value, "passages")


def _has_numbers_of(written: str, text: str) -> bool:
    return _numbers(written) <= _numbers(text)


def _numbers(text: str) -> set[str]:
    return {match[0].replace(",", "") for match in _NUMBER.finditer(unicodedata.normalize("NFKC", text))}


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"
