"""Four made workbooks in English: projects, stations by quarter, an inventory with suppliers, long transactions."""

from __future__ import annotations

import datetime
import random
from pathlib import Path
from typing import Any

from workbooks.sheets import Sheet, write
from workbooks.tables import ListTable

_FIRST = ("Harbor", "Summit", "Willow", "Granite", "Falcon", "Amber", "Cedar", "Delta", "Orchid", "Pioneer", "Raven",
          "Sierra", "Tundra", "Vertex", "Zephyr", "Maple", "Lagoon", "Beacon", "Cobalt", "Ember")  # fmt: skip
_SECOND = ("Bridge", "Tower", "Pipeline", "Campus", "Terminal", "Grid", "Tunnel", "Depot", "Station", "Plaza")
_PEOPLE = ("Ana Ruiz", "Ben Carter", "Chloe Martin", "David Okafor", "Elena Petrova", "Farid Khan", "Grace Lee",
           "Hugo Braun")  # fmt: skip


def _names(drawn: random.Random, count: int, second: tuple[str, ...] = _SECOND) -> list[str]:
    return drawn.sample([f"{first} {last}" for first in _FIRST for last in second], count)


def _day(drawn: random.Random, first: datetime.date, days: int) -> Any:
    day = first + datetime.timedelta(drawn.randrange(days))
    ways = (datetime.datetime(day.year, day.month, day.day), f"{day:%Y-%m-%d}", f"{day.day} {day:%B %Y}",
            f"{day:%b} {day.day}, {day.year}", f"{day:%Y/%m/%d}")  # fmt: skip
    return drawn.choice(ways)


def projects(path: Path, _long: int) -> list[ListTable]:
    """Projects under title lines, with overruns in brackets, days in several formats and a total at the end."""
    drawn = random.Random("projects")
    rows = []
    for place, name in enumerate(_names(drawn, 90)):
        variance = drawn.randint(-900, 700)
        rows.append([
            f"PRJ-{place + 101}", name, drawn.choice(_PEOPLE), drawn.choice(("North", "South", "East", "West")),
            None if drawn.random() < 0.1 else drawn.choice(("Planned", "Running", "On hold", "Closed")),
            _day(drawn, datetime.date(2021, 1, 4), 1300), f"{drawn.randint(2000, 98000) / 10:,.1f}",
            f"({-variance})" if variance < 0 else str(variance), f"{drawn.randint(50, 1000) / 10}%",
        ])  # fmt: skip
    total = ["Total", None, None, None, None, None,
             f"{sum(float(row[6].replace(',', '')) for row in rows):,.1f}", None, None]  # fmt: skip
    sheet = Sheet(
        "Projects", ("Code", "Project", "Project Manager", "Region", "Status", "Start date", "Budget (USD thousand)",
                     "Variance (USD thousand)", "Progress"),
        rows, "Project", "projects", above=("Capital projects register", "As of 30 June 2024"), totals={89: total},
        aliases={"Project Manager": ("manager",), "Start date": ("starting date",),
                 "Progress": ("degree of completion",)},
    )  # fmt: skip
    return write(path, [sheet])


def stations(path: Path, _long: int) -> list[ListTable]:
    """Power stations with output and availability by year in two header rows, and subtotals by fuel."""
    drawn = random.Random("stations")
    years = ("2020", "2021", "2022", "2023")
    names = iter(_names(drawn, 36, ("Power", "Energy", "Hydro")))
    rows: list[list[Any]] = []
    totals: dict[int, list[Any]] = {}
    for fuel in ("Coal", "Gas", "Hydro", "Wind"):
        own = [
            [fuel, next(names), drawn.randint(20, 900), *(round(drawn.uniform(40, 5200), 1) for _ in years),
             *(round(drawn.uniform(2, 160), 2) for _ in years)]
            for _ in range(9)
        ]  # fmt: skip
        rows += own
        totals[len(rows) - 1] = [
            f"Total {fuel}",
            None,
            *(round(sum(float(r[c]) for r in own), 2) for c in range(2, 11)),
        ]
    sheet = Sheet(
        "Output", ("Fuel", "Station", "Capacity (MW)", *years, *years), rows, "Station", "stations",
        above=("Output and operating cost of power stations",),
        groups=(("", 3), ("Output (GWh)", 4), ("Operating cost (USD million)", 4)), totals=totals, merge=(0,),
        aliases={"Capacity (MW)": ("installed capacity",)},
    )  # fmt: skip
    return write(path, [sheet])


