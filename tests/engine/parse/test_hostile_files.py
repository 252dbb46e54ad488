from collections.abc import Iterator
from pathlib import Path

import docx
import hostile_files
import pytest
from word_files import cell, paragraph, table, word_file

from engine.config import ParsingSettings
from engine.errors import (
    EmptyFileError,
    EncryptedFileError,
    LimitExceededError,
    UnreadableFileError,
    UnsupportedFormatError,
)
from engine.model import Tree
from engine.parse.dispatch import parse_file
from engine.parse.filename import clean_name
from engine.parse.worker import ParseWorker


@pytest.fixture(scope="module")
def worker() -> Iterator[ParseWorker]:
    worker = ParseWorker(ParsingSettings(timeout_seconds=60))
    yield worker
    worker.close()


@pytest.fixture
def parse(worker):
    def run(path: Path, name: str = "") -> Tree:
        return worker.parse(path, name=name or path.name, sha256="ab" * 32, document_id="d", version=1)

    return run


def test_an_empty_file_is_named_as_empty(parse, tmp_path):
    path = tmp_path / "nothing.pdf"
    path.touch()
    with pytest.raises(EmptyFileError, match="is empty"):
        parse(path)


def test_white_space_alone_is_no_document(parse, tmp_path):
    path = tmp_path / "blank.txt"
    path.write_text(" \n\n\t\n")
    with pytest.raises(EmptyFileError, match="holds no text"):
        parse(path)


def test_a_truncated_pdf_is_damaged(parse, tmp_path):
    with pytest.raises(UnreadableFileError):
        parse(hostile_files.truncated_pdf(tmp_path / "cut.pdf"))


def test_an_encrypted_pdf_asks_for_its_protection_to_go(parse, tmp_path):
    with pytest.raises(EncryptedFileError, match="password"):
        parse(hostile_files.pdf(tmp_path / "locked.pdf", password="secret"))


def test_a_pdf_without_pages_is_refused(parse, tmp_path):
    with pytest.raises(UnreadableFileError):
        parse(hostile_files.empty_pdf(tmp_path / "none.pdf"))


def test_a_word_file_named_pdf_is_read_as_word(parse, tmp_path):
    document = docx.Document()
    document.add_heading("Really Word", 1)
    path = tmp_path / "report.pdf"
    document.save(str(path))
    tree = parse(path)
    assert tree.nodes[1].title == "Really Word"
    assert "wordprocessingml" in tree.media_type


def test_a_pdf_named_docx_is_read_as_pdf(parse, tmp_path):
    assert parse(hostile_files.pdf(tmp_path / "report.docx")).media_type == "application/pdf"


def test_a_program_named_docx_is_refused_as_a_program(parse, tmp_path):
    path = tmp_path / "letter.docx"
    path.write_bytes(b"MZ\x90\x00\x03\x00\x00\x00" + bytes(range(256)) * 20)
    with pytest.raises(UnsupportedFormatError, match="exe"):
        parse(path)


def test_a_zip_bomb_is_refused_unopened(parse, tmp_path):
    with pytest.raises(LimitExceededError, match="zip bomb"):
        parse(hostile_files.zip_bomb(tmp_path / "bomb.docx"))


def test_an_archive_of_too_many_parts_is_refused(parse, tmp_path):
    with pytest.raises(LimitExceededError, match="packed parts"):
        parse(hostile_files.many_members(tmp_path / "many.docx"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_entity_bomb_is_refused(parse, tmp_path, encoding):
    with pytest.raises(UnreadableFileError, match="entities"):
        parse(hostile_files.entity_bomb(tmp_path / "laughs.docx", encoding))


def test_no_entity_reads_a_local_file(parse, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the password")
    path = hostile_files.entity_that_reads_a_file(tmp_path / "thief.docx", secret)
    with pytest.raises(UnreadableFileError, match="entities"):
        parse(path)


def test_a_word_file_without_its_text_part_is_told(parse, tmp_path):
    with pytest.raises(UnreadableFileError, match="readable text part"):
        parse(hostile_files.word_package(tmp_path / "hollow.docx", "this is not XML"))


def test_tables_nested_without_end_cost_nothing_else(parse, tmp_path):
    tree = parse(hostile_files.deep_tables(tmp_path / "deep.docx"))
    assert tree.nodes[1].text == "Above the tables."


def test_a_cell_that_claims_a_million_columns_is_bounded(parse, tmp_path):
    tree = parse(word_file(tmp_path / "wide.docx", table(cell("a", span=1_000_000), cell("b"))))
    assert len(tree.nodes[1].metadata["rows"][0]) == 1000


def test_a_cut_off_word_file_is_damaged(parse, tmp_path):
    path = word_file(tmp_path / "cut.docx", paragraph("text " * 1000))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(UnreadableFileError, match="damaged"):
        parse(path)


def test_a_word_file_with_a_spoiled_part_is_damaged_or_read(parse, tmp_path):
    path = word_file(tmp_path / "bits.docx", "".join(paragraph(f"Paragraph {n}") for n in range(200)))
    whole = path.read_bytes()
    for at in range(300, len(whole) - 30, len(whole) // 12):
        path.write_bytes(whole[:at] + bytes((whole[at] ^ 0xFF,)) + whole[at + 1 :])
        try:
            assert parse(path).nodes
        except UnreadableFileError as error:
            assert "Error" not in str(error)  # told in words, not by the name of an exception


def test_fifty_megabytes_of_prose_are_read(tmp_path):
    line = "The fifty megabytes of this file are made of one sentence that comes again and again. "
    path = tmp_path / "long.txt"
    path.write_text((line * 24 + "\n\n") * 25_000)
    assert path.stat().st_size > 50_000_000
    blocks = parse_file(path, path.name, ParsingSettings()).blocks
    assert len(blocks) >= 25_000
    assert max(len(block.text) for block in blocks) <= 2000


def test_fifty_megabytes_in_one_line_are_read(tmp_path):
    path = tmp_path / "line.txt"
    path.write_bytes(b"word " * 10_500_000)
    blocks = parse_file(path, path.name, ParsingSettings()).blocks
    assert max(len(block.text) for block in blocks) <= 2000


def test_more_paragraphs_than_a_tree_can_hold_end_in_a_clear_message(parse, tmp_path):
    path = tmp_path / "tiny.txt"
    path.write_bytes(b"tiny\n\n" * 260_000)
    with pytest.raises(LimitExceededError, match="Split it"):
        parse(path)


def test_a_file_over_the_size_limit_is_not_read(tmp_path):
    worker = ParseWorker(ParsingSettings(max_file_mb=1))
    path = tmp_path / "big.txt"
    path.write_bytes(b"x" * 2_000_000)
    with pytest.raises(LimitExceededError, match="limit is 1 MB"):
        worker.parse(path, name="big.txt", sha256="a", document_id="d", version=1)
    worker.close()


@pytest.mark.parametrize("name", ["../../etc/passwd.txt", "a\x00b\n.txt", "x\u202etxt.exe", '{"done": true}\n.txt'])
def test_odd_names_reach_the_tree_as_they_were_cleaned(parse, tmp_path, name):
    path = tmp_path / "file"
    path.write_text("Some text.")
    assert parse(path, clean_name(name)).name == clean_name(name)
