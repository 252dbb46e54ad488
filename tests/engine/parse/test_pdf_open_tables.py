"""Tables without rules, and where one ends and another begins."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

from engine.config import ParsingSettings
from engine.model import Block, ParsedFile
from engine.parse.pdf import parse_pdf
from engine.structure.continued_tables import with_continued_tables
from engine.structure.tree import leaves_of

Row = tuple[str, ...]
PLANTS: list[Row] = [
    ("Plant", "Region", "Output"), ("Alder", "North", "1,204"), ("Birch", "South", "980"), ("Cedar", "East", "1,511"),
]  # fmt: skip
SHIPS: list[Row] = [
    ("Ship", "Port", "Crew"),
    ("Ardent", "Oslo", "21"),
    ("Brave", "Kiel", "18"),
    ("Calm", "Riga", "25"),
]


def drawn(path: Path, pages: Sequence[Sequence[tuple[float, Row]]], rules: tuple[float, ...] = ()) -> ParsedFile:
    """Write pages of rows, each (height, texts in columns of 110 points from x 72 on), and read them."""
    sheet = canvas.Canvas(str(path), pagesize=A4)
    for rows in pages:
        sheet.setFont("Helvetica", 9)
        for y, texts in rows:
            for column, text in enumerate(texts):
                sheet.drawString(72 + 110 * column, y, text)
        for y in rules:
            sheet.line(70, y, 400, y)
        sheet.showPage()
    sheet.save()
    return parse_pdf(path, ParsingSettings())


def tables(parsed: ParsedFile) -> list[Block]:
    return [b for b in with_continued_tables(parsed.blocks, parsed.page_sizes) if b.kind == "table"]


def below(rows: Sequence[Row], top: float) -> list[tuple[float, Row]]:
    return [(top - 14 * number, row) for number, row in enumerate(rows)]


@pytest.mark.parametrize("white", [18, 26])
def test_a_second_head_below_wider_white_begins_a_table_of_its_own(tmp_path: Path, white: float) -> None:
    parsed = drawn(tmp_path / "a.pdf", [[*below(PLANTS, 700), *below(SHIPS, 700 - 14 * 3 - white)]])

    assert [list(map(tuple, table.metadata["rows"])) for table in tables(parsed)] == [PLANTS, SHIPS]


def test_a_caption_between_two_tables_is_part_of_neither(tmp_path: Path) -> None:
    page = [*below(PLANTS, 700), (644, ("Table 2. Ships",)), *below(SHIPS, 630)]

    assert [len(table.metadata["rows"]) for table in tables(drawn(tmp_path / "a.pdf", [page]))] == [4, 4]


def test_the_last_cell_keeps_the_words_on_its_second_line(tmp_path: Path) -> None:
    rows = [("Plant", "Note"), ("Alder", "12"), ("Birch", "14"), ("Cedar", "closed for repairs")]
    page = [*below(rows, 700), (648, ("", "until August")), (620, ("Plants are looked at each year.",))]

    [table] = tables(drawn(tmp_path / "a.pdf", [page]))

    assert table.metadata["rows"][-1] == ["Cedar", "closed for repairs until August"]


@pytest.mark.parametrize("rest", [1, 2])
def test_a_row_or_two_on_the_last_page_are_rows_of_the_table_before(tmp_path: Path, rest: int) -> None:
    rows: list[Row] = [PLANTS[0], *((f"Plant {n}", "North", f"{n},204") for n in range(1, 46))]

    [table] = tables(drawn(tmp_path / "a.pdf", [below(rows, 780), below(rows[1 : 1 + rest], 780)]))

    assert len(table.metadata["rows"]) == 46 + rest


def test_cells_at_the_top_of_every_page_are_no_running_header(tmp_path: Path) -> None:
    pages = [below([(f"Customer {10 * page + n}", "Oak", f"{n}4") for n in range(1, 40)], 780) for page in range(4)]

    found = [row for table in tables(drawn(tmp_path / "a.pdf", pages)) for row in table.metadata["rows"]]

    assert len(found) == 4 * 39 and all(map(all, found))


def test_a_double_rule_under_the_head_parts_no_rows(tmp_path: Path) -> None:
    rules = (712, 696, 693.6, 664, 649)

    [table] = tables(drawn(tmp_path / "a.pdf", [below([*PLANTS, SHIPS[1]], 702)], rules))

    assert list(map(tuple, table.metadata["rows"])) == [*PLANTS, SHIPS[1]]


def test_rows_of_small_figures_are_no_table_of_contents(tmp_path: Path) -> None:
    rows = [
        ("Name", "Mean", "Most"),
        *[(f"Part {word}", "0.5", "1") for word in "alpha beta gamma delta eta".split()],
    ]

    parsed = drawn(tmp_path / "a.pdf", [below(rows, 700)])

    assert [block.kind for block in parsed.blocks] == ["table"]


def test_a_table_that_ends_high_on_its_page_does_not_go_on_on_the_next(tmp_path: Path) -> None:
    staff: list[Row] = [
        ("Name", "Role", "City"),
        ("Ada", "Clerk", "Oslo"),
        ("Ben", "Smith", "Kiel"),
        ("Cy", "Cook", "Bonn"),
    ]
    words = [(*row[:2], "Malta") for row in SHIPS]

    assert len(tables(drawn(tmp_path / "a.pdf", [below(staff, 760), below(words, 760)]))) == 2


@pytest.mark.parametrize("lower", [0, 5, 12])
def test_a_form_in_two_columns_is_read_column_by_column(tmp_path: Path, lower: float) -> None:
    left = [
        ("Patient:", "Maria Holm"),
        ("Born:", "14 May 1961"),
        ("Street:", "Harbour 12"),
        ("Insured:", "North"),
    ]
    right = [("Hospital:", "St. Olav"), ("Ward:", "Cardiology"), ("Admitted:", "3 March"), ("Room:", "417")]
    page: list[tuple[float, Row]] = [(700 - 24 * n, row) for n, row in enumerate(left)]
    page += [(700 - lower - 24 * n, ("", "", *row)) for n, row in enumerate(right)]

    text = "\n".join(block.text for block in drawn(tmp_path / "a.pdf", [page]).blocks)

    assert [line.replace(" | ", " ") for line in text.split("\n")] == [" ".join(row) for row in left + right]


def three_rules(top: float) -> tuple[float, ...]:
    """The heights of the rules of a table of four rows, the first at ``top``."""
    return (top + 11, top - 4, top - 46)


@pytest.mark.parametrize(
    ("between", "top"),
    [
        ([(641.0, ("Table 2: Crews of the ships",))], 622), ([], 632), ([], 643),
        ([(641.0, ("Crews of all ships that lay in the harbour on a day in May of that year",))], 622),
    ],
)  # fmt: skip
def test_two_tables_of_three_rules_one_below_the_other_are_two(tmp_path: Path, between: list, top: float) -> None:
    page = [*below(PLANTS, 700), *between, *below(SHIPS, top)]
    parsed = drawn(tmp_path / "a.pdf", [page], rules=(*three_rules(700), *three_rules(top)))

    assert [list(map(tuple, table.metadata["rows"])) for table in tables(parsed)] == [PLANTS, SHIPS]


def test_groups_of_rows_between_rules_stay_in_one_table(tmp_path: Path) -> None:
    page = [*below(PLANTS, 700), (644, ("Abroad",)), (630, ("Dahlia", "West", "77")), (616, ("Elder", "Isles", "91"))]
    parsed = drawn(tmp_path / "a.pdf", [page], rules=(*three_rules(700), 640, 612))

    assert [len(table.metadata["rows"]) for table in tables(parsed)] == [7]


@pytest.mark.parametrize("above", [True, False])
def test_captions_of_a_page_stand_on_one_side_of_its_tables(tmp_path: Path, above: bool) -> None:
    first, second = ("Table 1: Output of plants",), ("Table 2: Crews of ships",)
    captions = [(717.0, first), (641.0, second)] if above else [(641.0, first), (565.0, second)]
    around = [(y, (f"This text stands {word} both of the tables.",)) for y, word in ((740, "above"), (540, "below"))]
    page = [*around, *below(PLANTS, 700), *below(SHIPS, 622), *captions]
    parsed = drawn(tmp_path / "a.pdf", [page], rules=(*three_rules(700), *three_rules(622)))
    found = leaves_of(parsed.blocks, ParsingSettings())

    assert [leaf.metadata["caption"] for leaf in found if leaf.role == "table"] == [*first, *second]
