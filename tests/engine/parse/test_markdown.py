import pytest

from engine.model import Block
from engine.parse.markdown import parse_markdown


def blocks_of(text: str) -> list[Block]:
    return parse_markdown(text.encode(), "file.md").blocks


def shown(text: str) -> list[tuple[str, int | None, str]]:
    return [(block.kind, block.level, block.text) for block in blocks_of(text)]


def test_both_kinds_of_headings_have_their_level():
    text = "# One\n\nTwo\n---\n\n### Three ###\n\n#\n"
    assert shown(text) == [("heading", 1, "One"), ("heading", 2, "Two"), ("heading", 3, "Three")]


def test_markup_goes_and_words_stay():
    text = "A *soft* **hard** `code` ~~gone~~ [link](http://x.y) <b>tag</b> &amp; \\*star\\* <http://a.b>"
    assert blocks_of(text)[0].text == "A soft hard code gone link tag & *star* http://a.b"


def test_wrapped_lines_are_joined_with_spaces_or_none_in_chinese():
    assert blocks_of("one\ntwo  \nthree")[0].text == "one two\nthree"
    assert blocks_of("中文\n换行")[0].text == "中文换行"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("一**款**\n乙方", "一款乙方"),
        ("他说：“好”\n然后", "他说：“好”然后"),
        ("采用\nPython 编写", "采用 Python 编写"),
        ("采用 `code`\n进行", "采用 code 进行"),
        ("see *this*\nand `that`\nthere", "see this and that there"),
        ("付款后\n15 个工作日内完成", "付款后 15 个工作日内完成"),
        ("支付，由甲方\n余款：七十万元", "支付，由甲方余款：七十万元"),
        ("gave two\nreasons: it is old", "gave two reasons: it is old"),
    ],
)
def test_a_wrapped_line_goes_on_whatever_is_marked_in_it(written: str, read: str):
    assert blocks_of(written)[0].text == read


@pytest.mark.parametrize(
    "lines",
    [
        "甲方：某某公司\n乙方：另一公司\n签订日期：2024年",
        "付款安排如下：\n首付款：三十万元\n余款：七十万元",
        "（一）第一项\n（二）第二项\n1、第三项",
        "Name: Alice\nRole: Editor",
        "Read this first.\n2. Then that\n3. And this",
    ],
)
def test_items_and_labels_on_lines_of_their_own_stay_there(lines: str):
    assert blocks_of(lines)[0].text == lines


def test_a_line_that_is_indented_as_chinese_paragraphs_are_begins_one():
    assert blocks_of("　　第一段。\n　　第二段。")[0].text == "第一段。\n第二段。"


def test_nested_lists_keep_levels_and_numbers():
    text = "1. one\n2. two\n   - deep\n     more\n\n   second paragraph\n3. three\n"
    assert shown(text) == [
        ("list_item", 1, "1. one"),
        ("list_item", 1, "2. two"),
        ("list_item", 2, "deep more"),
        ("list_item", 1, "second paragraph"),
        ("list_item", 1, "3. three"),
    ]


def test_a_list_may_start_anywhere():
    assert [text for _, _, text in shown("7) seven\n8) eight\n")] == ["7) seven", "8) eight"]
    assert [text for _, _, text in shown("0. zero\n1. one\n")] == ["0. zero", "1. one"]


def test_a_table_becomes_rows():
    (table,) = blocks_of("| Name | Price |\n|---|--:|\n| *Apple* | 2 € |\n| a\\|b | |\n")
    assert table.metadata["rows"] == [["Name", "Price"], ["Apple", "2 €"], ["a|b", ""]]
    assert table.metadata["header_rows"] == 1
    assert table.text == "Name | Price\nApple | 2 €\na|b"


def test_code_keeps_its_lines_and_language():
    (code,) = blocks_of("```python\ndef f():\n    return 1\n```\n")
    assert (code.kind, code.text, code.metadata["language"]) == ("code", "def f():\n    return 1", "python")


def test_a_heading_sign_in_code_is_no_heading():
    assert [kind for kind, _, _ in shown("```\n# comment\n```\n\n    # indented\n")] == ["code", "code"]


def test_images_are_noted_and_not_fetched():
    text = 'Look: ![a fox](http://evil.example/fox.png "Fox") here\n\n![alone](x.png)\n'
    blocks = blocks_of(text)
    assert [(b.kind, b.text) for b in blocks] == [
        ("image", "a fox"),
        ("paragraph", "Look: here"),
        ("image", "alone"),
    ]
    assert blocks[0].metadata["source"] == "http://evil.example/fox.png"


