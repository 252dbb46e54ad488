import pytest

from engine.config import ParsingSettings
from engine.model import Block, ParsedFile
from engine.structure.section_kinds import kind_of
from engine.structure.tree import build_tree


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Abstract", "abstract"), ("摘  要", "abstract"), ("Keywords:", "keywords"), ("7. References", "references"),
        ("参考文献", "references"), ("Bibliography", "references"), ("致谢", "acknowledgements"),
        ("Appendix A: Proofs", "appendix"), ("附录一 数据", "appendix"), ("目录", "contents"),
        ("Reference frames", None), ("Methods", None), ("Summary of losses", None),
    ],
)  # fmt: skip
def test_known_parts_are_told_by_their_titles(title, kind):
    assert kind_of(title) == kind


def test_the_parts_of_a_paper_are_marked():
    parsed = ParsedFile(
        "text/markdown",
        [
            Block("paragraph", "On Bridges"),
            Block("paragraph", "Abstract — Bridges carry rail and road."),
            Block("heading", "1 Introduction", level=1),
            Block("paragraph", "They are old."),
            Block("heading", "References", level=1),
            Block("paragraph", "[1] A. Smith. Arches. 1932."),
        ],
        title="On bridges",
    )
    tree = build_tree(parsed, document_id="d", name="a.md", sha256="ab", version=1, settings=ParsingSettings())
    kinds = {node.title or node.text: node.metadata.get("kind") for node in tree.nodes[1:]}
    assert list(kinds.values()) == ["title", "abstract", None, None, "references", "reference"]
