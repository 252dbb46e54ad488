"""What a model is told of a passage so that it says what the passage is about (seed 004, 3.2 B.1 and B.2).

Contextual: a short document is given whole; of a long one its summary, the titles above the passage and the
summary of its section. Sliding: what was said of the passage before it.
"""

from __future__ import annotations

from engine.enrich.summary import summarize
from engine.model import Node, Tree, section_path
from engine.providers.llm import estimate_tokens

# A document of so many tokens is given whole with each of its passages.
SHORT_TOKENS = 2000
PASSAGE_TOKENS = 1000
SUMMARY_TOKENS = 300
PREVIOUS_TOKENS = 60
_ASKED = ("paragraph", "list", "table", "code")
LEAST_TOKENS = 8


class Passages:
    """A tree's passages that a model is asked about, in reading order, and the messages that it gets."""

    def __init__(self, tree: Tree) -> None:
        self._by_id = {node.node_id: node for node in tree.nodes}
        self._root = tree.nodes[0]
        self.nodes = [
            node for node in tree.nodes if node.role in _ASKED and estimate_tokens(node.text) >= LEAST_TOKENS
        ]
        texts = [node.title if node.role in ("document", "section") else node.text for node in tree.nodes]
        whole = "\n".join(text for text in texts if text)
        self.short = estimate_tokens(whole) <= SHORT_TOKENS
        self._whole = whole if self.short else ""

    def contextual(self, node: Node) -> str:
        """Return the message that asks for what places a passage in its document."""
        if self.short:
            return f"<document>\n{self._whole}\n</document>\n{self.passage(node)}"
        section = self._section(node)
        above = [
            f"<document>\n{_start(self._root.summary, SUMMARY_TOKENS)}\n</document>",
            f"<section>\n{self.titles(node)}\n{_start(section, SUMMARY_TOKENS)}\n</section>",
        ]
        return "\n".join([*above, self.passage(node)])

    def sliding(self, node: Node, before: str) -> str:
        """Return the message that asks for a passage's summary in the light of that of the one before it."""
        return f"<before>\n{before}\n</before>\n{self.titled(node)}"

    def titled(self, node: Node) -> str:
        """Return a passage under the titles above it."""
        return f"<titles>\n{self.titles(node)}\n</titles>\n{self.passage(node)}"

    def passage(self, node: Node) -> str:
        """Return a passage, or the start of one that is very long."""
        return f"<passage>\n{_start(node.text, PASSAGE_TOKENS)}\n</passage>"

    def titles(self, node: Node) -> str:
        """Return the titles above a node on one line."""
        titles = [self._root.title, *section_path(node.node_id, self._by_id)]
        return " > ".join(dict.fromkeys(title for title in titles if title))

    def _section(self, node: Node) -> str:
        above = self._by_id.get(node.parent_id or "")
        while above is not None and above.role == "section" and not above.summary:
            above = self._by_id.get(above.parent_id or "")
        return above.summary if above is not None and above.role == "section" else ""


def gist(node: Node) -> str:
    """Return the sentence that says most of a passage: what stands in where a model has not summarised it."""
    return summarize(node.text, title=node.title, k=1, budget=PREVIOUS_TOKENS)


def _start(text: str, tokens: int) -> str:
    """Return the start of a text of about so many tokens."""
    count = estimate_tokens(text)
    return text if count <= tokens else text[: len(text) * tokens // count]
