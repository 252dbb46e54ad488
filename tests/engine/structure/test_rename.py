import pytest

from engine.model import Node, Tree, section_path
from engine.structure.normalization import checked_name, rename_generated

TEXT = "The harbour sells ice to the fish market."


def tree_of(**facts: object) -> Tree:
    nodes = [
        Node("n0", None, "document", "Town"),
        Node("n1", "n0", "section", "Key phrase", depth=1, metadata=dict(facts)),
        Node("n2", "n1", "paragraph", "", TEXT, depth=2),
    ]
    return Tree("d", "town.txt", "text/plain", 1, None, nodes)


def test_a_generated_section_takes_the_models_name_and_keeps_all_else():
    before = tree_of(generated=True)
    seen: list[str] = []
    after = rename_generated(before, lambda text: seen.append(text) or "Ice for the market")
    assert seen == [TEXT]
    assert after.nodes[1].title == "Ice for the market" and after.nodes[1].node_id == "n1"
    assert (after.nodes[0], after.nodes[2]) == (before.nodes[0], before.nodes[2])


def test_a_path_names_a_generated_section_only_once_a_model_has_named_it():
    def path(tree: Tree) -> list[str]:
        return section_path("n2", {node.node_id: node for node in tree.nodes})

    before = tree_of(generated=True)
    assert path(before) == [] and path(tree_of()) == ["Key phrase"]
    assert path(rename_generated(before, lambda _: "Ice for the market")) == ["Ice for the market"]


def test_the_number_of_a_title_that_said_nothing_stays_in_front():
    after = rename_generated(tree_of(original_title="Chapter 4"), lambda _: "“Ice”.")
    assert after.nodes[1].title == "Chapter 4: Ice"


def test_headings_of_the_file_are_never_named():
    assert rename_generated(tree_of(), lambda _: "Other").nodes[1].title == "Key phrase"


def test_a_section_is_named_once():
    once = rename_generated(tree_of(generated=True), lambda _: "Ice")
    assert rename_generated(once, lambda _: "Fish") == once


@pytest.mark.parametrize(
    "name", [None, "", "Two\nlines", "x" * 80, "渔市的冰", "Section 2", "see https://a.example", "<b>Ice</b>"]
)
def test_a_name_that_does_not_serve_changes_nothing(name):
    assert rename_generated(tree_of(generated=True), lambda _: name).nodes[1].title == "Key phrase"


def test_names_are_cleaned():
    assert checked_name('Title: "Ice trade."', TEXT) == "Ice trade"
    assert checked_name("《冰的贸易》", "港口向渔市出售冰块。") == "冰的贸易"
