"""References from text to the figures, tables, equations and sections it names (seed 002, 5.5).

Understood are "Figure 3b", "Figs. 2 and 4", "Tables 1–3", "Section 4.1", "Eq. (5)", "Note 12", 见表2-1, 图3、图4,
第三章, 第十二条, 式（5）. A number that several places bear (第一节 of each chapter) means the nearest one.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.enrich.labels import KIND_OF, NUMBER, RELATED, Label, label_of, number_key, plain_text
from engine.language import compiled, composed, patterns
from engine.model import Edge, Node, Tree, down_to
from engine.structure.numbering import CHINESE
from engine.structure.sequences import grouped

MOST_PER_NODE, LONGEST_RANGE = 40, 10
_TOLD = patterns("references")
_ONE = rf"\(?(?:{NUMBER}|(?-i:[A-Z](?:\.\d{{1,3}}){{0,3}})(?![A-Za-z]))(?:\([a-z]\))?\)?"
_PARTS = {"words": _TOLD["words"], "one": _ONE, "number": NUMBER, "chinese": CHINESE}
_ENGLISH, _SECTION_NUMBER = (compiled(composed(_TOLD[name], _PARTS)) for name in ("english", "section_number"))
_CHINESE_REFERENCE = re.compile(composed(_TOLD["han"], _PARTS))
# Behind "Figure 3, 5" comes another number than a figure's; of "Figure 3, and 5" both are.
_ANOTHER = re.compile(r",(?!\s*and\b)", re.IGNORECASE)
_PIECE = re.compile(rf"(?P<link>to|through|-|~)?\s*(?P<number>{_ONE})", re.IGNORECASE)
# "Section 10 of the Exchange Act", 《公司法》第十条: another document's.
_ELSEWHERE_AFTER = re.compile(
    r"(?:\([a-z0-9]{1,4}\))*\s+(?:of|to|in)\s+(?:the\s+)?(?!this|our|these)(?-i:[A-Z])|\s*《", re.IGNORECASE
)
_OWN = re.compile(r"(?:本|该)(?:法|条例|办法|规定|规则|细则|制度|合同|协议|章程|指引|决定|报告|章|节)$")
# What makes a word of 表, 式 or 图: 代表, 公式, 地图.
_OF_A_WORD = frozenset("代发外公方形格模正一企意地版")
_LEGAL = frozenset({"section", "article", "part", "chapter", "division", "item", "note", "appendix"})
_EQUATION_NUMBER = re.compile(r"[(]\s?([A-Z]?\.?\d{1,3}(?:[.\-]\d{1,3}){0,2}[a-z]?)\s?[)]\s*$")
_EQUATION_TAG = re.compile(r"\\tag\*?\s?\{\s?\(?\s?([A-Z]?\.?\d{1,3}(?:[.\-]\d{1,3}){0,2}[a-z]?)\s?\)?\s?\}")
_ARTICLE = re.compile(rf"^\s*第\s?([{CHINESE}\d]{{1,6}})\s?[条條](?![款、，。])")


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in a text that names a label: ``text[start:end]``; ``elsewhere``: one of another work's."""

    start: int
    end: int
    label: Label
    elsewhere: bool = False


class Labels:
    """The labels of a tree: by key, the nodes that bear it, in reading order."""

    def __init__(self, tree: Tree) -> None:
        self.nodes = {node.node_id: node for node in tree.nodes}
        told = [(label, node.node_id) for node in tree.nodes for label in labels_of(node, self.nodes)]
        by_key = grouped((label.key, holder) for label, holder in told)
        self.by_key = {key: list(dict.fromkeys(holders)) for key, holders in by_key.items()}
        self.printed = {text: holders[0] for text, holders in grouped((one.printed, n) for one, n in told).items()}

    def find(self, label: Label, source: Node) -> str | None:
        """Return the node that a label means when it is named in ``source``, or None."""
        for kind in (label.kind, *RELATED.get(label.kind, ())):
            holders = self.by_key.get(f"{kind} {label.number}")
            # "Chapter 3" may be a section "3 Methods", but not any of several.
            if holders and (kind == label.kind or kind not in _LEGAL or len(holders) == 1):
                return self._nearest(holders, source)
        whole = re.fullmatch(r"(.*\d)[a-z]", label.number)
        # "Figure 3b" is a part of Figure 3, unless this document gives such parts labels of their own.
        if whole and not any(f"{label.kind} {whole[1]}{letter}" in self.by_key for letter in "abcdefgh"):
            return self.find(Label(label.printed, label.kind, whole[1]), source)
        return None

    def _nearest(self, holders: list[str], source: Node) -> str:
        if len(holders) == 1:
            return holders[0]
        above = self.ancestors(source.node_id)

        def distance(holder: str) -> int:
            shared = set(self.ancestors(holder))
            return next((steps for steps, one in enumerate(above) if one in shared), len(above))

        return min(holders, key=distance)

    def ancestors(self, node_id: str) -> list[str]:
        """Return the node's id and those above it, the root last."""
        return [node.node_id for node in reversed(down_to(node_id, self.nodes))]


def reference_edges(tree: Tree) -> list[Edge]:
    """Return an edge of kind ``ref`` from each text node to each node that it names, labelled as written."""
    labels = Labels(tree)
    edges: list[Edge] = []
    for node in tree.nodes:
        if node.role not in ("paragraph", "list", "caption") or not node.text or not labels.by_key:
            continue
        above = set(labels.ancestors(node.node_id))
        seen: set[str] = set()
        for reference in references_in(node.text):
            target = labels.find(reference.label, node)
            if target is None or target in above or target in seen or len(seen) >= MOST_PER_NODE:
                continue
            seen.add(target)
            edges.append(Edge(node.node_id, target, "ref", reference.label.printed))
    return edges


