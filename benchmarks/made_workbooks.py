"""Makes workbooks as people keep them, and tells what is known of their cells.

    python benchmarks/made_workbooks.py FOLDER [--long-rows 100000]

Eight, in both languages: title rows above the header, two header rows, units in brackets, totals among the rows,
texts that are numbers ("1,234.50", "(60)", "12.3%", 1.2亿, 三成), years and codes as text, codes beside names, empty
and merged cells, one name twice, dates in several formats, several sheets, 100,000 rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from workbooks import chinese, english
from workbooks.tables import ListTable

MAKERS: dict[str, Callable[[Path, int], list[ListTable]]] = {
    "销售订单.xlsx": chinese.orders,
    "上市公司财务.xlsx": chinese.companies,
    "部门预算.xlsx": chinese.budget,
    "员工与融资.xlsx": chinese.staff,
    "projects.xlsx": english.projects,
    "stations.xlsx": english.stations,
    "inventory.xlsx": english.inventory,
    "transactions.xlsx": english.transactions,
}


def make_workbooks(folder: Path, names: Sequence[str] = (), long_rows: int = 100_000) -> dict[Path, list[ListTable]]:
    """Write the workbooks (or those whose names hold one of ``names``) and return what is known of each.

    ``long_rows`` is how many rows the longest has.
    """
    made = {}
    for name, maker in MAKERS.items():
        if not names or any(part in name for part in names):
            path = folder / name
            made[path] = maker(path, long_rows)
    return made


def main() -> None:
    """Write all of them into a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--long-rows", type=int, default=100_000)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for path, tables in make_workbooks(options.folder, (), options.long_rows).items():
        print(path, *(f"{table.sheet}: {len(table.frame)} rows" for table in tables), sep="  ")


if __name__ == "__main__":
    main()
