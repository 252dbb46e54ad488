"""Topics of a document by a language model (seed 003, 5.3.1): three to five short names, asked once per text."""

import re

from engine.enrich.asking import Asking, instruction
from engine.providers.cancelling import Cancelled
from engine.providers.llm import Llm
from storage.topics import TopicProfile

PROMPT_VERSION = "1"
TOKENS = 120
LONGEST_NAME = 40
_BETWEEN = re.compile(r"[\n;；|]+|(?<!\d)[,，、](?!\d)")
_NUMBERING = re.compile(r"^\s*(?:\d{1,2}[.)、．]\s*|[-*•]\s*)")


def tags_by_model(profile: TopicProfile, llm: Llm, asking: Asking, most: int, cancelled: Cancelled) -> list[str]:
    """Return up to ``most`` names of topics, the most telling first; none where the model has no usable reply.

    Raises CancelledError; failures are counted in ``asking``.
    """
    text = profile.about
    system = instruction("topics", text).replace("{most}", str(most))
    user = f"Title: {profile.title}\n<text>\n{text}\n</text>"
    reply = asking.complete(llm, f"topics {PROMPT_VERSION}", system, user, TOKENS, cancelled)
    return names_in(reply or "", most)


def names_in(reply: str, most: int) -> list[str]:
    """Return the names that a reply lists, however it parts them."""
    pieces = (_NUMBERING.sub("", piece).strip(" \"'“”「」[]{}.。:：") for piece in _BETWEEN.split(reply))
    names = [piece for piece in pieces if 2 <= len(piece) <= LONGEST_NAME and any(map(str.isalpha, piece))]
    return list(dict.fromkeys(names))[:most]
