"""Judging and condensing found texts with a language model (seed 001).

All texts go into one prompt, and the reply is JSON. Texts are quoted to the model as material: what they say is
never an instruction. What is said of each is kept by content, so that the same is never paid for twice. A fact or
summary with a number that the text does not have is dropped: the original text stays what is shown and cited.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from engine.errors import ProviderError
from engine.metrics import looked_up
from engine.model import Condensed
from engine.providers.cancelling import Cancelled, awaited
from engine.providers.llm import Llm
from engine.providers.prompts import prompt
from engine.providers.reranking import Judgement, Reranker
from storage.replies import Replies

_OUT_OF = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:/|out of)\s*(\d+(?:\.\d+)?)\s*")
_OBJECT = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)


def llm_reranker(llm: Llm, cancelled: Cancelled | None = None) -> Reranker:
    """Return a language model as judge: 0-10 with a reason, in one call for all texts.

    ``cancelled`` is asked while the model is waited for. Raises ProviderError also when the reply is of no use.
    """

    def judge(question: str, texts: Sequence[str]) -> list[Judgement]:
        reply = ask_of_all(llm, prompt("rerank"), question, texts, cancelled)
        scores: dict[int, Judgement] = {}
        for number, item in by_passage(_judged(reply, len(texts)), len(texts)):
            with suppress(KeyError, TypeError, ValueError):
                score = max(0.0, min(10.0, _score(item["score"])))
                scores[number] = Judgement(score / 10, str(item.get("reason") or "")[:200])
        if not scores:
            raise ProviderError("The model's judgement cannot be read. Try another rerank.model.")
        # A passage that the model passes over is one it found nothing in.
        return [scores.get(number, Judgement(0.0, "")) for number in range(1, len(texts) + 1)]

    return Reranker(lambda: f"llm:{awaited(lambda: llm.model, cancelled)}", judge)


def ask_of_all(llm: Llm, task: str, question: str, texts: Sequence[str], cancelled: Cancelled | None) -> Any:
    """Return the JSON value that a model replies to a task over texts, numbered from 1. Raises as the model does."""
    passages = "\n\n".join(f"<passage {n}>\n{text}\n</passage {n}>" for n, text in enumerate(texts, 1))
    messages = [{"role": "system", "content": task}, {"role": "user", "content": f"Question: {question}\n\n{passages}"}]
    return read_json(llm.complete(messages, json=True, cancelled=cancelled).text)


def read_json(text: str) -> Any:
    """Return the JSON value in a model's reply, fenced or with words around it; None where there is none."""
    match = _OBJECT.search(re.sub(r"<think>.*?</think>", "", text, flags=re.DOTALL))
    with suppress(ValueError, RecursionError):
        return json.loads(match[0]) if match else None
    return None


def items_of(value: Any, name: str) -> list[dict[str, Any]]:
    """Return the objects in the list of this name, or in the value where it is the list itself."""
    found = value.get(name) if isinstance(value, dict) else value
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def by_passage(items: Iterable[dict[str, Any]], count: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects that are about one of so many passages, each with the passage's number."""
    for item in items:
        with suppress(KeyError, TypeError, ValueError):
            if 1 <= (number := int(item["passage"])) <= count:
                yield number, item


def _judged(value: Any, count: int) -> list[dict[str, Any]]:
    """The judgements in a reply; where it is a bare list of scores, one for each passage, by their order."""
    listed = value.get("scores") if isinstance(value, dict) else value
    if isinstance(listed, list) and len(listed) == count and not any(isinstance(one, dict) for one in listed):
        return [{"passage": number, "score": score} for number, score in enumerate(listed, 1)]
    return items_of(value, "scores")


def _score(value: Any) -> float:
    """Return a score of 0 to 10, also of "9/10"; raises ValueError, TypeError."""
    match = _OUT_OF.fullmatch(value) if isinstance(value, str) else None
    return 10 * float(match[1]) / (float(match[2]) or 10) if match else float(value)


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

    def ask(new: Sequence[str]) -> list[Condensed]:
        reply = ask_of_all(llm, prompt("condense").replace("{letters}", str(letters)), question, new, cancelled)
        items = by_passage(_condensed(reply, len(new)), len(new))
        found = {number: _read(item, new[number - 1], letters) for number, item in items}
        if not found:
            raise ProviderError("The model's summaries cannot be read. Try another rerank.summary_model.")
        return [found.get(number, Condensed()) for number in range(1, len(new) + 1)]

    task = "condense", awaited(lambda: llm.model, cancelled), str(letters), question
    return remembered(replies, task, texts, ask, Condensed.to_dict, Condensed.from_dict)


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


Said = TypeVar("Said")


def remembered(
    replies: Replies, task: Sequence[str], texts: Sequence[str], fresh: Callable[[Sequence[str]], Sequence[Said]],
    written: Callable[[Said], Any], read: Callable[[Any], Said],
) -> list[Said]:  # fmt: skip
    """Return what is said of each text, in their order; ``fresh`` is asked about new ones. Raises as it does.

    ``task`` names the task and what it depends on beside the text: the model first of all, and the question.
    ``written`` and ``read`` turn what was said into JSON values and back.
    """
    keys = [hashlib.sha256("\0".join([*task, text]).encode()).hexdigest() for text in texts]
    known = replies.get(keys)
    missing = [i for i, key in enumerate(keys) if key not in known]
    looked_up("replies", len(keys), len(missing))
    if missing:
        said = fresh([texts[i] for i in missing])
        new = {keys[i]: json.dumps(written(one)) for i, one in zip(missing, said, strict=True)}
        replies.put(new)
        known |= new
    return [read(json.loads(known[key])) for key in keys]
