import os
from pathlib import Path

import pytest

from engine.config import ParsingSettings
from engine.errors import UnreadableFileError
from engine.parse.dispatch import parse_file


@pytest.fixture
def read(tmp_path: Path):
    def run(text: str, name: str):
        path = tmp_path / "file"
        path.write_text(text)
        return parse_file(path, name, ParsingSettings())

    return run


def shown(parsed):
    return [(block.kind, block.text, block.level) for block in parsed.blocks]


def test_restructured_text_keeps_headings_numbers_and_figures(read):
    found = read(
        "Title\n=====\n\nText.\n\nPart\n----\n\n1. one\n2. two\n\n"
        ".. figure:: x.png\n   :alt: A duck\n\n   Figure 1: Duck\n",
        "a.rst",
    )
    assert shown(found) == [
        ("heading", "Title", 1), ("paragraph", "Text.", None), ("heading", "Part", 2),
        ("list_item", "1. one", 1), ("list_item", "2. two", 1), ("image", "A duck", None),
        ("caption", "Figure 1: Duck", None),
    ]  # fmt: skip
    assert found.media_type == "text/x-rst"


def test_org_titles_stand_above_its_headings(read):
    found = read("#+TITLE: Notes\n* One\ntext\n** Two\n| a | b |\n|---+---|\n| 1 | 2 |\n", "a.org")
    assert [(b.text, b.level) for b in found.blocks if b.kind == "heading"] == [
        ("Notes", 1),
        ("One", 2),
        ("Two", 3),
    ]
    assert found.blocks[-1].metadata["rows"] == [["a", "b"], ["1", "2"]]


def test_a_table_of_a_directive_with_a_space_before_its_colons_is_kept(read):
    found = read(
        "Pins\n====\n\n.. list-table ::\n   :header-rows: 1\n\n   * - Pin\n     - P27\n   * - 1\n     - VCC\n", "a.rst"
    )
    assert found.blocks[-1].metadata["rows"] == [["Pin", "P27"], ["1", "VCC"]]


def test_latex_keeps_title_and_abstract(read):
    found = read(
        "\\documentclass{article}\\title{On \\emph{Ducks}}\\begin{document}\\begin{abstract}Short.\\end{abstract}"
        "\\section{One}Text.\\end{document}",
        "a.txt",
    )
    assert [text for _, text, _ in shown(found)] == ["On Ducks", "Abstract", "Short.", "One", "Text."]


def test_nothing_that_a_file_asks_for_is_included(read, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the password")
    found = read(f"Title\n=====\n\nText.\n\n.. include:: {secret}\n", "a.rst")
    assert "password" not in str(found)


def test_no_statistics_are_sent(read):
    read("Title\n=====\n\nText.\n", "a.rst")
    assert os.environ["DO_NOT_TRACK"] == "1"


def test_what_only_seems_to_be_a_notebook_is_told(read):
    with pytest.raises(UnreadableFileError, match="Jupyter notebook"):
        read('{"cells": [{"cell_type": "code"', "a.ipynb")
