"""The dense text of a node as the seed has it: one to three sentences that say what it means (seed 002, 2 and 5.1).

No label, column name or unit list stands in it; those belong to the sparse fields and filters. It is what
other programs get, and what is embedded of sections, tables and pictures with ``indexing.dense_text`` "summary".
Otherwise that is longer (``View.index_text``).
"""

from engine.enrich.labels import split_caption
from engine.enrich.summary import DEFAULTS, LEAF_TOKENS, summarize
from engine.model import Node
from engine.structure.sentences import sentences_of

LETTERS = 200


def gist(node: Node) -> str:
    """Return the dense text of a node; "" for an equation or where nothing is known of a picture."""
    if node.role == "equation":
        return ""
    if node.role in ("section", "document"):
        long = len(sentences_of(node.summary)) > DEFAULTS.k_section
        return (summarize(node.summary, title=node.title) if long else node.summary) or node.title
    if node.role in ("table", "image"):
        said = _plain(node.summary) or _plain(str(node.metadata.get("caption") or node.title))
        return said or _named_rows(node)
    return _plain(node.summary or summarize(node.text, title=node.title, k=DEFAULTS.k_leaf, budget=LEAF_TOKENS))


def _named_rows(node: Node) -> str:
    """Return what the first rows of a table without caption are called."""
    rows = (node.metadata.get("rows") or [])[node.metadata.get("header_rows") or 0 :]
    names = [str(row[0]).strip() for row in rows if row]
    return ", ".join(dict.fromkeys(name for name in names if name))[:LETTERS].rsplit(",", 1)[0]


def _plain(text: str) -> str:
    """Return a text without the label that it begins with."""
    return split_caption(text)[1]
