from pathlib import Path

from odf_files import cell, odf_file, p, row, table

from engine.config import ParsingSettings
from engine.model import ParsedFile
from engine.parse.dispatch import parse_file


def frame(content: str, y: int, role: str = "", x: int = 1, width: int = 8) -> str:
    placeholder = f' presentation:class="{role}"' if role else ""
    place = f'svg:x="{x}in" svg:y="{y}in" svg:width="{width}in" svg:height="0.8in"'
    return f"<draw:frame {place}{placeholder}>{content}</draw:frame>"


def box(text: str, y: int, role: str = "", **place: int) -> str:
    return frame(f"<draw:text-box>{p(text)}</draw:text-box>", y, role, **place)


def slides(folder: Path, *pages: str, automatic: str = "") -> ParsedFile:
    body = "".join(f"<draw:page{page}</draw:page>" for page in pages)
    path = odf_file(folder / "a.odp", "presentation", body, automatic=automatic)
    return parse_file(path, "a.odp", ParsingSettings())


def test_a_slide_is_a_section_with_its_number(tmp_path):
    found = slides(tmp_path, ">" + box("Below", 3) + box("Its title", 0, "title"), ">" + box("Next", 0, "title"))
    assert [(b.kind, b.text, b.page) for b in found.blocks] == [
        ("heading", "Its title", 1), ("paragraph", "Below", 1), ("heading", "Next", 2),
    ]  # fmt: skip
    assert found.pages == 2


def test_tables_notes_and_comments_belong_to_their_slide(tmp_path):
    notes = (
        f"<presentation:notes>{box('Say hello.', 1, 'notes')}{box('7', 4, 'page-number')}</presentation:notes>"
        f"<office:annotation>{p('Really?')}</office:annotation>"
    )
    grid = frame(table(row(cell(p("a")), cell(p("b"))), row(cell(p("1")), cell(p("2")))), 2)
    found = slides(tmp_path, ">" + box("Title", 0, "title") + grid + notes).blocks
    assert [(b.kind, b.text) for b in found[1:]] == [
        ("table", "a | b\n1 | 2"), ("paragraph", "Really?"), ("paragraph", "Say hello."),
    ]  # fmt: skip
    assert [b.metadata.get("note") for b in found[2:]] == ["comment", "speaker"]


def test_a_hidden_slide_is_read_and_told(tmp_path):
    hidden = (
        '<style:style style:name="d" style:family="drawing-page">'
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    )
    found = slides(tmp_path, ' draw:style-name="d">' + box("Secret", 0, "title"), automatic=hidden)
    assert found.blocks[0].metadata == {"hidden": True}
    assert "hidden" in found.warnings[0]
