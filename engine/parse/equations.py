"""Equations of Word and PowerPoint (OMML) as LaTeX, which pandoc writes: those of a part in one run."""

import json
import os
import re
import subprocess
from copy import deepcopy
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from lxml import etree

from engine.parse.ooxml import M, W
from engine.parse.other import PANDOC_MEMORY

_BLANK_END = re.compile(r"(?:\\ |\s)+$")
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_PACKAGE = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    f'<Default Extension="rels" ContentType="text/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_TYPE}"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="d" Target="word/document.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships/officeDocument"/></Relationships>',
}


def write_equations(root: Any) -> None:
    """Put the LaTeX of each equation of a part in its place, in place; what pandoc cannot read keeps its letters."""
    equations = list(root.iter(f"{M}oMath"))
    found = _latex(equations) if equations else {}
    for number, equation in enumerate(equations):
        text = found.get(number) or "".join(equation.itertext(f"{M}t", f"{W}t"))
        equation.clear(keep_tail=True)
        equation.text = " ".join(text.split())


def _latex(equations: list[Any]) -> dict[int, str]:
    """Return the LaTeX of equations by their place among them."""
    import pypandoc

    document = etree.Element(f"{W}document", nsmap={"w": W[1:-1], "m": M[1:-1]})
    body = etree.SubElement(document, f"{W}body")
    for number, equation in enumerate(equations):
        paragraph = etree.SubElement(body, f"{W}p")
        run = etree.SubElement(paragraph, f"{W}r")
        etree.SubElement(run, f"{W}t").text = str(number)
        paragraph.append(deepcopy(equation))
        paragraph[-1].tail = None
    etree.strip_elements(document, f"{M}sty", f"{M}scr")  # bold letters of a heading are no other letters
    package = BytesIO()
    with ZipFile(package, "w") as written:
        for name, text in (*_PACKAGE.items(), ("word/document.xml", etree.tostring(document))):
            written.writestr(name, text)
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "--sandbox", "--from=docx", "--to=json"], input=package.getvalue(),
        capture_output=True, check=False, env={"GHCRTS": PANDOC_MEMORY} | os.environ,
    )  # fmt: skip
    paragraphs = [block["c"] for block in json.loads(done.stdout or b'{"blocks": []}')["blocks"]]
    found = {int(parts[0]["c"]): [part["c"][1] for part in parts if part["t"] == "Math"] for parts in paragraphs}
    return {number: _BLANK_END.sub("", " ".join(texts)) for number, texts in found.items()}