def inventory(path: Path, _long: int) -> list[ListTable]:
    """Parts with merged warehouses, prices as text and one name twice, and the suppliers on another sheet."""
    drawn = random.Random("inventory")
    parts = _names(drawn, 120, ("Valve", "Bearing", "Gasket", "Sensor", "Relay", "Filter", "Pump", "Switch"))
    suppliers = _names(drawn, 15, ("Industries", "Supply", "Components"))
    rows = []
    for place, name in enumerate([*parts[:118], *parts[:2]]):
        rows.append([
            ("Rotterdam", "Houston", "Singapore", "Leeds")[place // 30], f"SKU-{4000 + 3 * place}", name,
            drawn.choice(suppliers), drawn.randint(0, 4000), f"{drawn.randint(150, 250000) / 100:,.2f}",
            None if drawn.random() < 0.2 else drawn.randint(5, 400), _day(drawn, datetime.date(2023, 6, 1), 500),
        ])  # fmt: skip
    stock = Sheet(
        "Stock", ("Warehouse", "SKU", "Part", "Supplier", "On hand (pcs)", "Unit price (EUR)", "Reorder level (pcs)",
                  "Last counted"),
        rows, "Part", "parts", merge=(0,),
        aliases={"On hand (pcs)": ("stock on hand",), "Reorder level (pcs)": ("reorder point",)},
    )  # fmt: skip
    terms = [
        [name, drawn.choice(("Germany", "Italy", "Japan", "Mexico", "Poland")), drawn.choice((14, 30, 45, 60, 90)),
         round(drawn.uniform(2.5, 5), 1), f"{drawn.randint(800, 1000) / 10}%"]
        for name in suppliers
    ]  # fmt: skip
    about = Sheet(
        "Suppliers", ("Company", "Country", "Payment term (days)", "Rating", "On-time delivery"), terms, "Company",
        "suppliers", above=("Approved suppliers",), first=2, aliases={"Payment term (days)": ("time for payment",)},
    )  # fmt: skip
    return write(path, [stock, about])


def transactions(path: Path, long_rows: int) -> list[ListTable]:
    """A long list of card transactions."""
    drawn = random.Random("transactions")
    merchants = _names(
        drawn, 180, ("Market", "Cafe", "Books", "Fuel", "Pharmacy", "Travel", "Hotel", "Sports", "Garden")
    )
    start = datetime.datetime(2023, 1, 1)
    rows = [
        [
            f"TX{place + 1_000_001}", start + datetime.timedelta(days=drawn.randrange(700)), drawn.choice(merchants),
            drawn.choice(("Food", "Fuel", "Travel", "Health", "Leisure", "Household")),
            drawn.choice(("Lyon", "Porto", "Ghent", "Turin", "Krakow", "Malmo")),
            drawn.choice(("Visa", "Amex", "Debit")),
            round(drawn.lognormvariate(3.5, 1), 2), drawn.randint(1, 900),
        ]
        for place in range(long_rows)
    ]  # fmt: skip
    sheet = Sheet(
        "Transactions", ("Transaction ID", "Booked on", "Merchant", "Category", "City", "Card", "Amount (EUR)",
                         "Points"),
        rows, "Transaction ID", "transactions", aliases={"Booked on": ("booking date",), "Points": ("bonus points",)},
    )  # fmt: skip
    return write(path, [sheet])
