"""What the index knows of a node: a text for meaning, fields of words (seed 002, 2 and 4).

Leaves (paragraph, list, table, image, caption, code, equation) are indexed each, with the titles above
them in front: a paragraph rarely says what it is about. A section is indexed when it says more than its
leaves do: a heading over two or more of them by its title and lead, a chapter by its table of contents, a
lone heading by itself. A section with one leaf is that leaf, and gets no record of its own.

An article of several paragraphs (第三条 of a law, 3.1 of a contract) is matched as a whole by the one that bears its
number, and each of the others stands below the beginning of that one.

The dense text of a node as the seed has it: one to three sentences that say what it means (seed 002, 2 and 5.1).

No label, column name or unit list stands in it; those belong to the sparse fields and filters. It is what
other programs get, and what is embedded of sections, tables and pictures with ``indexing.dense_text`` "summary".
Otherwise that is longer (``View.index_text``).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath
from typing import Any

from engine.config import FieldWeights
from engine.enrich.figures import is_described_by_model
from engine.enrich.labels import Label, split_caption
from engine.enrich.references import labels_of
from engine.enrich.summary import DEFAULTS, LEAF_TOKENS, summarize
from engine.enrich.units import header_measure, written_unit
from engine.index.tokenize import index_terms
from engine.model import LEAVES, PROSE, Node, Tree, children_of, section_path
from engine.structure.articles import articles_of
from engine.structure.sentences import sentences_of
from storage.base import IndexRecord
from storage.catalog.sparse import B

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


# The embedding model reads 512 tokens: about 1800 Latin letters, or 600 Chinese characters.
DENSE_LETTERS = 1800
WIDE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")
WIDE_LETTERS = 3
BREADCRUMB_LETTERS = 240
# Of an article's first paragraph, in front of its others.
OPENING_LETTERS = 300
# Most texts have so many terms; a longer one than that is a table, a list or a program.
USUAL_TERMS, LONG_TERMS = 60, 200
_LABEL = re.compile(r"(figure|fig|table|tab|图|圖|表)\W{0,2}(\d[\w.\-]*)", re.IGNORECASE)
_LABEL_FORMS = {"f": "figure {0} fig {0} 图{0} 圖{0}", "t": "table {0} tab {0} 表{0}"}


def label_term(label: Label) -> str:
    """Return the one term under which the sparse view knows the bearers of a label, however it is written."""
    return f"label:{label.key}"


@dataclass(frozen=True, slots=True)
class View:
    """A node as it is matched: ``index_text`` is embedded (None: never), ``fields`` are the sparse texts by name.

    The names of the fields are those of :class:`engine.config.FieldWeights`; ``bears`` are the labels that
    mean this node; ``above`` are the titles with which the index text begins, on one line; ``parts`` are further
    texts that are embedded; ``document`` is what the document is called.
    """

    node: Node
    index_text: str | None
    fields: dict[str, str]
    bears: tuple[Label, ...] = ()
    above: str = ""
    parts: tuple[str, ...] = ()
    document: str = ""

    def record(self, weights: FieldWeights) -> IndexRecord:
        """Return the record for storage: each term of each field with the field's weight."""
        weight_of = weights.model_dump()
        terms = [
            (term, weight_of[name])
            for name, text in self.fields.items()
            if weight_of[name]
            for term in index_terms(text)
        ]
        # What a document is called counts as much in its long tables as in a line of it (BM25F: Robertson, Zaragoza
        # and Taylor 2004); the store reckons with the length of all fields together.
        longer = B * max(0, len(terms) - LONG_TERMS) / USUAL_TERMS
        if longer and weights.title:
            terms += [(term, weights.title * longer) for term in index_terms(self.document)]
        terms += [(label_term(label), weights.labels) for label in self.bears]
        return IndexRecord(self.node.node_id, terms, self.index_text, self.parts)


def views(tree: Tree) -> Iterator[View]:
    """Return the views of a tree's retrievable nodes, in reading order."""
    return _Views(tree).views()


