"""A name that the cited document does not have is told, however much else of the sentence stands there."""

from dataclasses import replace

import pytest
from engine.answer.citations import resolve
from engine.answer.strange_names import strange_names
from evidence_maker import evidence

from engine.answer.phrases import ENGLISH

MILLS = evidence(
    1, "The company was founded in Bergen in 1990 by a Spaniard.", document="b.txt", subject="Borealis"
)
OTHER = evidence(2, "Acme was founded in Oslo.", document="a.txt")


@pytest.mark.parametrize(
    ("sentence", "strange"),
    [
        ("Acme was founded in Bergen in 1990.", ["Acme"]),
        ("It was founded by Anna Varga in Bergen.", ["Anna", "Varga"]),
        ("Borealis was founded in Bergen.", []),
        ("It was founded in May 1990, on a Monday.", []),
        ("It was founded by a Spanish family, says the CEO.", []),
        ("Paper is made in three mills.", []),
        ("公司由 Acme 于1990年成立。", []),
    ],
)
def test_a_name_may_stand_anywhere_in_what_was_found_of_the_document(sentence, strange):
    assert strange_names(sentence, {0}, [MILLS, OTHER], "When was Acme founded?") == strange


def test_latin_names_in_chinese_are_checked_in_chinese_documents():
    item = evidence(1, "A3 的滤网每六个月更换一次。", document="手册.md")
    assert strange_names("A5 的滤网每六个月更换一次。", {0}, [item]) == []
    item = replace(item, text="Orvane 的滤网每六个月更换一次。")
    assert strange_names("Kelmond 的滤网每六个月更换一次。", {0}, [item]) == ["Kelmond"]
    assert strange_names("Orvane 的滤网每六个月更换一次。", {0}, [item]) == []


def test_a_sentence_with_a_strange_name_is_supported_only_in_part_and_the_name_is_told():
    done = resolve(
        "Acme was founded in Bergen in 1990 [1].", [MILLS], ENGLISH, question="When was Acme founded?"
    )
    assert done.sentences[0].support == "partly"
    assert done.warnings == ["“Acme” does not stand in the document cited for it."]
    assert resolve("The company was founded in Bergen in 1990 [1].", [MILLS], ENGLISH).warnings == []
