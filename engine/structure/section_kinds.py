"""Parts of a document that every reader knows: title, abstract, keywords, contents, references, appendix."""

from engine.language import compiled, patterns
from engine.structure.draft import Draft
from engine.structure.numbering import without_number
from engine.structure.outline import normal

_PARTS = {kind: compiled(f"(?:{words})") for kind, words in patterns("document_parts")["parts"].items()}
_RUN_IN = compiled(patterns("document_parts")["headings"]["run_in"])
_LEAD = " \t\u3000[【*"
FRONT = 30
LONGEST_ENTRY = 120
_OF_LEAVES = {"abstract": "abstract", "keywords": "keywords", "references": "reference"}


def is_contents_title(text: str) -> bool:
    """Tell whether a heading announces a table of contents."""
    return bool(_PARTS["contents"].fullmatch(text.strip(" .:：")))


def kind_of(title: str) -> str | None:
    """Return what part of a document a section with this title is, None for the most."""
    whole = title.strip().strip(" .:：[]【】*")
    for text in (whole, without_number(whole)):
        if kind := next((kind for kind, pattern in _PARTS.items() if pattern.fullmatch(text)), None):
            return kind
    return None


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
