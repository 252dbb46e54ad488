import pytest

from engine.config import ParsingSettings
from engine.enrich.enrich import enrich
from engine.model import Block, Correction, Node, ParsedFile, Tree
from engine.parse.dispatch import parse_bytes
from engine.structure.corrections import lines_of, places_in
from engine.structure.tree import build_tree

GUIDE = b"""# Guide

Payment

Pay at once.

## Apples

Nine tons.

- 1. Scope
- 2. Terms

| Year | Yield |
|---|---|
| of harvest | tons |
| 2021 | 9 |
| 2022 | 8 |

Storage. Keep them cool.

## Notes

Payment

On demand.
"""


def tree_of(*corrections: Correction, content: bytes = GUIDE) -> Tree:
    return built(parse_bytes(content, "guide.md"), *corrections)


def built(parsed: ParsedFile, *corrections: Correction) -> Tree:
    tree = build_tree(
        parsed, document_id="d1", name="guide.md", sha256="ab" * 32, version=1, settings=ParsingSettings(),
        corrections=corrections,
    )  # fmt: skip
    return enrich(tree)[0]


def place(said: str, tree: Tree | None = None, which: int = 0) -> str:
    """The place of what says this, in the tree that was read without corrections."""
    nodes = (tree or tree_of()).nodes
    found = [(node, lines_of(node).index(said)) for node in nodes[1:] if said in lines_of(node)]
    node, line = found[which]
    return places_in(nodes)[node.node_id][line]


def sections(tree: Tree) -> list[tuple[int | None, str]]:
    return [(node.level, node.title) for node in tree.nodes if node.role == "section"]


def below(tree: Tree, title: str) -> list[str]:
    section = next(node for node in tree.nodes if node.title == title and node.role == "section")
    return [node.title or node.text for node in tree.nodes if node.parent_id == section.node_id]


def table(tree: Tree) -> Node:
    return next(node for node in tree.nodes if node.role == "table")


def test_a_paragraph_becomes_a_heading_and_holds_what_follows():
    tree = tree_of(Correction("heading", place("Payment"), level=2))
    assert sections(tree) == [(1, "Guide"), (2, "Payment"), (2, "Apples"), (2, "Notes")]
    assert below(tree, "Payment") == ["Pay at once."]


def test_of_two_that_say_the_same_the_second_is_corrected():
    tree = tree_of(Correction("heading", place("Payment", which=1), level=3))
    assert sections(tree)[-2:] == [(2, "Notes"), (3, "Payment")]
    assert below(tree, "Payment") == ["On demand."]


def test_a_heading_gets_another_level_and_other_words():
    tree = tree_of(Correction("heading", place("Apples"), "Apples and pears", level=1))
    assert sections(tree)[:2] == [(1, "Guide"), (1, "Apples and pears")]


def test_what_is_no_heading_becomes_text():
    tree = tree_of(Correction("text", place("Apples")))
    assert sections(tree) == [(1, "Guide"), (2, "Notes")]
    assert "Apples" in below(tree, "Guide")


def test_an_item_of_a_list_becomes_a_heading():
    tree = tree_of(Correction("heading", place("2. Terms"), level=3))
    assert (3, "2. Terms") in sections(tree)
    assert "1. Scope" in below(tree, "Apples")


def test_a_paragraph_that_begins_with_its_heading_keeps_the_rest_as_text():
    tree = tree_of(Correction("heading", place("Storage. Keep them cool."), "Storage", level=2))
    assert below(tree, "Storage") == ["Keep them cool."]


@pytest.mark.parametrize(
    ("said", "heading", "rest"),
    [
        ("Apples", "Apple", []), ("Storage. Keep them cool.", "Stor", ["Keep them cool."]),
        ("付款条件买方应付款。", "付款条件", ["买方应付款。"]),
        ("付款条件：买方应付款。", "付款条件", ["买方应付款。"]),
        ("Terms — pay", "Terms", ["pay"]), ("Storage", "Keeping", []), ("Storage", "Storage of apples", []),
    ],
)  # fmt: skip
def test_of_other_words_nothing_is_lost_and_no_half_of_a_word_is_left(said: str, heading: str, rest: list[str]):
    parsed = ParsedFile("text/plain", [Block("paragraph", said)])
    tree = built(parsed, Correction("heading", place(said, built(parsed)), heading))
    assert sections(tree) == [(1, heading)] and below(tree, heading) == rest


