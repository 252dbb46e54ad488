"""Parts of a document that every reader knows: title, abstract, keywords, contents, references, appendix; and forms:
covers with check boxes and passages to tick, which say nothing of what it is about."""

import re

from engine.language import compiled, patterns
from engine.model import Tree
from engine.structure.draft import Draft
from engine.structure.numbering import without_number
from engine.structure.outline import normal

_PARTS = {kind: compiled(f"(?:{words})") for kind, words in patterns("document_parts")["parts"].items()}
_RUN_IN = compiled(patterns("document_parts")["headings"]["run_in"])
_LEAD = " \t\u3000[【*"
FRONT = 30
LONGEST_ENTRY = 120
_OF_LEAVES = {"abstract": "abstract", "keywords": "keywords", "references": "reference"}
# Boxes as characters, and as the letters that they are in the fonts of older word processors; 是 □否, √适用 □不适用.
_BOX = re.compile(r"[☐☑☒□]|(?<![^\W\d_])[¨þý](?![^\W\d_])")
_TICKED = re.compile(r"[☐☑☒]|[□√✓✔]\s?[^\s□√✓✔]{1,12}\s*[□√✓✔]|[¨þý]\s?\w{1,12}\s*[¨þýx]\b")


def is_contents_title(text: str) -> bool:
    """Tell whether a heading announces a table of contents."""
    return bool(_PARTS["contents"].fullmatch(text.strip(" .:：")))


def kind_of(title: str) -> str | None:
    """Return what part of a document a section with this title is, None for the most."""
    whole = title.strip().strip(" .:：[]【】*")
    parts = ((kind, pattern, text) for text in (whole, without_number(whole)) for kind, pattern in _PARTS.items())
    return next((kind for kind, pattern, text in parts if pattern.fullmatch(text)), None)


def mark_kinds(root: Draft) -> None:
    """Set ``metadata["kind"]`` of the parts of a document, in place.

    A section gets its own kind; the leaves of abstract and keywords share it, those of the references are
    "reference" each. In the front matter the paragraph that shows the document's title has the kind "title", and
    those that begin with "Abstract" or "Keywords" have theirs.
    """
    title = normal(root.title)
    front = 0
    for node in root.walk():
        if node.role == "section":
            if kind := kind_of(node.title):
                _mark(node, kind)
            elif front < FRONT and title and normal(node.title) == title:
                node.metadata["kind"] = "title"
                title = ""
        elif node.role in ("paragraph", "list") and front < FRONT:
            front += 1
            if title and len(node.text) < 400 and normal(node.text) == title:
                node.metadata["kind"] = "title"
                title = ""
            elif match := _RUN_IN.match(node.text.lstrip(_LEAD)):
                node.metadata.setdefault("kind", match.lastgroup)


def _mark(section: Draft, kind: str) -> None:
    leaves = [child for child in section.children if child.role in ("paragraph", "list")]
    if kind == "contents" and sum(len(leaf.text) for leaf in leaves) > LONGEST_ENTRY * len(leaves):
        return  # a heading that went astray: text stands below it
    section.metadata["kind"] = kind
    for leaf in leaves:
        if leaf_kind := _OF_LEAVES.get(kind):
            leaf.metadata.setdefault("kind", leaf_kind)


def cover_form(tree: Tree) -> frozenset[str]:
    """Return the ids of what stands before the first heading of the file, where it is a form and not all of it."""
    cover: list[str] = []
    boxes = False
    for node in tree.nodes[1:]:
        if node.role == "section" and not node.metadata.get("generated"):
            break
        cover.append(node.node_id)
        boxes = boxes or bool(_BOX.search(node.text))
    return frozenset(cover) if boxes and 2 * len(cover) < len(tree.nodes) else frozenset()


def is_form(text: str) -> bool:
    """Tell whether a passage is there to be ticked: "Yes ☒ No ☐", √适用 □不适用."""
    return _TICKED.search(text) is not None