def test_math_is_kept_as_it_stands():
    blocks = blocks_of("The area $a_1 * b_2 * c$ costs $5 and $6.\n\n$$\nE = mc^2\n\\alpha_{*}\n$$\n\n\\(x_*y_*\\)\n")
    assert blocks[0].text == "The area $a_1 * b_2 * c$ costs $5 and $6."
    assert (blocks[1].kind, blocks[1].text) == ("equation", "E = mc^2\n\\alpha_{*}")
    assert blocks[2].text == "\\(x_*y_*\\)"


def test_quotes_are_marked():
    (quote,) = blocks_of("> wise words\n> indeed\n")
    assert (quote.text, quote.metadata["quote"]) == ("wise words indeed", True)


def test_front_matter_gives_the_title_and_is_kept():
    parsed = parse_markdown(b'---\ntitle: "My Trip"\nauthor: Ann\n---\n\n# Other\n', "x.md")
    assert parsed.title == "My Trip"
    assert parsed.blocks[0].text == 'title: "My Trip"\nauthor: Ann'


def test_the_first_top_heading_is_the_title():
    assert parse_markdown(b"intro\n\n# Handbook\n\n# Other\n", "x.md").title == "Handbook"


def test_html_is_read_as_text_without_tags_and_scripts():
    text = (
        "<div><h2>Head</h2><p>One<br>two</p><ul><li>item</li></ul>"
        "<script>alert(1)</script><!-- note --><img src=x alt=Pic></div>\n"
    )
    assert shown(text) == [
        ("heading", 2, "Head"),
        ("paragraph", None, "One\ntwo"),
        ("list_item", 1, "item"),
        ("image", None, "Pic"),
    ]


def test_an_html_table_keeps_its_spans():
    head = "<tr><th rowspan=2>A</th><th colspan=2>B</th></tr><tr><th>b</th><th>c</th></tr>"
    text = f"<table>{head}<tr><td>1<td>2<td>3</table>\n"
    (table,) = blocks_of(text)
    assert table.metadata["rows"] == [["A", "B", "B"], ["A", "b", "c"], ["1", "2", "3"]]
    assert table.metadata["header_rows"] == 2


def test_nesting_beyond_reason_neither_fails_nor_takes_long():
    for text in (
        "> " * 5000 + "x",
        "[" * 50_000,
        "*a **b " * 20_000,
        "- " * 2000 + "x",
        "`" * 50_001,
        "$" * 50_001,
    ):
        parse_markdown(text.encode(), "x.md")


def test_windows_line_ends_and_marks_do_no_harm():
    assert shown("\ufeff# A\r\n\r\nb\r\n") == [("heading", 1, "A"), ("paragraph", None, "b")]


@pytest.mark.parametrize("mark", ["[", "![", "<!-- ", "\\(", "$$\na\n", "[a](", "*a ", "`a", "<div "])
def test_a_mark_without_its_end_repeated_without_end_is_read_in_bounded_steps(mark):
    parsed = parse_markdown((mark * 8_000).encode() + b"\n\nThe end.", "hostile.md")
    assert len(parsed.blocks) < 20_000


def test_a_formula_and_a_link_in_a_long_paragraph_keep_their_form():
    text = "The sum \\(a + b\\) is $c$, see [the proof](https://example.org). " * 300
    words = " ".join(block.text for block in parse_markdown(text.encode(), "long.md").blocks)
    assert words.count("\\(a + b\\)") == 300
    assert words.count("$c$") == 300
    assert words.count("see the proof.") >= 297


def test_an_html_comment_without_its_end_hides_what_follows_only():
    parsed = parse_markdown(b"Before.\n\n<p>Shown</p><!-- hidden\n<p>hidden too", "comment.md")
    assert [block.text for block in parsed.blocks] == ["Before.", "Shown"]


@pytest.mark.parametrize("note", ["Unused leave lapses in March.", "未休年假三月失效。"])
def test_a_footnote_is_a_note_and_its_number_no_word(note):
    text = f"Leave is 27 days.[^a] Not [^b].\n\n[^a]: {note}\n\n    More *of* it.\n\nEnd.\n\n```\n[^c]: code\n```\n"
    found = blocks_of(text)
    assert [block.text for block in found] == [
        "Leave is 27 days. Not [^b].",
        note,
        "More of it.",
        "End.",
        "[^c]: code",
    ]
    notes = [block.metadata for block in found[1:3]]
    assert notes == [{"note": "footnote", "number": "a"}] * 2 and found[3].metadata == {}
