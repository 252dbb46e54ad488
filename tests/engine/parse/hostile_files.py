"""Files that are broken or meant to do harm, made on the spot."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from reportlab.pdfgen import canvas
from word_files import NAMESPACES, RELATIONSHIPS, TYPES, paragraph, word_file

DOCUMENT = '<Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/>'


def pdf(path: Path, password: str | None = None) -> Path:
    """Write a PDF of one page, protected when a password is given."""
    sheet = canvas.Canvas(str(path), encrypt=password)
    sheet.drawString(72, 700, "One page of text that is there to be read.")
    sheet.showPage()
    sheet.save()
    return path


def truncated_pdf(path: Path) -> Path:
    """Write a PDF that ends after its header and half an object."""
    path.write_bytes(pdf(path).read_bytes()[:60])
    return path


def empty_pdf(path: Path) -> Path:
    """Write a PDF without pages."""
    path.write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF\n"
    )
    return path


def word_package(path: Path, document: bytes | str, **more: bytes) -> Path:
    """Write a .docx whose document part is just this."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", f'<Relationships xmlns="{RELATIONSHIPS}">{DOCUMENT}</Relationships>')
        archive.writestr("word/document.xml", document)
        for name, data in more.items():
            archive.writestr(f"word/{name}", data)
    return path


def zip_bomb(path: Path) -> Path:
    """Write a .docx of 70 kB with 70 MB of zeros beside its text."""
    return word_package(path, f"<w:document {NAMESPACES}/>", media=bytes(70_000_000))


def many_members(path: Path) -> Path:
    """Write a .docx of far too many parts."""
    with ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        for number in range(20_500):
            archive.writestr(f"word/{number}", "")
    return path


def entity_bomb(path: Path, encoding: str = "utf-8") -> Path:
    """Write a .docx whose text part would expand to a billion laughs."""
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    document = (
        f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE x [<!ENTITY l0 "lol">{entities}]>'
        f"<w:document {NAMESPACES}><w:body><w:p><w:r><w:t>&l9;</w:t></w:r></w:p></w:body></w:document>"
    )
    return word_package(path, document.encode(encoding))


def entity_that_reads_a_file(path: Path, secret: Path) -> Path:
    """Write a .docx that asks for a local file to be put into its text."""
    padding = " " * 5000  # past the part of the head that is searched
    document = (
        f'<?xml version="1.0"?>{padding}<!DOCTYPE x [<!ENTITY s SYSTEM "file://{secret}">]>'
        f"<w:document {NAMESPACES}><w:body>{paragraph('before &s; after')}</w:body></w:document>"
    )
    return word_package(path, document)


def deep_tables(path: Path) -> Path:
    """Write a .docx of tables in tables, deeper than XML parsers go."""
    opening = "<w:tbl><w:tr><w:tc><w:p/>" * 200
    closing = "</w:tc></w:tr></w:tbl>" * 200
    return word_file(path, paragraph("Above the tables.") + opening + closing)
