from engine.model import Block
from engine.structure.continued_tables import with_continued_tables

HEADER = ["Station", "Passengers"]


def table(page: int, *rows: list[str], x0: float = 70, **facts: object) -> Block:
    text = "\n".join(" | ".join(row) for row in rows)
    top = 600 if page == 1 else 60
    return Block("table", text, page=page, bbox=(x0, top, 400, top + 100), metadata={"rows": list(rows), **facts})


def test_a_table_that_repeats_its_header_on_the_next_page_is_one_table():
    joined = with_continued_tables(
        [
            table(1, HEADER, ["Ajka", "12"], ["Bled", "30"]),
            table(2, HEADER, ["Cork", "8"]),
            table(3, HEADER, ["Delft", "5"]),
        ]
    )
    assert len(joined) == 1
    facts = joined[0].metadata
    assert facts["rows"] == [HEADER, ["Ajka", "12"], ["Bled", "30"], ["Cork", "8"], ["Delft", "5"]]
    assert facts["row_pages"] == [1, 1, 1, 2, 3]
    assert joined[0].text.split("\n") == [" | ".join(row) for row in facts["rows"]]


def test_each_part_keeps_its_page_and_box_and_the_letters_that_stand_there():
    joined = with_continued_tables([table(1, HEADER, ["Ajka", "12"]), table(2, HEADER, ["Cork", "8"])])[0]
    first, second = joined.metadata["spans"]
    assert (first["page"], second["page"]) == (1, 2)
    assert joined.text[first["chars"] : first["chars"] + second["chars"]] == "Cork | 8"


def test_each_part_keeps_the_edges_of_its_cells():
    edges = [{"x": [70, 200, 400], "y": [600, 610, 620]}, {"x": [70, 200, 400], "y": [60, 70, 80]}]
    parts = [
        table(1, HEADER, ["Ajka", "12"], edges=edges[0]),
        table(2, HEADER, ["Cork", "8"], edges=edges[1]),
    ]
    facts = with_continued_tables(parts)[0].metadata
    assert "edges" not in facts
    assert [(span["row"], span["edges"]["y"]) for span in facts["spans"]] == [
        (0, [600, 610, 620]),
        (2, [70, 80]),
    ]


def test_rows_of_the_same_kind_go_on_without_a_header():
    parts = [table(1, HEADER, ["Ajka", "12"], ["Bled", "30"]), table(2, ["Cork", "8"], ["Delft", "5"])]
    assert len(with_continued_tables(parts)) == 1


def test_a_comment_on_the_page_does_not_part_a_table():
    comment = Block("paragraph", "Please check.", page=1, metadata={"note": "comment"})
    joined = with_continued_tables([table(1, HEADER, ["Ajka", "12"]), comment, table(2, HEADER, ["Cork", "8"])])
    assert [block.kind for block in joined] == ["table", "paragraph"]


def test_facts_about_cells_move_with_their_rows():
    parts = [
        table(1, HEADER, ["Ajka", "12"], cells=[{"row": 1, "column": 0, "page": 1}]),
        table(
            2,
            HEADER,
            ["Cork", "8"],
            cells=[{"row": 0, "column": 0, "page": 2}, {"row": 1, "column": 0, "page": 2}],
        ),
    ]
    assert with_continued_tables(parts)[0].metadata["cells"] == [
        {"row": 1, "column": 0, "page": 1}, {"row": 2, "column": 0, "page": 2},
    ]  # fmt: skip


def test_notes_and_an_announcement_may_stand_between():
    blocks = [
        table(1, HEADER, ["Ajka", "12"]),
        Block("paragraph", "* counted in May", page=1, bbox=(70, 720, 300, 730)),
        Block("paragraph", "Table 4 (continued)", page=2, bbox=(70, 40, 300, 50)),
        table(2, HEADER, ["Cork", "8"]),
    ]
    assert [block.kind for block in with_continued_tables(blocks)] == ["table", "paragraph"]


def test_other_tables_stay_apart():
    first = table(1, HEADER, ["Ajka", "12"], ["Bled", "30"])
    text = Block("paragraph", "The next table is about ferries.", page=2, bbox=(70, 40, 300, 50))
    assert len(with_continued_tables([first, table(2, ["Ferry", "Crew"], ["Anna", "4"])])) == 2
    assert len(with_continued_tables([first, text, table(2, HEADER, ["Cork", "8"])])) == 3
    assert len(with_continued_tables([first, table(3, HEADER, ["Cork", "8"])])) == 2
    assert len(with_continued_tables([first, table(2, ["a", "1", "2"])])) == 2
    assert len(with_continued_tables([first, table(2, ["Cork", "8"], x0=300)])) == 2
