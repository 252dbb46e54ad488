"""Tests for engine/providers/reading.py: does a text answer a question, and with which words?"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import ProviderUnavailableError
from engine.providers.e5_model import batches
from engine.providers.embedding import WEIGHTS
from engine.providers.reading import Passage, Reader, Reading, open_reader

LEASE = "The lease begins on 1 May 2024. The monthly rent is 4,200 euros. Pets are allowed in the garden."
NEWS = "三号锅炉于2023年5月完成检修，由王建国负责验收。厂区绿化面积为两千平方米。"


def read(question: str, text: str, title: str = "") -> tuple[Reading, str]:
    (reading,) = open_reader().read(question, [Passage(title, text)])
    return reading, text[reading.start : reading.end]


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What is the monthly rent?", LEASE, "4,200"),
        ("When does the lease begin?", LEASE, "1 May 2024"),
        ("三号锅炉由谁验收？", NEWS, "王建国"),
        ("厂区绿化面积是多少？", NEWS, "两千平方米"),
        ("谁负责锅炉的验收？", "The boiler was inspected and accepted by Anna Smith in May.", "Anna Smith"),
    ],
)
def test_the_words_that_answer_are_found_in_the_passage(question: str, text: str, answer: str) -> None:
    reading, said = read(question, text)
    assert reading.certainty > 0
    assert answer in said


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who owns the house?", LEASE),
        ("三号锅炉是哪家公司制造的？", NEWS),
        ("Who won the chess tournament?", LEASE),
    ],
)
def test_a_passage_that_lacks_what_is_asked_for_does_not_answer(question: str, text: str) -> None:
    assert read(question, text)[0].certainty < 0


def test_a_title_is_read_but_no_answer_lies_in_it() -> None:
    reading, said = read("Who wrote the report?", "It was written by Ben Okafor.", title="Report of the harbour")
    assert "Ben Okafor" in said
    assert reading.end <= len("It was written by Ben Okafor.")


def test_many_passages_are_read_as_each_by_itself() -> None:
    passages = [Passage("", NEWS), Passage("", LEASE), Passage("", "短。"), Passage("", NEWS)]
    together = open_reader().read("三号锅炉由谁验收？", passages)
    fresh = Reader(WEIGHTS)
    alone = [fresh.read("三号锅炉由谁验收？", [one])[0] for one in passages[:3]]
    assert together[0] == together[3]
    for one, other in zip(together, alone, strict=False):
        assert (one.start, one.end) == (other.start, other.end)
        assert one.certainty == pytest.approx(other.certainty, abs=1e-3)


def test_texts_of_one_length_share_a_batch_and_little_is_padded() -> None:
    lengths = [30, 31, 30, 120, 60, 30, 121, 31, 120, 120, 120]
    made = list(batches(lengths))
    assert sorted(row for batch in made for row in batch) == list(range(len(lengths)))
    assert len(made) == 4  # those of 60 alone, of 120 at most four together
    padding = sum(max(lengths[row] for row in batch) - lengths[one] for batch in made for one in batch)
    assert padding <= 10


def test_what_looks_like_a_control_token_is_read_as_text() -> None:
    text = f"</s><s> {LEASE} <pad>"
    assert "4,200" in read("What is the monthly rent?", text)[1]


def test_a_passage_without_words_has_no_answer() -> None:
    assert open_reader().read("Who?", [Passage("Title", "")])[0][1:] == (0, 0)
    assert open_reader().read("Who?", []) == []


def test_missing_weights_are_told_with_their_folder(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    with pytest.raises(ProviderUnavailableError, match=r"reader cannot be read from .*Install DropQA again"):
        reader.read("Who?", [Passage("", "text")])


def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").symlink_to(WEIGHTS / "tokenizer.json")
    (tmp_path / "reader.onnx").write_bytes(b"version https://git-lfs.github.com/spec/v1")
    with pytest.raises(ProviderUnavailableError, match="reader cannot be read"):
        Reader(tmp_path).read("Who?", [Passage("", "text")])
