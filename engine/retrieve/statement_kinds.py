"""The three statements of a report: what asks for each, what it is called, and the rows that only it has together.

Statements are alike everywhere (IAS 1 and IAS 7, Regulation S-X, 企业会计准则第30、31号), so a table that has several
of the rows is the statement, whatever its title is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statement:
    """A kind of statement.

    ``name`` and ``chinese`` are what it is called; ``asked`` finds in a question that it is named, or a measure that
    is made of it; ``title`` is what stands above it; ``rows`` match the names of its telling rows; ``words`` are
    those to look for it by.
    """

    name: str
    chinese: str
    asked: re.Pattern[str]
    title: re.Pattern[str]
    rows: tuple[re.Pattern[str], ...]
    words: str


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Measures that are made of two statements, or of all.
_OF_ALL = (r"\bcapital[- ]intens\w+", "资本密集|重资产|轻资产")
_OF_INCOME_AND_CASH = (
    r"\bebitda\b",
    r"\bfree[- ]?cash[- ]?flow (?:conversion|margin)",
    r"\bdividend payout\b",
    "现金流量?比率|收现比|净现比|股利支付率",
)
_OF_INCOME_AND_BALANCE = (
    r"\bturnover ratio",
    r"\b(?:inventor\w+|assets?|receivables?|payables?) turnover",
    r"\bdays (?:payables?|sales|inventor\w+|receivables?)\b",
    r"\bd[psi]o\b",
    r"\bcash conversion cycle",
    r"\breturns? on (?:\w+ )?(?:assets|equity|capital|investment)\b",
    r"\bro(?:a|e|ce|ic)\b",
    "周转率|周转天数|(?:资产|权益|资本)(?:收益|回报|报酬)率",
)
_INCOME_TITLES = (
    r"statements? of (?:consolidated )?(?:comprehensive )?(?:income|operations|earnings)",
    r"income statements?",
    r"\bp ?& ?l\b",
    r"profit (?:and|or|&) loss",
    "利润表|损益表",
)
_BALANCE_TITLES = (
    r"balance sheets?",
    r"statements? of financial (?:position|condition)",
    "资产负债表",
)
_CASH_TITLES = (
    r"(?:statements? of (?:consolidated )?|consolidated )cash ?flows?",
    r"cash ?flows? statements?",
    "现金流量表",
)

INCOME = Statement(
    "income statement",
    "利润表",
    asked=_any(
        *_INCOME_TITLES,
        r"\b(?:gross|operating|net|profit|ebit|pre-?tax)(?: profit| income)? margins?\b",
        r"\bebit\b|\bcogs\b",
        r"\binterest coverage\b",
        r"\beffective tax rates?\b",
        r"\bcost[- ]to[- ]income\b",
        "[毛净]利率|利润率|费用率|利息保障倍数|实际税率",
        *_OF_ALL,
        *_OF_INCOME_AND_CASH,
        *_OF_INCOME_AND_BALANCE,
    ),
    title=_any(*_INCOME_TITLES),
    rows=(
        _any(r"(?:total |net )*(?:sales|revenues?)\b", ".*营业总?收入"),
        _any(r"(?:total )?costs? of (?:sales|revenues?|goods|products?|services)", ".*营业总?成本"),
        _any(
            r"(?:total )?operating (?:income|profit|loss|earnings|expenses)",
            r"(?:income|earnings|loss)\b.* from operations",
            ".*营业利润",
        ),
        _any(
            r"(?:income|earnings|loss|profit)\b.* before\b.*\btax",
            r"pre-?tax (?:income|earnings)",
            ".*利润总额",
        ),
        _any(r"\(?(?:provision|benefit)\)?.*\btax", r"income tax(?:es)?\b", ".*所得税费用"),
        _any(r"(?:consolidated )?net \(?(?:income|earnings|loss)", ".*净利润"),
        _any(r".*\bper (?:common |ordinary )?share", r"basic\b|diluted\b", ".*每股收益"),
    ),
    words="net sales revenues cost of sales operating income loss before income taxes provision net income earnings"
    " per share basic diluted statements of operations 营业收入 营业成本 营业利润 利润总额 所得税费用 净利润 利润表",
)
BALANCE = Statement(
    "balance sheet",
    "资产负债表",
    asked=_any(
        *_BALANCE_TITLES,
        r"\b(?:quick|current|acid[- ]test|cash|leverage|gearing|solvency) ratios?\b",
        r"\bdebt[- ](?:to[- ]\w+ )?ratios?\b",
        r"\bdebt[- ]to[- ](?:equity|assets|capital)\b",
        r"\bworking capital\b",
        r"\bpp ?(?:& ?|n)e\b",
        r"\bbook value\b",
        "(?:流动|速动|现金|产权|权益)比率|负债率|营运资[金本]|权益乘数",
        *_OF_ALL,
        *_OF_INCOME_AND_BALANCE,
    ),
    title=_any(*_BALANCE_TITLES),
    rows=(
        _any(r"total current assets", "流动资产合计"),
        _any(r"total assets", "资产(?:总[计额]|合计)"),
        _any(r"total current liabilities", "流动负债合计"),
        _any(r"total liabilities", "负债(?:总[计额]|合计)"),
        _any(r"total\b.*\b(?:equity|deficit|capital)\b", "(?:所有者|股东)权益.*合计"),
        _any(r"(?:trade |(?:accounts|notes) (?:and )?)*receivables?\b", "应收账款"),
        _any(r"(?:trade |accounts )+payables?\b", "应付账款"),
        _any(r"(?:merchandise )?inventor(?:y|ies)\b", "存货"),
        _any(r"retained earnings", r"reinvested earnings", r"accumulated (?:deficit|other)", "未分配利润"),
        _any(r"property\b.*\b(?:equipment|net)\b", "固定资产"),
        _any(r"cash and cash equivalents", "货币资金"),
    ),
    words="total current assets total assets total current liabilities total liabilities equity inventories receivables"
    " accounts payable retained earnings balance sheets 流动资产合计 资产总计 流动负债合计 负债合计 所有者权益合计"
    " 资产负债表",
)
CASH_FLOWS = Statement(
    "cash flow statement",
    "现金流量表",
    asked=_any(
        *_CASH_TITLES,
        r"\bfree[- ]?cash[- ]?flows?\b|\bfcf\b",
        r"\bcapex\b|\bcapital (?:expenditures?|expenses?)\b",
        r"\bd ?& ?a\b",
        r"\bcash flows? from\b",
        r"\b(?:operating|operations|investing|financing),? (?:and|or) \w+ activities\b",
        "自由现金流|资本性?(?:支出|开支)",
        *_OF_ALL,
        *_OF_INCOME_AND_CASH,
    ),
    title=_any(*_CASH_TITLES),
    rows=(
        _any(r"(?:net )?cash\b.*\boperating activities", ".*经营活动.*现金流量净额"),
        _any(r"(?:net )?cash\b.*\binvesting activities", ".*投资活动.*现金流量净额"),
        _any(r"(?:net )?cash\b.*\bfinancing activities", ".*筹资活动.*现金流量净额"),
        _any(r"depreciation\b|amorti[sz]ation\b", ".*固定资产折旧"),
        _any(
            r"(?:purchases?|additions?|acquisitions?|payments?)\b.*\b(?:property|equipment|plant|premises)",
            r"capital (?:spending|expenditures?)",
            ".*购建固定资产",
        ),
        _any(r"(?:cash )?dividends?\b", r"payments? of .*dividends", ".*分配股利"),
        _any(r"net \(?(?:increase|decrease|change).*\bcash\b", ".*现金及现金等价物净增加额"),
        _any(r"cash\b.*\b(?:beginning|end) of", r"(?:beginning|end) of (?:year|period)", ".*期[初末]现金"),
    ),
    words="net cash provided by operating activities investing activities financing activities purchases of property"
    " plant and equipment depreciation amortization cash at end of period 经营活动产生的现金流量净额 投资活动 筹资活动"
    " 购建固定资产 现金流量表",
)
STATEMENTS = (INCOME, BALANCE, CASH_FLOWS)
# What stands above the statement of one company of a group alone.
OF_A_PART = _any(
    r"parent[- ](?:company|only)", "registrant", "guarantor", "obligor", r"pro[- ]?forma", "母公司"
)
