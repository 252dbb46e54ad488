from engine.model import Node, Tree
from engine.retrieve.tree_evidence import TreeEvidence


def test_evidence_with_a_line_that_was_hard_to_read_is_doubted():
    lines = [{"text": "Blood type A", "confidence": 0.97}, {"text": "Blandyeysiociater", "confidence": 0.55}]
    clear = Node("a", None, "paragraph", text="Blood type A", metadata={"ocr_lines": lines})
    unclear = Node("b", None, "paragraph", text="Blandyeysiociater", metadata={"ocr_lines": lines})
    evidence = TreeEvidence(Tree("d", "scan.pdf", "application/pdf", 1, 1, [clear, unclear]))
    assert (evidence.of(clear).doubted, evidence.of(unclear).doubted) == (False, True)
