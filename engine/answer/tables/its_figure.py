"""The most of something, and its figure: 哪个产品毛利率最高？是多少？ The thing of an extreme is told with it."""

from __future__ import annotations

import re

from engine.answer.computations import wants_computed
from engine.structure.sentences import is_cjk

_TAIL = re.compile(
    r"[？?，,]\s*(?:分别|各|又|具体|数值)*(?:是|为|有|达)?多少[？?。\s]*$"
    r"|[,?]? (?:and )?(?:what|how (?:much|many|high)) (?:is|was|are|were) (?:it|that|they)\W*$",
    re.IGNORECASE,
)


def without_its_figure(question: str) -> str:
    """Return a question for an extreme without its second one for how much that is; any other as it is."""
    tail = _TAIL.search(question)
    if tail is None or "rank" not in wants_computed(question[: tail.start()]):
        return question
    return question[: tail.start()] + ("？" if is_cjk(question) else "?")
