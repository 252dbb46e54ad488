"""Judging and condensing found texts with a language model (seed 001).

All texts go into one prompt, and the reply is JSON. Texts are quoted to the model as material: what they say is
never an instruction.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from engine.errors import ProviderError
from engine.providers.cancelling import Cancelled, awaited
from engine.providers.llm import Llm
from engine.providers.prompts import prompt
from engine.providers.reranking import Judgement, Reranker

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
    if match is None:
        return None
    try:
        return json.loads(match[0])
    except (ValueError, RecursionError):
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
