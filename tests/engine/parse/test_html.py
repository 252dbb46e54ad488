import pytest

from engine.config import ParsingSettings
from engine.errors import LimitExceededError
from engine.parse.detect import detect
from engine.parse.dispatch import parse_bytes, parse_file
from engine.parse.html import parse_html


def parsed(text: str | bytes):
    return parse_html(text if isinstance(text, bytes) else text.encode(), "page.html")


def blocks_of(text: str):
    return [(block.kind, block.text) for block in parsed(f"<html><body>{text}</body></html>").blocks]


def table_of(text: str):
    (block,) = (block for block in parsed(text).blocks if block.kind == "table")
    return block


def test_headings_paragraphs_and_their_levels():
    page = parsed("<h1>Ducks</h1><p>They   swim.</p><h3>Food</h3><p>Bread<br>and grass &amp; more&nbsp;&#8230;</p>")
    assert [(b.kind, b.level, b.text) for b in page.blocks] == [
        ("heading", 1, "Ducks"),
        ("paragraph", None, "They swim."),
        ("heading", 3, "Food"),
        ("paragraph", None, "Bread\nand grass & more …"),
    ]
    assert page.title == "Ducks"
    assert page.media_type == "text/html"


def test_inline_markup_leaves_the_words_alone():
    assert blocks_of("<p>H<sub>2</sub>O is <b>wet</b>, see <a href='x'>here</a>.</p>") == [
        ("paragraph", "H2O is wet, see here.")
    ]


def test_lists_keep_levels_and_numbers():
    page = parsed("<ol start=3><li>three<ul><li>inner</li></ul></li><li>four</li><li value=9>nine</li></ol>")
    assert [(b.level, b.text) for b in page.blocks] == [
        (1, "3. three"),
        (2, "inner"),
        (1, "4. four"),
        (1, "9. nine"),
    ]


def test_terms_and_their_meanings_are_items():
    page = parsed("<dl><dt>Coffee</dt><dd>Black and hot</dd><div><dt>Milk</dt><dd>White</dd></div></dl>")
    assert [(b.level, b.text) for b in page.blocks] == [
        (1, "Coffee"), (2, "Black and hot"), (1, "Milk"), (2, "White"),
    ]  # fmt: skip


def test_spans_of_cells_are_kept():
    table = table_of(
        "<table><caption>Sales</caption><thead><tr><th rowspan=2>Region<th colspan=2>Year</tr>"
        "<tr><th>2023<th>2024</tr></thead><tr><td>North<td>1<td>2</tr></table>"
    )
    assert table.metadata["rows"] == [
        ["Region", "Year", "Year"],
        ["Region", "2023", "2024"],
        ["North", "1", "2"],
    ]
    assert table.metadata["header_rows"] == 2
    assert table.metadata["merged"] == [
        {"row": 0, "column": 0, "row_span": 2, "column_span": 1},
        {"row": 0, "column": 1, "row_span": 1, "column_span": 2},
    ]


def test_a_row_that_only_names_the_rows_beside_it_joins_the_next():
    table = table_of(
        "<table><tr><th>Year<th>Month</tr><tr><th rowspan=3>2025</tr><tr><td>May</tr><tr><td>June</tr></table>"
    )
    assert table.metadata["rows"] == [["Year", "Month"], ["2025", "May"], ["2025", "June"]]
    assert table.metadata["header_rows"] == 1


def test_captions_stand_before_tables_and_after_pictures():
    kinds = blocks_of(
        "<figure><img src='http://x.y/d.png' alt='A duck'><figcaption>Figure 1: a duck</figcaption></figure>"
        "<table><caption>Table 1</caption><tr><td>a<td>b</table>"
    )
    assert kinds == [
        ("image", "A duck"), ("caption", "Figure 1: a duck"), ("caption", "Table 1"), ("table", "a | b"),
    ]  # fmt: skip


def test_a_table_of_one_cell_is_only_a_frame():
    assert blocks_of("<table><tr><td><h2>News</h2><p>Text</p></td></tr></table>") == [
        ("heading", "News"), ("paragraph", "Text"),
    ]  # fmt: skip


def test_code_keeps_its_lines():
    assert blocks_of("<pre><code>def f():\n    return 1\n</code></pre>") == [("code", "def f():\n    return 1")]


