"""Is the answer right: exact match, F1, numbers, and whether it is told from the right evidence (seed 002, section 9).

Exact match and F1 are those of SQuAD (Rajpurkar et al., EMNLP 2016) over words and, where a script has no spaces,
characters; articles count. Answers are sentences, so that ``contains`` says more than ``em``. A refusal scores 0.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.answer.tables.cite import Computed
from engine.enrich.cell_values import parse_cell
from engine.model import Answer

MEASURES = ("answered", "em", "f1", "contains", "count_acc", "evidence_f1")
_MARK = re.compile(r"\[W?\d+\]")
_TOKEN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")


def score_answer(answer: Answer, golds: Sequence[str], *, evident: bool) -> dict[str, float]:
    """Return the measures of one answer beside the right ones, by the names of :data:`MEASURES`.

    ``count_acc``, whether it says the right number, is left out where no right answer is one. ``evident`` tells whether
    one of its sources is gold evidence; ``evidence_f1`` is F1 with it, 0 without.
    """
    text = _MARK.sub(" ", answer.answer) if answer.answered else ""
    said = _tokens(text)
    wanted = [tokens for gold in golds if (tokens := _tokens(gold))]
    f1 = max((_f1(said, one) for one in wanted), default=0.0)
    numbers = [gold for gold in golds if parse_cell(gold).value is not None]
    told = {
        "answered": float(answer.answered),
        "em": float(said in wanted),
        "f1": f1,
        "contains": float(any(_holds(said, one) for one in wanted)),
        "evidence_f1": f1 * evident,
    }
    if numbers:
        told["count_acc"] = float(any(Computed([one], "").stated_in(text) for one in numbers))
    return told


def mean_scores(scores: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each measure over the answers that have it, to four digits, and their number ("questions")."""
    listed = list(scores)
    told: dict[str, float] = {"questions": len(listed)}
    for name in MEASURES:
        if values := [one[name] for one in listed if name in one]:
            told[name] = round(sum(values) / len(values), 4)
    return told


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def _f1(said: Sequence[str], gold: Sequence[str]) -> float:
    return 2 * (Counter(said) & Counter(gold)).total() / (len(said) + len(gold))


def _holds(said: Sequence[str], gold: Sequence[str]) -> bool:
    return any(said[at : at + len(gold)] == gold for at in range(len(said) - len(gold) + 1))
