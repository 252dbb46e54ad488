import pytest

from engine.answer.basis import weighed
from engine.answer.evidence.judging import Judged, Span
from engine.answer.understand import understand
from tests.engine.answer.evidence_maker import evidence

ROWS = "Depot | Crates | Maximum load\nNingbo | 39 | 200 kg\nNingbo | 40 | 180 kg"


@pytest.mark.parametrize(
    ("question", "state"),
    [
        ("How many crates in total left Ningbo?", "closest"), ("What is the average of crates at Ningbo?", "closest"),
        ("What is the maximum load at Ningbo?", "answered"), ("Which depot sent crates?", "answered"),
    ],
)  # fmt: skip
def test_a_row_alone_does_not_answer_what_many_rows_come_to(question, state):
    items = [evidence(1, ROWS, role="table")]
    start = ROWS.index("Ningbo")
    judged = Judged((Span(0, start, start + 20, start, start + 6, 0.9),), 0.9, "answered", ())
    assert weighed(understand(question), judged, items, None).state == state
    assert weighed(understand(question), judged, [evidence(1, ROWS)], None).state == "answered"
