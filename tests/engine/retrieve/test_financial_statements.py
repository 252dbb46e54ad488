"""Questions about measures find the statement that they are made of, which shares no word with them."""

import pytest

from engine.config import Settings
from engine.ingest import Source
from engine.retrieve.financial_statements import INCOME, statements_asked, telling_rows

ENGLISH = """# Annual report of Ardent Mills

## Outlook

We see improving demand. Margins of our peers are under pressure, and the profile of the industry is changing.
Ratios of this kind are watched closely; a quick look at peers shows that the ratio of costs is improving too.

{noise}

## Statement A

| | 2023 | 2022 |
| --- | --- | --- |
| Net sales | 812 | 790 |
| Cost of products sold | 540 | 533 |
| Operating income | 120 | 112 |
| Income before income taxes | 104 | 99 |
| Net income | 81 | 77 |

## Statement B

| | 2023 | 2022 |
| --- | --- | --- |
| Cash and cash equivalents | 65 | 51 |
| Inventories | 90 | 88 |
| Total current assets | 310 | 295 |
| Total assets | 940 | 915 |
| Total current liabilities | 205 | 212 |
| Total liabilities | 520 | 530 |

## Statement C

| | 2023 | 2022 |
| --- | --- | --- |
| Depreciation and amortization | 44 | 42 |
| Net cash provided by operating activities | 131 | 118 |
| Purchases of property and equipment | (57) | (49) |
| Net cash used in investing activities | (60) | (55) |
| Net cash used in financing activities | (57) | (52) |
""".format(
    noise="\n\n".join(
        f"## Chapter {n}\n\nThe margin of safety in mill {n} is improving, and the ratio of flour to bran is good."
        for n in range(15)
    )
)
CHINESE = """# 北方机械年度报告

## 经营情况

公司的毛利率受到市场关注，盈利能力如何变化，投资者十分关心速动比率与偿债能力。

## 报表甲

| 项目 | 2023年 | 2022年 |
| --- | --- | --- |
| 一、营业总收入 | 812 | 790 |
| 减：营业成本 | 540 | 533 |
| 营业利润 | 120 | 112 |
| 利润总额 | 104 | 99 |
| 净利润 | 81 | 77 |

## 报表乙

| 项目 | 2023年 | 2022年 |
| --- | --- | --- |
| 货币资金 | 65 | 51 |
| 存货 | 90 | 88 |
| 流动资产合计 | 310 | 295 |
| 资产总计 | 940 | 915 |
| 流动负债合计 | 205 | 212 |
| 负债合计 | 520 | 530 |
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Is the quick ratio of Ardent Mills improving?", ["balance sheet"]),
        ("Has the gross margin improved?", ["income statement"]),
        ("How high was capex in 2023?", ["cash flow statement"]),
        ("Is it a capital-intensive business?", ["income statement", "balance sheet", "cash flow statement"]),
        ("What are days payable outstanding (DPO)?", ["income statement", "balance sheet"]),
        ("公司的速动比率是多少？", ["balance sheet"]),
        ("2023年的毛利率如何变化？", ["income statement"]),
        ("存货周转率是多少？", ["income statement", "balance sheet"]),
        ("What is the margin of safety in mill 3?", []),
        ("Who wrote the cash book?", []),
        ("公司的注册地址在哪里？", []),
    ],
)
def test_a_measure_names_the_statements_that_it_is_made_of(question, names):
    assert [one.name for one in statements_asked(question)] == names


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("Is the quick ratio improving?", "Statement B"),
        ("Does it have an improving gross margin profile?", "Statement A"),
        ("What was capex in 2023?", "Statement C"),
    ],
)
def test_the_statement_is_found_where_the_words_of_the_question_stand_elsewhere(library, question, section):
    library.add([Source("ardent.md", ENGLISH.encode())])
    library.embed_pending()
    first = library.search(question, top_k=3).hits[0]
    assert first.role == "table" and first.path[-1] == section
    assert any(reason.startswith("statement:") for reason in first.why)


@pytest.mark.parametrize(("question", "section"), [("速动比率是多少？", "报表乙"), ("毛利率有什么变化？", "报表甲")])
def test_a_chinese_statement_is_found_and_named_in_chinese(library, question, section):
    library.add([Source("年报.md", CHINESE.encode())])
    first = library.search(question, top_k=3).hits[0]
    assert first.path[-1] == section
    assert {"statement:资产负债表", "statement:利润表"} & set(first.why)


def test_the_own_statement_comes_before_the_parents_and_every_document_keeps_its_own(library):
    rows = ENGLISH.partition("## Statement B")[2].partition("## Statement C")[0]
    parent = rows.replace("310", "31")
    library.add([
        Source("a.md", f"# A\n\n## Parent company balance sheet\n{parent}\n## Balance sheet\n{rows}".encode()),
        Source("b.md", f"# B\n\n## Balance sheet\n{rows}".encode()),
    ])  # fmt: skip
    library.embed_pending()
    hits = library.search("How good is the quick ratio?", top_k=5).hits
    tables = [(hit.document, hit.path[-1]) for hit in hits if hit.role == "table"]
    assert {("a.md", "Balance sheet"), ("b.md", "Balance sheet")} <= set(tables)
    assert tables.index(("a.md", "Balance sheet")) < tables.index(("a.md", "Parent company balance sheet"))


def test_a_table_with_one_row_of_a_statement_is_none(library):
    library.add([Source("stores.md", b"# Stores\n\n| | 2023 |\n| --- | --- |\n| Inventories | 7 |\n")])
    hits = library.search("How good is the quick ratio?", top_k=5).hits
    assert not any(reason.startswith("statement:") for hit in hits for reason in hit.why)


def test_statements_are_left_alone_where_the_setting_says_so(library):
    library.add([Source("ardent.md", ENGLISH.encode())])
    library.update_settings({"retrieval.fusion.statement": 0.0})
    hits = library.search("Is the quick ratio improving?", top_k=20).hits
    assert not any(reason.startswith("statement:") for hit in hits for reason in hit.why)
    assert Settings().retrieval.fusion.statement > 0


def test_rows_are_counted_once_each_by_their_names():
    income = INCOME
    assert telling_rows(income, "Net sales | 1\nNet sales of mills | 2\nNet income | 3") == 2
    assert telling_rows(income, "Mills | Net sales\nBakeries | Net income") == 0