def test_the_rest_of_a_paragraph_can_be_corrected_in_its_turn():
    first = Correction("heading", place("Storage. Keep them cool."), "Storage", level=2)
    second = Correction("heading", place("Keep them cool.", tree_of(first)), level=3)
    assert sections(tree_of(first, second))[2:4] == [(2, "Storage"), (3, "Keep them cool.")]


def test_the_document_has_the_title_that_was_given():
    assert tree_of(Correction("title", text="The orchard")).nodes[0].title == "The orchard"


def of_text(content: str, *corrections: Correction) -> Tree:
    return built(parse_bytes(content.encode(), "notes.txt"), *corrections)


FORM = "Order\n\nSeller: North Ltd.\nTerms of payment\nDue: in May\n\n- Bolts\n  and nuts\n- Screws\n\nThanks."


@pytest.mark.parametrize(
    ("said", "before", "after"),
    [
        ("Terms of payment", "Seller: North Ltd.", "Due: in May"), ("Seller: North Ltd.", "Order", "Terms of payment"),
        ("Due: in May", "Terms of payment", "Bolts"), ("and nuts", "Bolts", "Screws"),
        ("Screws", "and nuts", "Thanks."),
    ],
)  # fmt: skip
def test_any_line_of_a_text_of_several_becomes_a_heading_and_the_others_stay(said: str, before: str, after: str):
    plain = of_text(FORM)
    assert any("\n" in node.text for node in plain.nodes if node.role == "paragraph")
    tree = of_text(FORM, Correction("heading", place(said, plain), level=2))
    lines = [line for node in tree.nodes[1:] for line in lines_of(node)]
    assert (2, said) in sections(tree)
    assert lines == [line for node in plain.nodes[1:] for line in lines_of(node)]
    assert lines[lines.index(said) - 1 : lines.index(said) + 2] == [before, said, after]


def test_a_line_that_became_a_heading_is_made_text_again():
    where = place("Terms of payment", of_text(FORM))
    tree = of_text(FORM, Correction("text", where))
    assert "Terms of payment" not in [title for _, title in sections(tree)]
    assert [node.metadata["correction"] for node in tree.nodes if node.text == "Terms of payment"] == [where]


def test_lines_are_corrected_one_after_the_other():
    made: list[Correction] = []
    chosen = ("Due: in May", "Seller: North Ltd.", "Terms of payment", "Screws", "and nuts")
    for said in chosen:
        made.append(Correction("heading", place(said, of_text(FORM, *made)), level=2))
    assert {said for level, said in sections(of_text(FORM, *made)) if level == 2} == set(chosen)


def test_what_was_once_corrected_as_a_whole_is_found_again():
    tree = of_text(FORM, Correction("heading", "text:0:sellernorthltdtermsofpaymentdueinmay", "Seller", level=2))
    assert (2, "Seller") in sections(tree) and below(tree, "Seller")[0].endswith("Due: in May")


LONG = " ".join(f"In year {n} the harbour had {n * 7} ships, which paid {n * 9} crowns each." for n in range(1, 40))


def test_a_heading_in_the_midst_of_a_paragraph_parts_it():
    text = f"{LONG} Tolls and dues. {LONG.replace('ships', 'boats')}"
    plain = of_text(text)
    said = next(line for node in plain.nodes[1:] for line in lines_of(node) if "Tolls and dues" in line)
    tree = of_text(text, Correction("heading", place(said, plain), "Tolls and dues", level=1))
    assert (1, "Tolls and dues") in sections(tree)
    words = " ".join(node.title if node.role == "section" else node.text for node in tree.nodes[1:])
    assert words.replace("Tolls and dues", "").split() == text.replace("Tolls and dues.", "").split()


def test_each_part_of_a_long_paragraph_is_corrected_by_its_beginning():
    plain = of_text(LONG)
    parts = [node.text for node in plain.nodes if node.role == "paragraph"]
    assert len(parts) > 1
    title = " ".join(parts[-1].split()[:3])
    tree = of_text(LONG, Correction("heading", place(parts[-1], plain), title, level=1))
    assert sections(tree)[-1] == (1, title)
    assert "".join(below(tree, title)) == parts[-1][len(title) :].strip()


