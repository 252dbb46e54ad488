from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.structure.sentences import split_sentences


def parts(text, **kwargs):
    return [sentence.text for sentence in split_sentences(text, **kwargs)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met J. K. Rowling. They talked.", ["Dr. Smith met J. K. Rowling.", "They talked."]),
        ("See our Form 10-K. Net sales rose.", ["See our Form 10-K.", "Net sales rose."]),
        (
            "It is in the 10\u2011Q. Sales rose in flat 3B. Rent fell.",
            ["It is in the 10\u2011Q.", "Sales rose in flat 3B.", "Rent fell."],
        ),
        (
            "It rose 3.14 percent in the U.S. last year. Good.",
            ["It rose 3.14 percent in the U.S. last year.", "Good."],
        ),
        ("The firm is Acme Inc. It grew.", ["The firm is Acme Inc.", "It grew."]),
        ("See Fig. 3 and No. 5. Then stop.", ["See Fig. 3 and No. 5.", "Then stop."]),
        ("See Tab. 2, Eq. (3) and Tab. A1. Then stop.", ["See Tab. 2, Eq. (3) and Tab. A1.", "Then stop."]),
        ("Press Tab. Then type.", ["Press Tab.", "Then type."]),
        ("Apples, pears etc. are fruit. Yes.", ["Apples, pears etc. are fruit.", "Yes."]),
        ('He said "Stop!" and left. She stayed.', ['He said "Stop!" and left.', "She stayed."]),
        ("Open https://a.example/b?c=d.e now. Done.", ["Open https://a.example/b?c=d.e now.", "Done."]),
        ("3. Methods\nWe measured.", ["3. Methods\nWe measured."]),
        ("他说：“你好。”然后走了。", ["他说：“你好。”", "然后走了。"]),
        ("价格是3.5元！真的吗？（是的。）", ["价格是3.5元！", "真的吗？", "（是的。）"]),
        ("甲方；乙方；丙方。", ["甲方；乙方；丙方。"]),
        ("（一）甲；\n（二）乙；\n（三）丙。", ["（一）甲；", "（二）乙；", "（三）丙。"]),
        ("他用了Python 3.11。很快。", ["他用了Python 3.11。", "很快。"]),
        ("wrapped over\ntwo lines. Next", ["wrapped over\ntwo lines.", "Next"]),
        ("no end\n\nnew paragraph", ["no end", "new paragraph"]),
        ("Take:\n- salt\n- water", ["Take:", "- salt", "- water"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, expected):
    assert parts(text) == expected


def test_rows_of_a_table_are_sentences_of_their_own():
    assert parts("Item | No. | Cost\nSteel. | 1 | 2", by_line=True) == ["Item | No. | Cost", "Steel. | 1 | 2"]


@given(st.text(alphabet='aB. ?!。！；\n"”）3甲，…x', max_size=60), st.booleans())
def test_sentences_are_exact_stretches_and_lose_nothing_but_space(text, by_line):
    sentences = split_sentences(text, by_line=by_line)
    assert all(text[s.start : s.end] == s.text for s in sentences)
    assert "".join("".join(s.text.split()) for s in sentences) == "".join(text.split())
    assert all(a.end <= b.start for a, b in pairwise(sentences))


def test_marks_of_references_behind_the_end_belong_to_the_sentence():
    text = "Geese are near.[5][a] Swans, too.[note 2] Costs rose to 3.[4] in May. 鹅属雁形目。[5]其他也是。"
    assert [sentence.text for sentence in split_sentences(text)] == [
        "Geese are near.[5][a]", "Swans, too.[note 2]", "Costs rose to 3.[4] in May.", "鹅属雁形目。[5]", "其他也是。",
    ]  # fmt: skip
