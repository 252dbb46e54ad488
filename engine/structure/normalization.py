"""Structure mended where the file's own says too little (seed 003, 5.1.3).

Long paragraphs are cut as the leaves are made (``long_paragraphs``); here titles that say nothing get a meaning and
long text gets sections. Short documents with structure stay as they are.
"""

from __future__ import annotations

from engine.config import ParsingSettings
from engine.structure.draft import Draft
from engine.structure.key_phrase import key_phrase
from engine.structure.meaningless_titles import is_meaningless, with_meaning
from engine.structure.section_kinds import mark_kinds
from engine.structure.subsections import Subsections, text_of
from engine.structure.terms import length_of

SPREADSHEETS = ("spreadsheet", "excel", "csv")


def normalize(root: Draft, settings: ParsingSettings, media_type: str = "") -> None:
    """Mark what kind of part each section is, give meaning to empty titles, divide long text; all in place.

    A changed title's original is kept in ``metadata["original_title"]``. Names of worksheets are names, not
    titles: they stay.
    """
    mark_kinds(root)
    if any(word in media_type for word in SPREADSHEETS):
        return
    sections = Subsections(root, settings)
    if settings.structure_normalization.enrich_meaningless_titles:
        _give_meaning(root, sections, [root.title], settings.structure_normalization.min_section_length)
    sections.divide()


def _give_meaning(node: Draft, sections: Subsections, above: list[str], least: float) -> None:
    """Give meaning to the titles of sections with enough text (``least``, as :func:`length_of`) to find it in."""
    taken = [*above]
    for child in node.children:
        if child.role != "section":
            continue
        if is_meaningless(child.title):
            leaves = [leaf for leaf in child.walk() if leaf.text]
            enough = sum(length_of(leaf.text) for leaf in leaves) >= least
            if enough and (phrase := key_phrase(text_of(leaves), sections.background, taken)):
                child.metadata["original_title"] = child.title
                child.title = with_meaning(child.title, phrase)
                taken.append(phrase)
        _give_meaning(child, sections, [*above, child.title], least)