@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_the_header_of_a_table_has_the_rows_that_were_given(rows: int):
    tree = tree_of()
    where = places_in(tree.nodes)[table(tree).node_id][0]
    corrected = table(tree_of(Correction("header_rows", where, rows=rows)))
    assert corrected.metadata["header_rows"] == rows
    assert corrected.metadata["rows"] == table(tree).metadata["rows"]


def test_two_rows_of_a_header_name_the_columns_together():
    where = places_in(tree_of().nodes)[table(tree_of()).node_id][0]
    names = [column["name"] for column in table(tree_of(Correction("header_rows", where, rows=2))).columns]
    assert names == ["Year / of harvest", "Yield / tons"]


def test_more_rows_than_a_table_has_leave_one_that_is_no_header():
    where = places_in(tree_of().nodes)[table(tree_of()).node_id][0]
    shorter = GUIDE.replace(b"| 2021 | 9 |\n| 2022 | 8 |\n", b"")
    assert table(tree_of(Correction("header_rows", where, rows=5), content=shorter)).metadata["header_rows"] == 1


def test_corrections_hold_where_the_text_around_is_another():
    newer = GUIDE.replace(b"Pay at once.", b"Pay within a month.").replace(b"# Guide\n", b"# Guide\n\nIn force.\n")
    tree = tree_of(Correction("heading", place("Payment"), level=2), Correction("text", place("Apples")), content=newer)
    assert sections(tree) == [(1, "Guide"), (2, "Payment"), (2, "Notes")]


def test_what_is_not_found_changes_nothing():
    kept = [Correction("heading", place("Payment", which=1), level=2), Correction("text", "text:0:pears")]
    newer = GUIDE.split(b"## Notes")[0]
    assert tree_of(*kept, content=newer) == tree_of(content=newer)


def test_every_place_is_told_the_same_after_a_correction():
    made = (
        Correction("heading", place("Payment"), "To be paid", level=2), Correction("text", place("Apples")),
        Correction("heading", place("2. Terms"), level=2),
    )  # fmt: skip
    before, after = places_in(tree_of().nodes), places_in(tree_of(*made).nodes)

    def told(places: dict[str, list[str]]) -> set[str]:
        return {one for many in places.values() for one in many}

    assert told(before) == told(after)


def test_all_parts_of_a_divided_table_are_corrected_as_one():
    rows = [["Year", "Tons"], ["of harvest", "net"], ["2021", "9"]]
    parts = [
        Block("table", "x", metadata={"rows": rows, "header_rows": 1, "part": [n, 2], "sheet": "S"}) for n in (1, 2)
    ]
    parsed = ParsedFile("text/csv", parts)
    tables = [node for node in built(parsed).nodes if node.role == "table"]
    places = [places_in(built(parsed).nodes)[node.node_id] for node in tables]
    assert places[0] == places[1]
    found = built(parsed, Correction("header_rows", places[0][0], rows=2))
    assert [node.metadata["header_by_hand"] for node in found.nodes if node.role == "table"] == [2, 2]


def test_a_bookmark_that_is_not_printed_leaves_no_text_behind():
    text = Block("paragraph", "Nine tons of apples.", 1, (72, 72, 300, 90), evidence={"column": 0})
    outline = [{"level": 1, "title": title, "page": 1, "y": 70.0} for title in ("Yield", "Sales", "Costs")]
    parsed = ParsedFile("application/pdf", [text], pages=1, outline=outline)
    assert ("Sales") in [title for _, title in sections(built(parsed))]
    tree = built(parsed, Correction("text", place("Sales", built(parsed))))
    assert not any("Sales" in node.title + node.text for node in tree.nodes)


def test_a_title_that_was_made_up_is_none_once_it_was_corrected():
    made_up = Block("heading", "Slide 1", 1, level=1, metadata={"generated": True, "title_generated": True})
    parsed = ParsedFile("application/vnd.ms-powerpoint", [made_up, Block("paragraph", "Yield", 1)], pages=1)
    assert places_in(built(parsed).nodes)[built(parsed).nodes[1].node_id] == [""]
    tree = built(parsed, Correction("heading", place("Yield", built(parsed)), level=1))
    assert [node.metadata.get("generated") for node in tree.nodes if node.title == "Yield"] == [None]


def test_signs_alone_have_no_place():
    nodes = built(ParsedFile("text/plain", [Block("paragraph", "✓"), Block("paragraph", "§ 1")])).nodes
    assert sorted(one for many in places_in(nodes).values() for one in many) == ["", "", "text:0:1"]
