"""Descriptions of pictures by a vision model, and what they add to the facts of a figure."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from engine.enrich.asking import Asking, OnShare, instruction
from engine.errors import NotFoundError, UnreadableFileError
from engine.model import Node, Tree
from engine.providers.cancelling import Cancelled
from engine.providers.llm import Llm
from engine.providers.vision import message_with

PROMPT_VERSION = "1"
MOST_PICTURES = 200
MOST_TOKENS = 400
LEAST_SIDE = 100
_LONGEST_CONTEXT = 1500
_CONTEXT = {"Caption": "caption", "Alternative text": "alt", "Text in it": "ocr_text"}


def pictures_to_describe(tree: Tree) -> list[Node]:
    """Return the image nodes of a tree that may deserve a description."""
    images = [node for node in tree.nodes if node.role == "image" and not node.metadata.get("whole_page")]
    return images[:MOST_PICTURES]


def descriptions_by_model(
    nodes: Sequence[Node], picture_of: Callable[[Node], tuple[bytes, int]], vision: Llm, asking: Asking,
    on_progress: OnShare, cancelled: Cancelled,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return by node id what to add to the metadata of image nodes.

    That is ``description`` and ``description_method`` ("model:<name>"), or ``description_error`` with the reason.
    ``picture_of`` gives a node's picture as PNG or JPEG and the length of its shorter side in pixels; icons
    are left out. Raises CancelledError; failures are counted in ``asking``.
    """
    found: dict[str, dict[str, Any]] = {}
    for done, node in enumerate(nodes, 1):
        try:
            picture, side = picture_of(node)
        except NotFoundError:
            continue  # only an address is known
        except UnreadableFileError as error:
            found[node.node_id] = {"description_error": str(error)}
            continue
        if side >= LEAST_SIDE:
            found[node.node_id] = _described(node, picture, vision, asking, cancelled)
        on_progress(done / len(nodes))
    return {node_id: facts for node_id, facts in found.items() if facts}


def _described(node: Node, picture: bytes, vision: Llm, asking: Asking, cancelled: Cancelled) -> dict[str, Any]:
    told = {name: str(node.metadata.get(key) or "")[:_LONGEST_CONTEXT] for name, key in _CONTEXT.items()}
    known = "\n".join(f"{name}: {text}" for name, text in told.items() if text)
    system = instruction("picture", known or node.text)
    shown = message_with(known or "There is no caption.", [("", picture)])
    messages = [{"role": "system", "content": system}, shown]
    failures = asking.failed
    reply = asking.ask(
        f"picture {PROMPT_VERSION}\0{system}\0{known}\0{hashlib.sha256(picture).hexdigest()}",
        lambda: vision.complete(messages, max_tokens=MOST_TOKENS, cancelled=cancelled).text,
    )
    if reply:
        return {"description": reply, "description_method": asking.how, "description_error": None}
    return {"description_error": asking.error} if asking.failed > failures else {}
