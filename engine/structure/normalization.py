"""Structure mended where the file's own says too little (seed 003, 5.1.3): titles that say nothing, long text."""

from __future__ import annotations

from engine.config import ParsingSettings
from engine.structure.draft import Draft
from engine.structure.meaningless_titles import is_meaningless
from engine.structure.section_kinds import mark_kinds
from engine.structure.subsections import Embed, Subsections
from engine.structure.terms import length_of

SPREADSHEETS = ("spreadsheet", "excel", "csv")


def normalize(
    root: Draft, settings: ParsingSettings, media_type: str = "", embed: Embed | None = None
) -> None:
    """Mark what kind of part each section is and which titles say nothing, divide long text; all in place.

    ``embed`` gives the vectors of text without headings, None: its topics are told by words.
    ``metadata["original_title"]`` lets a model put words beside a title; names of worksheets are names, not titles.
    """
    mark_kinds(root)
    if any(word in media_type for word in SPREADSHEETS):
        return
    if settings.structure_normalization.enrich_meaningless_titles:
        for node in root.walk():
            if node.role == "section" and is_meaningless(node.title):
                length = sum(length_of(leaf.text) for leaf in node.walk())
                if length >= settings.structure_normalization.min_section_length:
                    node.metadata["original_title"] = node.title
    Subsections(root, settings, embed).divide()
