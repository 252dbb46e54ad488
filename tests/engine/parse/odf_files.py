"""OpenDocument files, made on the spot."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"), ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"), ("presentation", "presentation"), ("chart", "chart"),
    )
) + ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'  # fmt: skip


def odf_file(path: Path, kind: str, body: str, automatic: str = "", styles: str = "", **parts: str) -> Path:
    """Write a document of a kind ("text", "presentation", "spreadsheet") with this body and these styles."""
    with ZipFile(path, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr(
            "content.xml",
            f"<office:document-content {NAMES}><office:automatic-styles>{automatic}</office:automatic-styles>"
            f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
        )
        archive.writestr(
            "styles.xml",
            f"<office:document-styles {NAMES}><office:styles>{styles}</office:styles></office:document-styles>",
        )
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return path


def p(text: str, style: str = "") -> str:
    """Return a paragraph."""
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(text: str, level: int) -> str:
    """Return a heading."""
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def cell(*contents: str, **attributes: int | str) -> str:
    """Return a table cell; attributes such as number_columns_spanned."""
    facts = "".join(f' table:{key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<table:table-cell{facts}>{''.join(contents)}</table:table-cell>"


def row(*cells: str, **attributes: int | str) -> str:
    """Return a table row."""
    facts = "".join(f' table:{key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<table:table-row{facts}>{''.join(cells)}</table:table-row>"


def table(*rows: str, name: str = "Sheet1", style: str = "") -> str:
    """Return a table or sheet."""
    return f'<table:table table:name="{name}" table:style-name="{style}">{"".join(rows)}</table:table>'
