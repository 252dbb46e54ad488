"""Pages of elements in elements in elements are read in time, with all their words."""

import time

import pytest

from engine.parse.html import parse_html
from engine.parse.html_text import MAX_OPEN, bounded

LEVELS = 100_000
SECONDS = 30  # on a loaded machine; unbounded it takes minutes


@pytest.mark.parametrize(
    "tags",
    ["<div>", "<b>", "<ul><li>", "<dl><dd>", "<table><tr><td>", "<section>x", "<blockquote>", "<b><p>", "<x-y>",
     "<b></p>", "<DIV class='a'>", "<span title='>'>", "<h1>", "<font><p>", "<main>"],
)  # fmt: skip
def test_deep_pages_are_read_in_time_with_their_last_words(tags):
    page = f"<html><body><p>first words</p>{tags * LEVELS}last words"
    started = time.process_time()
    blocks = parse_html(page.encode(), "deep.html").blocks
    assert time.process_time() - started < SECONDS
    text = " ".join(block.text for block in blocks)
    assert "first words" in text and "last words" in text


def test_what_stands_after_the_depths_keeps_its_structure():
    page = f"<body>{'<div>' * 5000}deep{'</div>' * 5000}<h2>After</h2><ul><li>one<li>two</ul>"
    blocks = parse_html(page.encode(), "deep.html").blocks
    assert [(block.kind, block.text) for block in blocks] == [
        ("paragraph", "deep"), ("heading", "After"), ("list_item", "one"), ("list_item", "two"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "page",
    [
        "<p>one<p>two" * 2000,
        "<ul>" + "<li><a href=x>text</a>" * 3000 + "</ul>",
        "<table>" + "<tr><td>1<td>2" * 2000 + "</table>",
        "<dl>" + "<dt>word<dd>meaning" * 2000 + "</dl>",
        "<div>" * (MAX_OPEN - 2) + "text" + "</div>" * (MAX_OPEN - 2),
        "<br><img src=x><hr>" * 3000,
        "<script>" + "'<div>'" * 3000 + "</script><p>text",
        "<!--" + "<div>" * 3000 + "--><p>text",
        "a < b and c > d " * 500,
    ],
)
def test_ordinary_pages_are_left_as_they_are(page):
    assert bounded(page) == page


@pytest.mark.parametrize("piece", ["<!--", "<script>", "<a ", '<a "', "<", "</", "<title><div>", "<style", "</b>"])
def test_broken_tags_take_no_time(piece):
    started = time.process_time()
    bounded(piece * 300_000)
    assert time.process_time() - started < SECONDS
