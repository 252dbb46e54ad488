"""What measures of a company are made of, by what statements call the items: margins, ratios, working capital, capex.

The definitions are those that textbooks agree on; measures that are defined in several ways (returns, turnovers,
EBITDA) are left to whoever defines them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Formula:
    """``part`` − ``less`` (added where it is printed as an outflow), over ``whole`` where there is one.

    Each is given by what statements call it. ``rest``: one minus the quotient; ``percent``: told as a percentage.
    """

    part: tuple[str, ...]
    whole: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    rest: bool = False
    percent: bool = True

    @property
    def items(self) -> dict[str, tuple[str, ...]]:
        """The names of each item, by "part", "less" and "whole"."""
        named = {"part": self.part, "less": self.less, "whole": self.whole}
        return {key: names for key, names in named.items() if names}


_SALES = (
    "total revenues", "total revenue", "total net revenue", "total net revenues", "total net sales", "net sales",
    "net revenues", "net revenue", "revenues", "revenue", "sales", "total revenues net of interest expense",
)  # fmt: skip
_COST_OF_SALES = (
    "cost of sales", "cost of goods sold", "cost of products sold", "total cost of revenue", "total cost of revenues",
    "cost of revenue", "cost of revenues", "total cost of sales",
)  # fmt: skip
_OPERATING_INCOME = (
    "operating income", "operating income (loss)", "income from operations", "operating profit",
    "total operating income", "income (loss) from operations", "loss from operations", "earnings from operations",
    "operating loss",
)  # fmt: skip
_NET_INCOME = ("net income", "net earnings", "net income (loss)", "net loss", "consolidated net income")
_OPERATING_CASH = (
    "net cash provided by operating activities", "net cash provided by (used in) operating activities",
    "net cash flows from operating activities", "net cash from operating activities",
    "cash flows provided by operating activities", "net cash (used in) provided by operating activities",
    "total cash provided by operating activities",
)  # fmt: skip
_CAPEX = (
    "capital expenditures", "capital spending", "purchases of property, plant and equipment",
    "purchases of property, plant, and equipment", "purchases of property and equipment",
    "purchase of property and equipment", "purchase of property, plant and equipment",
    "additions to property, plant and equipment", "additions to property and equipment",
    "purchases of premises and equipment",
)  # fmt: skip
_FIXED_ASSETS = (
    "property, plant and equipment, net", "property, plant and equipment - net", "property, plant and equipment – net",
    "property, plant and equipment — net", "property and equipment, net", "property and equipment - net",
    "property, plant, and equipment, net", "net property and equipment", "net property, plant and equipment",
)  # fmt: skip
_CURRENT_ASSETS, _CURRENT_LIABILITIES = ("total current assets",), ("total current liabilities",)
_INVENTORIES = (
    "inventories",
    "inventory",
    "merchandise inventories",
    "inventories, net",
    "total inventories",
)

# A pattern of its name, and formulas of which the first is taken all of whose items are there.
_MEASURES: tuple[tuple[str, tuple[Formula, ...]], ...] = (
    (
        r"\bgross (?:profit )?margins?\b",
        (Formula(("gross profit", "gross margin"), _SALES), Formula(_COST_OF_SALES, _SALES, rest=True)),
    ),
    (r"\boperating (?:income |profit )?margins?\b", (Formula(_OPERATING_INCOME, _SALES),)),
    (r"\bnet (?:profit |income )?margins?\b", (Formula(_NET_INCOME, _SALES),)),
    (r"\bcurrent ratios?\b", (Formula(_CURRENT_ASSETS, _CURRENT_LIABILITIES, percent=False),)),
    (
        r"\b(?:quick|acid[- ]test) ratios?\b",
        (Formula(_CURRENT_ASSETS, _CURRENT_LIABILITIES, less=_INVENTORIES, percent=False),),
    ),
    (r"\bworking capital\b", (Formula(_CURRENT_ASSETS, less=_CURRENT_LIABILITIES),)),
    (r"\bfree[- ]?cash[- ]?flows?\b|\bfcf\b", (Formula(_OPERATING_CASH, less=_CAPEX),)),
    (r"\bcapex\b|\bcapital (?:expenditures?|spending)\b", (Formula(_CAPEX),)),
    (r"\bpp ?(?:& ?|n)e\b", (Formula(_FIXED_ASSETS),)),
    (r"速动比率", (Formula(("流动资产合计",), ("流动负债合计",), less=("存货",), percent=False),)),
    (r"营运资[金本]", (Formula(("流动资产合计",), less=("流动负债合计",)),)),
    (
        r"自由现金流量?",
        (Formula(("经营活动产生的现金流量净额",), less=("购建固定资产、无形资产和其他长期资产支付的现金",)),),
    ),
)


def measures_in(question: str) -> list[tuple[str, tuple[Formula, ...]]]:
    """Return the measures that a question names, as it calls them, with their formulas, the preferred first."""
    found = ((re.search(pattern, question, re.IGNORECASE), formulas) for pattern, formulas in _MEASURES)
    return [(match[0], formulas) for match, formulas in found if match]
