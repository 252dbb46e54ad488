"""What the check of an answer found is seen in its text, told apart without colour."""

from engine.export.signs import with_signs
from engine.model import Answer, Citation, Statement
from pages.widgets.answer import marked

SOURCE = Citation(1, "d1", "a.pdf", 1, "1", "n1", 2, None, None, "It opened in 1932.", 1.0)
TEXT = "It opened in 1932. It cost 9 million [1].\n\n| A | B |\n|---|---|\n| x | 5 |\n"


def statement(said, state, reason="", sources=(1,)):
    start = TEXT.index(said)
    return Statement(start, start + len(said), state, reason, list(sources))


def test_each_state_has_its_own_sign_and_word():
    told = {
        state: marked(TEXT, [SOURCE], [statement("It cost 9 million [1].", state, 'It says "8".')])
        for state in ("computed", "unverified", "contradicted")
    }
    assert ":material/calculate:" in told["computed"] and "computed" in told["computed"]
    assert ":material/help: not verified" in told["unverified"] and 'says ”8”."' in told["unverified"]
    assert ":material/error: contradicted" in told["contradicted"]


def test_a_supported_statement_without_a_mark_shows_its_source_and_one_with_a_mark_stays():
    shown = marked(TEXT, [SOURCE], [statement("It opened in 1932.", "supported")])
    assert shown.count("blue-badge[1]") == 2
    assert with_signs(TEXT, [statement("It cost 9 million [1].", "supported")]) == TEXT


def test_a_sign_never_breaks_the_row_of_a_table():
    row = next(line for line in with_signs(TEXT, [statement("| x | 5 |", "unverified")]).splitlines() if "x" in line)
    assert row.startswith("| x | 5") and row.endswith("|") and row.count("|") == 3


def test_an_answer_that_only_comes_close_keeps_its_state():
    close = Answer("…", "direct", "low", False, [SOURCE], state="closest")
    assert Answer.from_dict(close.to_dict()).state == "closest"
    assert Answer("…", "direct", "low", False, []).state == "not_found"
    assert Answer("…", "direct", "low", True, []).state == "answered"
    whole = Answer("…", "direct", "low", True, [], statements=[statement("It opened in 1932.", "supported")])
    assert Answer.from_dict(whole.to_dict()) == whole
