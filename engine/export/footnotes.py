"""Footnotes of a Word document, which python-docx does not write: a part with their texts, and references to them."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
# What Word draws between text and notes; every document with notes has both.
_SEPARATORS = "".join(
    f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{mark}/></w:r></w:p></w:footnote>'
    for number, kind, mark in (
        (-1, "separator", "separator"),
        (0, "continuationSeparator", "continuationSeparator"),
    )
)
_RAISED = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
_NOTE = (
    '<w:footnote w:id="{number}"><w:p><w:pPr><w:spacing w:after="0"/></w:pPr>'
    f"<w:r>{_RAISED}<w:footnoteRef/></w:r>"
    '<w:r><w:rPr><w:sz w:val="18"/></w:rPr><w:t xml:space="preserve"> {text}</w:t></w:r></w:p></w:footnote>'
)


class Footnotes:
    """The footnotes of one document; :meth:`close` writes them into it."""

    def __init__(self, document: Any, texts: dict[int, str]) -> None:
        """``texts`` are the notes by their numbers, which are those of their first references."""
        self._document, self._texts = document, texts
        self._referred: list[int] = []

    def refer(self, paragraph: Any, number: int) -> None:
        """Put a reference at the end of a paragraph; a later one to the same note is its number, raised."""
        from docx.oxml import parse_xml

        if number in self._referred:
            run = paragraph.add_run(str(number))
            run.font.superscript = True
            return
        self._referred.append(number)
        paragraph._p.append(
            parse_xml(f'<w:r xmlns:w="{_MAIN}">{_RAISED}<w:footnoteReference w:id="{number}"/></w:r>')
        )

    def knows(self, number: int) -> bool:
        """Tell whether there is a note of this number."""
        return number in self._texts

    def close(self) -> None:
        """Write the notes that were referred to into the document."""
        from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
        from docx.opc.packuri import PackURI
        from docx.opc.part import Part

        if not self._referred:
            return
        notes = "".join(
            _NOTE.format(number=number, text=escape(self._texts[number])) for number in self._referred
        )
        head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        xml = f'{head}\n<w:footnotes xmlns:w="{_MAIN}">{_SEPARATORS}{notes}</w:footnotes>'
        main = self._document.part
        part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, xml.encode(), main.package)
        main.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