class _Views:
    def __init__(self, tree: Tree) -> None:
        self._nodes = {node.node_id: node for node in tree.nodes}
        self._children = children_of(tree.nodes)
        self._articles = {
            node.node_id: article
            for article in articles_of(self._children)
            if article.rest
            for node in (article.opening, *article.rest)
        }
        self._leaves = Counter(node.parent_id for node in tree.nodes if node.role in LEAVES)
        stem = PurePath(tree.name).stem
        title = tree.nodes[0].title
        # A file's name helps to find it, but as a sentence it means nothing.
        self._title = "" if title in (tree.name, stem) else title
        self._called = self._title or stem.replace("_", " ")

    def views(self) -> Iterator[View]:
        for node in self._nodes.values():
            if node.role == "equation":
                yield self._view(node, "", f"{node.text}\n{self._context(node)}".strip())
            elif node.role in LEAVES:
                yield self._view(node, *self._in_its_article(node, *_content(node)))
            else:
                gist = self._gist(node)
                if gist is not None:
                    yield self._view(node, gist, gist)

    def _in_its_article(self, node: Node, dense: str, body: str) -> tuple[str, str]:
        """A leaf's dense text and body with what its article adds to them."""
        article = self._articles.get(node.node_id)
        if article is None:
            return dense, body
        if node is not article.opening:
            return (f"{cut(article.opening.text, OPENING_LETTERS)}\n{dense}" if dense else ""), body
        rest = "\n".join(one.text for one in article.rest)
        return f"{dense}\n{rest}", f"{body}\n{rest}"

    def _view(self, node: Node, dense: str, body: str) -> View:
        path = self._path(node)
        label = node.metadata.get("label") or ""
        fields = {
            "title": "\n".join([*path, node.title if node.role in LEAVES else "", self._called]),
            "caption": node.metadata.get("caption") or "",
            "table_schema": schema_of(node),
            "labels": label,
            "aliases": " ".join([_other_forms(label), *(node.metadata.get("aliases") or ())]),
            "body": body,
        }
        bears = self._labels(node)
        if not dense.strip():
            return View(node, None, fields, bears, document=self._called)
        above = _breadcrumb(filter(None, [self._title, *path]))
        text = cut("\n".join([above, dense]).strip(), DENSE_LETTERS)
        return View(node, text, fields, bears, above, document=self._called)

    def _labels(self, node: Node) -> tuple[Label, ...]:
        """The node's labels; a section that has no record of its own is known by its one leaf."""
        labels, above = labels_of(node, self._nodes), self._nodes.get(node.parent_id or "")
        if above and node.role in LEAVES and self._leaves[above.node_id] == 1:
            return (*labels, *labels_of(above, self._nodes))
        return tuple(labels)

    def _context(self, node: Node) -> str:
        """The sentence that leads up to an equation, or else the one after it."""
        siblings = self._children.get(node.parent_id, [])
        place = next(index for index, sibling in enumerate(siblings) if sibling.node_id == node.node_id)
        before, after = siblings[:place][-1:], siblings[place + 1 : place + 2]
        for neighbour, which in [(one, -1) for one in before] + [(one, 0) for one in after]:
            if neighbour.role in PROSE and (sentences := sentences_of(neighbour.text)):
                return sentences[which].strip()
        return ""

    def _path(self, node: Node) -> list[str]:
        titles = section_path(node.node_id, self._nodes)
        return titles[1:] if titles and titles[0] == self._title else titles

    def _gist(self, node: Node) -> str | None:
        """The text that stands for a section, or None where its leaves do."""
        children, leaves = self._children.get(node.node_id, []), self._leaves[node.node_id]
        if leaves > 1:
            return cut("\n".join(one.text for one in children if one.role in LEAVES), DENSE_LETTERS)
        if leaves or node.role == "document":
            return None
        return "\n".join(child.title for child in children if child.role == "section") or node.title


def _content(node: Node) -> tuple[str, str]:
    """A leaf's dense text and its body: for a picture what is known of it, else its own text."""
    facts = []
    if node.role == "image":
        # Other descriptions are made of the caption and the text in the picture, which stand here anyway.
        described = node.metadata.get("description") if is_described_by_model(node) else ""
        facts = [described, node.metadata.get("ocr_text")]
    body = "\n".join([*filter(None, [node.text]), *(one for one in facts if one and one not in node.text)])
    caption = node.metadata.get("caption") or ""
    dense = "\n".join(filter(None, [node.title, caption if caption not in body else "", body]))
    return dense, body


def schema_of(node: Node) -> str:
    """Return a table's columns with their units and scales: "Item; Weight (kg); Sales (million EUR)"."""
    told = (_column_of(column) for column in node.columns if column.get("name"))
    return "; ".join(told)


def _column_of(column: dict[str, Any]) -> str:
    """Return a column's name, with its unit where the name does not say it with its scale."""
    name, scale = str(column["name"]), int(column.get("scale") or 1)
    unit = written_unit(column.get("unit"), scale, bool(WIDE.search(name)))
    if scale == 1:
        return f"{name} ({unit})" if unit and unit not in name else name
    own = header_measure(name)
    return name if own is not None and own.scale == scale else f"{name} ({unit})"


def _other_forms(label: str) -> str:
    """A label as other people write it, also in the other language: "Figure 3" is "fig 3" and "图3"."""
    found = _LABEL.search(label)
    if not found:
        return ""
    kind = "f" if found[1].lower() in ("figure", "fig", "图", "圖") else "t"
    return _LABEL_FORMS[kind].format(found[2])


def _breadcrumb(titles: Iterable[str]) -> str:
    """The titles above a node on one line; the innermost are kept when it is long."""
    line = " > ".join(dict.fromkeys(titles))
    return line if len(line) <= BREADCRUMB_LETTERS else "…" + line[-BREADCRUMB_LETTERS:]


def cut(text: str, letters: int) -> str:
    """Return the start of a text that is worth so many Latin letters to the embedding model."""
    if len(text) * WIDE_LETTERS <= letters:
        return text
    if len(text) + (WIDE_LETTERS - 1) * len(WIDE.findall(text)) <= letters:
        return text
    worths = accumulate(WIDE_LETTERS if WIDE.match(character) else 1 for character in text)
    return text[: next(at for at, worth in enumerate(worths) if worth > letters)]
