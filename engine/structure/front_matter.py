"""Forms: covers with check boxes and passages to tick, which say nothing of what a document is about."""

import re

from engine.model import Tree

# Boxes as characters, and as the letters that they are in the fonts of older word processors; 是 □否, √适用 □不适用.
_BOX = re.compile(r"[☐☑☒□]|(?<![^\W\d_])[¨þý](?![^\W\d_])")
_TICKED = re.compile(r"[☐☑☒]|[□√✓✔]\s?[^\s□√✓✔]{1,12}\s*[□√✓✔]|[¨þý]\s?\w{1,12}\s*[¨þýx]\b")


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