def test_only_the_main_content_is_read_where_it_is_marked():
    page = parsed(
        "<body><header><h1>The title</h1></header><nav><ul><li>Home</li></ul></nav>"
        "<main><header><h2>Part</h2></header><p>" + "The text that matters. " * 20 + "</p>"
        "<nav>Next page</nav><footer>Share this</footer></main><footer>© 2026</footer></body>"
    )
    words = " ".join(block.text for block in page.blocks)
    assert [b.text for b in page.blocks if b.kind == "heading"] == ["The title", "Part"]
    assert not any(other in words for other in ("Home", "Next page", "Share this", "©"))


def test_without_marked_content_all_of_the_body_is_read():
    assert ("paragraph", "A last word") in blocks_of("<p>Text</p><footer>A last word</footer>")


def test_what_is_not_shown_is_not_read():
    shown = blocks_of(
        "<script>alert(1)</script><style>p{}</style><p hidden>a</p><p style='display: none'>b</p>"
        "<noscript>c</noscript><template>d</template><!-- e --><button>f</button><p>seen</p>"
    )
    assert shown == [("paragraph", "seen")]


def test_a_formula_is_given_as_its_source():
    formula = (
        "<math display='block'><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation>"
        "</semantics></math>"
    )
    assert blocks_of(formula) == [("equation", "x^2")]


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="gb2312">', "gb18030"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=big5">', "big5"),
        ('<meta charset="utf-8">', "gbk"),
        ("", "utf-8"),
    ],
)
def test_the_encoding_is_what_the_page_says_unless_its_bytes_disagree(head, encoding):
    text = "在中国的发展是一个大的成就，这些都是我们的时代。" if encoding != "big5" else "在中國的發展是一個大的成就"
    page = parsed(f"<html><head>{head}</head><body><p>{text}</p></body></html>".encode(encoding))
    assert page.blocks[0].text == text


def test_a_page_declared_as_latin_1_has_the_quotes_that_browsers_show():
    page = parsed('<html><head><meta charset="iso-8859-1"></head><p>“Ä”</p>'.encode("cp1252"))
    assert page.blocks[0].text == "“Ä”"


def test_elements_nested_without_end_do_no_harm():
    deep = parsed("<div>" * 50_000 + "<p>deep text</p>" + "</div>" * 50_000)
    assert "deep text" in deep.blocks[0].text
    assert "cell" in parsed("<table><tr><td>" * 3000 + "cell").blocks[0].text
    assert "item" in parsed("<ul><li>" * 5000 + "item").blocks[-1].text


def test_spans_that_claim_a_million_cells_are_refused_or_bounded():
    row = "<tr>" + "<td colspan=1000 rowspan=60000>x</td>" * 10 + "</tr>"
    with pytest.raises(LimitExceededError, match="cells"):
        parsed("<table>" + row * 800 + "</table>")
    assert len(table_of("<table><tr><th colspan=999999999>a<th>b</table>").metadata["rows"][0]) == 1001


def test_more_paragraphs_than_a_tree_can_hold_are_refused():
    with pytest.raises(LimitExceededError, match="Split it"):
        parsed("<p>x</p>" * 260_000)


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("page", "<!DOCTYPE html><html><body><p>x</p></body></html>", "html"),
        ("page.txt", "<html><body>x</body></html>", "html"),
        ("page.html", "<h1>Title</h1>\n<p>Text</p>", "html"),
        ("page.txt", "<h1>Title</h1>\n<p>Text</p>", "text"),
        ("page.html", "Only a note", "text"),
    ],
)
def test_a_web_page_is_told_by_its_content(tmp_path, name, text, kind):
    path = tmp_path / name
    path.write_text(text)
    assert detect(path, name) == kind
    assert parse_file(path, name, ParsingSettings()).blocks


def test_the_readings_of_characters_are_no_part_of_the_text():
    text = "<ruby>重<rp>(</rp><rt>chóng</rt><rp>)</rp>庆</ruby>分公司"
    assert blocks_of(f"<p>{text}</p>") == [("paragraph", "重庆分公司")]
    assert parse_file_text(text) == ["重庆分公司"]


def parse_file_text(text: str) -> list[str]:
    return [block.text for block in parse_bytes(f"# T\n\n{text}\n".encode(), "a.md").blocks[1:]]
