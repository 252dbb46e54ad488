"""An article that is asked for by its number is quoted whole, from the document that is meant."""

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.overview.places import place_in

SUPPLY = """# Supply Agreement

3.1 The Supplier delivers within ten days.

If a delivery is late, the Buyer may cancel it.

3.2 The Supplier bears the risk.

4.1 The price is 20 euro a crate.
"""
LEASE = """# 房屋租赁合同

第一条 租赁期限为三年。

第二条 月租金为人民币5000元。

乙方应当以下列方式支付：

（一）银行转账；

（二）现金。

逾期支付的，加收违约金。

第三条 甲方负责房屋的修缮。
"""
RULES = """# 房屋租赁合同备案办法

第一条 合同应当备案。

第二条 备案不收取费用。

第三条 本办法自公布之日起施行。
"""
TREATY = """# Treaty of Oak

## Article 1 Members

Members are the states that signed.

## Article 2 Duties

Each member plants a tree a year.
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    folder = tmp_path_factory.mktemp("articles")
    with Library.open(folder / "shelf", settings=settings, background=False) as opened:
        opened.add([Source(f"{name}.md", text.encode()) for name, text in
                    (("supply", SUPPLY), ("租赁合同", LEASE), ("备案办法", RULES), ("oak", TREATY))])  # fmt: skip
        yield opened


def quoted(library, question):
    made = library.ask(question)
    for source in made.sources:
        assert source.snippet in library.node(source.node_id).node.text
    return made.answered and [(source.document, source.snippet) for source in made.sources]


def test_an_article_is_quoted_with_all_its_paragraphs(shelf):
    assert quoted(shelf, "What does clause 3.1 of the supply agreement say?") == [
        ("supply.md", "3.1 The Supplier delivers within ten days."),
        ("supply.md", "If a delivery is late, the Buyer may cancel it."),
    ]


def test_one_paragraph_of_an_article_is_quoted_with_its_items(shelf):
    assert [text for _, text in quoted(shelf, "租赁合同第二条第二款的内容是什么？")] == [
        "乙方应当以下列方式支付：", "（一）银行转账；", "（二）现金。",
    ]  # fmt: skip


def test_an_article_that_is_a_heading_is_quoted_from_below_it(shelf):
    assert quoted(shelf, "Show me article 2 of the Treaty of Oak") == [("oak.md", "Each member plants a tree a year.")]


def test_a_title_that_stands_in_the_question_whole_is_meant(shelf):
    assert {name for name, _ in quoted(shelf, "《房屋租赁合同》第三条规定了什么？")} == {"租赁合同.md"}
    assert {name for name, _ in quoted(shelf, "房屋租赁合同备案办法第三条规定了什么？")} == {"备案办法.md"}


def test_without_a_name_every_document_that_has_the_article_is_quoted(shelf):
    made = shelf.ask("第三条是什么？")
    assert {source.document for source in made.sources} == {"租赁合同.md", "备案办法.md"}
    assert "租赁合同.md:" in made.answer and "备案办法.md:" in made.answer


@pytest.mark.parametrize(
    "question", ["租赁合同第九条规定了什么？", "租赁合同第三条第四款是什么？", "What does clause 9.9 say?"]
)
def test_an_article_that_is_not_there_is_not_quoted(shelf, question):
    assert not shelf.ask(question).answered


@pytest.mark.parametrize(
    "question",
    ["When does the lease end?", "第三条和第四条有什么区别？", "Compare article 3 with article 4."],
)
def test_other_questions_ask_for_no_article(question):
    assert place_in(question) is None
