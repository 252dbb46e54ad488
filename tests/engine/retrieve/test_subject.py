"""What a document is about as a whole goes with its passages: a patient is named once, at the head."""

import pytest

from engine.config import RetrievalSettings, Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from engine.retrieve.pack import retrieved

SUMMARY = """# Discharge summary

Patient: Edward Lin, born 7 August 1957.

## Findings

The X-ray showed an infiltrate.

## Diagnosis

Pneumonia of the right lower lobe.
"""
NOTES = """The garden is watered at night.

The gate is closed at ten.
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    settings = Settings.model_validate({"embedding": {"enabled": False}})
    with Library.open(tmp_path_factory.mktemp("subject"), settings=settings, background=False) as opened:
        opened.add([Source("summary.md", SUMMARY.encode()), Source("notes.txt", NOTES.encode())])
        yield opened


def subjects(library, question):
    return {
        item.subject
        for item in retrieved(library.search, library.storage, question, Filters(), 2000, RetrievalSettings()).evidence
    }


def test_title_and_head_of_a_document_go_with_its_passages(shelf):
    assert all("Patient: Edward Lin" in subject for subject in subjects(shelf, "diagnosis pneumonia"))


def test_a_document_without_sections_has_no_head(shelf):
    assert not any("gate" in subject or "garden is" in subject for subject in subjects(shelf, "gate garden"))


def test_what_the_document_is_about_need_not_stand_in_the_passage_that_answers(shelf):
    made = shelf.ask("What is the patient's diagnosis?")
    assert made.answered and "Pneumonia" in made.answer
