"""Headings of a web page that no tag tells: by how their words look."""

from engine.config import ParsingSettings
from engine.parse.html import parse_html
from engine.structure.tree import build_tree

TEXT = "The company sells shoes and clothes in most countries of the world, through shops of its own and others. " * 3


def tree_of(body: str):
    page = parse_html(f"<html><body>{body}</body></html>".encode(), "filing.htm")
    return build_tree(page, document_id="d", name="filing.htm", sha256="0" * 64, version=1, settings=ParsingSettings())


def titles_of(body: str) -> list[tuple[int, str]]:
    return [(n.depth, n.title) for n in tree_of(body).nodes if n.role == "section" and "generated" not in n.metadata]


def parts(numbers: range, heading: str) -> str:
    return "".join(heading.format(n, f"Market {chr(64 + n)}") + f"<div>{TEXT}</div>" * 2 for n in numbers)


def test_bold_lines_are_headings_where_a_page_has_no_heading_tags():
    found = titles_of(parts(range(1, 5), "<div><span style='font-weight:700'>Item {0}. {1}</span></div>"))
    assert [title for _, title in found] == [f"Item {n}. Market {chr(64 + n)}" for n in range(1, 5)]


def test_bold_lines_are_none_where_a_page_has_heading_tags():
    found = titles_of("<h1>Markets</h1>" + parts(range(1, 5), "<div><b>Item {0}. {1}</b></div>"))
    assert found == [(1, "Markets")]


def test_italic_headings_lie_below_upright_ones_of_their_size():
    bodies = (f"<p><b>{name}</b></p><p><b><i>{name} abroad</i></b></p><p>{TEXT}</p><p><b><i>{name} at home</i></b></p>"
              f"<p>{TEXT}</p>" for name in ("Footwear", "Apparel", "Equipment"))  # fmt: skip
    found = titles_of("".join(bodies))
    assert found[:4] == [(1, "Footwear"), (2, "Footwear abroad"), (2, "Footwear at home"), (1, "Apparel")]


def test_names_between_numbered_headings_of_their_look_lie_below_them():
    item = "<p><b>Item {0}. {1}</b></p><p>" + TEXT + "</p>"
    names = (f"<p><b>{name}</b></p><p>{TEXT}</p>" for name in ("General", "Competition", "Seasonality"))
    found = titles_of(item.format(1, "Business") + "".join(names) + item.format(2, "Properties"))
    assert found == [(1, "Item 1. Business"), (2, "General"), (2, "Competition"), (2, "Seasonality"),
                     (1, "Item 2. Properties")]  # fmt: skip


def test_what_runs_along_the_edges_of_printed_pages_is_told_once():
    pages = (
        f"<p>Goose Inc.</p><p>Part {n} says: {TEXT}</p><p>{TEXT}</p><p>{n}</p><hr style='page-break-after:always'>"
        for n in range(1, 6)
    )
    tree = tree_of("".join(pages))
    texts = [node.text for node in tree.nodes if node.role == "paragraph"]
    assert texts.count("Goose Inc.") == 1
    assert not {"1", "2", "3", "4", "5"} & set(texts)
    assert texts[-1] == "Goose Inc."


def test_a_paragraph_torn_by_the_end_of_a_page_is_one():
    torn = "".join(
        f"<p>{TEXT}</p><p>Geese of kind {n} live in</p><p>{n}</p><hr style='break-after:page'><p>lakes {n} to 9.</p>"
        for n in range(1, 5)
    )
    texts = [node.text for node in tree_of(torn).nodes]
    assert "Geese of kind 2 live in lakes 2 to 9." in texts


def test_a_row_of_a_bullet_or_number_and_its_text_is_no_table():
    made = parse_html(
        b"<table><tr><td>Item 1.</td><td></td><td><b>Business</b></td></tr></table>"
        b"<table><tr><td>&bull;</td><td>We sell shoes</td></tr></table>"
        b"<table><tr><td>Issuer</td><td>Goose Inc.</td></tr></table>",
        "filing.htm",
    )
    assert [(block.kind, block.text) for block in made.blocks] == [
        ("paragraph", "Item 1. Business"),
        ("list_item", "We sell shoes"),
        ("table", "Issuer | Goose Inc."),
    ]