def references_in(text: str, elsewhere: bool = False) -> list[Reference]:
    """Return the references in a text, in order; "Figures 2 to 4" are three.

    Those to other works ("Section 10 of the Exchange Act", 《公司法》第十条) are left out without ``elsewhere``.
    """
    plain = plain_text(text)
    found = [one for one in (*_english(plain), *_chinese(plain)) if elsewhere or not one.elsewhere]
    return sorted(found, key=lambda reference: reference.start)


def _english(text: str) -> Iterator[Reference]:
    for match in _ENGLISH.finditer(text):
        word = (match["word"] or match["sign"]).casefold()
        kind = KIND_OF.get(word.split()[-1].rstrip("."), "")
        prefix = "s" if word.startswith("supplementary") else "extended " if word.startswith("extended") else ""
        elsewhere = kind in _LEGAL and bool(_ELSEWHERE_AFTER.match(text, match.end()))
        numbers = _numbers(match["numbers"], plural=word.endswith("s") or word in ("appendices", "§§"))
        for number in numbers:
            printed = f"{_name(word)} {number}" if len(numbers) > 1 else _first_only(match)
            label = Label(_balanced(printed), kind, prefix + number)
            yield Reference(match.start(), match.end(), label, elsewhere)


def _numbers(listed: str, plural: bool) -> list[str]:
    """Return the numbers of "2 and 4", "1–3" (of plural words: 1, 2, 3) and "3.1, 3.2"."""
    whole = re.fullmatch(r"\s*(\d{1,3})-(\d{1,3})\s*", listed)
    if plural and whole and (rest := _up_to(whole[1], whole[2])):
        return [whole[1], *rest]
    numbers: list[str] = []
    for piece in _PIECE.finditer(listed if plural else _ANOTHER.split(listed)[0]):
        found = number_key(piece["number"])
        numbers += (_up_to(numbers[-1], found) if piece["link"] and numbers else []) or [found]
    return numbers


def _balanced(printed: str) -> str:
    """Return a label on one line, without the bracket that closes around it: "(see Table 2)"."""
    text = " ".join(printed.split())
    return text[:-1] if text.endswith(")") and text.count(")") > text.count("(") else text


def _first_only(match: re.Match[str]) -> str:
    first = _PIECE.match(match["numbers"])
    return match[0][: match.start("numbers") - match.start() + (first.end() if first else 0)]


def _name(word: str) -> str:
    irregular = {"figs": "figure", "boxes": "box", "appendices": "appendix", "eqs": "equation", "§§": "§"}
    return irregular.get(word, word).removesuffix("s").capitalize()


def _up_to(first: str, last: str) -> list[str]:
    """Return what follows the first of a range up to the last: 3 and 4 of "2 to 4"."""
    if not (first.isdigit() and last.isdigit() and 0 < int(last) - int(first) <= LONGEST_RANGE):
        return []
    return [str(number) for number in range(int(first) + 1, int(last) + 1)]


def _chinese(text: str) -> Iterator[Reference]:
    for match in _CHINESE_REFERENCE.finditer(text):
        if match["dotted"]:
            yield Reference(match.start(), match.end(), Label(match[0].strip(), "section", match["dotted"]))
            continue
        word, number = match["unit"] or match["kind"], match["ordinal"] or match["han"]
        kind = KIND_OF.get(word, "box" if word == "专栏" else "")
        before = text[max(0, match.start() - 12) : match.start()].rstrip()
        elsewhere = kind in _LEGAL and before.endswith("》") and not _OWN.search(before[:-1])
        if match["kind"] in ("表", "式", "图") and before[-1:] in _OF_A_WORD:
            continue
        label = Label(_balanced(match[0].strip()), kind, number_key(number))
        yield Reference(match.start(), match.end(), label, elsewhere)


def labels_of(node: Node, nodes: Mapping[str, Node]) -> Iterator[Label]:
    """Yield the labels that a node bears (a caption's under a table or picture are that one's); ``nodes`` by id."""
    if node.role == "caption":
        above = nodes.get(node.parent_id or "")
        if above is None or above.role not in ("table", "image"):
            yield from _caption_label(node, node.text)
    elif node.role in ("table", "image", "code"):
        yield from _caption_label(node, node.metadata.get("caption"))
    elif node.role == "equation":
        yield from _equation_label(node)
    elif node.role == "section":
        yield from _section_label(node.title)
    elif node.role == "paragraph" and (article := _ARTICLE.match(plain_text(node.text[:20]))):
        yield Label(article[0].strip(), "article", number_key(article[1]))


def _caption_label(node: Node, caption: str | None) -> Iterator[Label]:
    if label := label_of(str(node.metadata.get("label") or caption or "")):
        yield label


def _equation_label(node: Node) -> Iterator[Label]:
    text = plain_text(node.text)
    match = _EQUATION_TAG.search(text) or _EQUATION_NUMBER.search(text)
    if number := str(node.metadata.get("label") or (match[1] if match else "")):
        yield Label(f"({number.strip('()')})", "equation", number_key(number))


def _section_label(title: str) -> Iterator[Label]:
    plain = plain_text(title[:60])
    match = _SECTION_NUMBER.match(plain)
    if match is None:
        return
    if match["unit"] or match["kind"]:
        kind = KIND_OF.get(match["unit"] or match["kind"], "appendix")
        yield Label(match[0].strip(), kind, number_key(match["ordinal"] or match["han"]))
    elif match["word"]:
        yield Label(match[0].strip(" .:"), KIND_OF[match["word"].casefold()], number_key(match["wnumber"]))
    else:
        number = match["sign"] or match["plain"] or match["letter"][0]
        yield Label(f"Section {number}", "section", number_key(number) if len(number) > 1 else number.casefold())
