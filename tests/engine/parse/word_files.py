"""Word files written part by part, so that a test can say exactly what is in them."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relationships(**targets: str) -> str:
    """Return a relationships part: id = kind, target."""
    items = "".join(
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{target}"/>' for kind, target in targets.items()
    )
    return f'<Relationships xmlns="{RELATIONSHIPS}">{items}</Relationships>'


def word_file(path: Path, body: str, **parts: str) -> Path:
    """Write a .docx whose body holds this XML; parts are inner XML of styles, numbering, footnotes."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", relationships(officeDocument="word/document.xml"))
        archive.writestr("word/document.xml", f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/_rels/document.xml.rels", relationships(**{kind: f"{kind}.xml" for kind in parts}))
        for kind, xml in parts.items():
            archive.writestr(f"word/{kind}.xml", f"<w:{kind} {NAMESPACES}>{xml}</w:{kind}>")
    return path


def paragraph(text: str = "", style: str = "", numbering: tuple[int, int] | None = None, **run: str) -> str:
    """Return a paragraph; numbering is (numId, level), run properties are given as b="1", sz="28"."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    if numbering is not None:
        properties += f'<w:numPr><w:ilvl w:val="{numbering[1]}"/><w:numId w:val="{numbering[0]}"/></w:numPr>'
    look = "".join(f'<w:{name} w:val="{value}"/>' for name, value in run.items())
    return (
        f'<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
    )


def style(style_id: str, name: str, based_on: str = "", properties: str = "", default: bool = False) -> str:
    """Return a paragraph style."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    first = ' w:default="1"' if default else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{style_id}"{first}><w:name w:val="{name}"/>{base}'
        f"<w:pPr>{properties}</w:pPr></w:style>"
    )


def level(number: int, form: str, text: str, start: int = 1, more: str = "") -> str:
    """Return a level of a numbering."""
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(levels: str, *, nums: tuple[int, ...] = (1,), overrides: str = "") -> str:
    """Return one abstract numbering and its instances; overrides go into the last instance."""
    instances = "".join(
        f'<w:num w:numId="{num}"><w:abstractNumId w:val="0"/>{overrides if num == nums[-1] else ""}</w:num>'
        for num in nums
    )
    return f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>{instances}'


def table(*rows: str, properties: str = "") -> str:
    """Return a table from rows of cells."""
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


def cell(content: str, span: int = 1, merge: str = "") -> str:
    """Return a cell; content is text or block XML, merge is "restart" or "continue"."""
    properties = f'<w:gridSpan w:val="{span}"/>' if span > 1 else ""
    if merge:
        properties += f'<w:vMerge w:val="{merge}"/>' if merge == "restart" else "<w:vMerge/>"
    inner = content if content.startswith("<w:") else paragraph(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"
