"""Headers and footers: what they say is kept once, behind everything else, where the text itself does not say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Block

_WORDS = re.compile(r"\w+")


def without_running(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Return the blocks of the text, and those of headers and footers (``metadata["running"]``) that add to it.

    A header that only repeats words of the text (titles, names of chapters) adds nothing; what is kept has the
    ``metadata["kind"]`` "header" or "footer".
    """
    body = [block for block in blocks if "running" not in block.metadata]
    if len(body) == len(blocks):
        return body, []
    said = "\n".join(_words(block.text) for block in body)
    kept: list[Block] = []
    for block in blocks:
        lines = [words for line in block.text.split("\n") if (words := _words(line)).strip()]
        if "running" in block.metadata and any(words not in said for words in lines):
            said += "\n" + "\n".join(lines)
            facts = {key: value for key, value in block.metadata.items() if key != "running"}
            kind = "paragraph" if block.kind in {"heading", "caption", "code"} else block.kind
            kept.append(replace(
                block, kind=kind, level=None, evidence={}, metadata=facts | {"kind": block.metadata["running"]}
            ))  # fmt: skip
    return body, kept


def _words(text: str) -> str:
    return f" {' '.join(_WORDS.findall(text.casefold()))} "
