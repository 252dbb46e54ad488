"""Quotations as the answer, and what is quoted that tells something else than what is asked."""

from dataclasses import replace

import pytest
from evidence_maker import evidence

from engine.answer.candidates import candidates
from engine.answer.phrases import ENGLISH
from engine.answer.sufficiency import Sufficiency
from engine.answer.trace import AnswerTrace
from engine.answer.without_model import Basis, quoted
from engine.enrich.tables import enrich_table
from engine.model import Node

SCANNERS = [["Scanner", "Latency (ms)"], ["Lynx", "19"], ["Puma", "23"]]
NOTE = "The scanners were bought in October 2025."


def scanners():
    text = "\n".join(" | ".join(row) for row in SCANNERS)
    node = Node("n00000000000001", None, "table", text=text, metadata={"rows": SCANNERS, "caption": ""})
    return evidence(1, text, role="table", table=enrich_table(node))


def made(question, items, read=None):
    found = candidates(question, items)
    if read is not None:
        found = [replace(one, read=read if one.role != "table" else 0.001) for one in found]
    basis = Basis(question, items, found, Sufficiency(0.9, True), None)
    return quoted(basis, ENGLISH.quoted, AnswerTrace(), ENGLISH, plainly=True)


def test_rows_without_a_column_for_what_is_asked_answer_nothing():
    assert "Lynx | 19" in made("What is the latency of the Lynx?", [scanners()]).answer
    assert made("What is the licence of the Lynx?", [scanners()]) is None


@pytest.mark.parametrize(("read", "answers"), [(None, True), (0.4, True), (0.001, False)])
def test_a_note_beside_a_table_answers_unless_a_reader_finds_nothing_in_it(read, answers):
    answer = made("When were the scanners bought?", [evidence(2, NOTE), scanners()], read)
    assert (answer is not None) == answers


def test_a_text_without_tables_is_quoted_whatever_the_reader_makes_of_it():
    assert made("When were the scanners bought?", [evidence(2, NOTE)], 0.001) is not None
