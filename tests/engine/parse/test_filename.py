import pytest

from engine.parse.filename import MAX_LENGTH, clean_name


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("report.pdf", "report.pdf"),
        ("sub/report.md", "sub/report.md"),
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("C:\\Users\\me\\plan.docx", "Users/me/plan.docx"),
        ("a/./b//c.txt", "a/b/c.txt"),
        ("中文 报告.pdf", "中文 报告.pdf"),
        ("naïve.txt", "naïve.txt"),
        ("nai\u0308ve.txt", "naïve.txt"),
        ("  spaced   out .md ", "spaced out .md"),
        ("line\nbreak\x00.txt", "line break .txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("zero\u200bwidth\ufeff.txt", "zerowidth.txt"),
        ("\ud800bad.txt", "bad.txt"),
        (".hidden", ".hidden"),
        ("", "unnamed"),
        ("../..", "unnamed"),
        ("\x00\x01", "unnamed"),
    ],
)
def test_a_name_keeps_what_is_harmless(given, clean):
    assert clean_name(given) == clean


def test_a_long_name_is_cut_and_keeps_its_extension():
    cleaned = clean_name("x" * 500 + ".docx")
    assert len(cleaned) == MAX_LENGTH
    assert cleaned.endswith("x.docx")


def test_a_long_path_keeps_its_file():
    cleaned = clean_name("/".join(["folder"] * 60) + "/report.md")
    assert len(cleaned) <= MAX_LENGTH
    assert cleaned.endswith("/report.md")


def test_cleaning_twice_changes_nothing():
    for name in ("../a\\b.txt", "x" * 500 + ".md", "\u202ea/..b/c", "C:D:e.txt"):
        assert clean_name(clean_name(name)) == clean_name(name)
