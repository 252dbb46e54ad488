"""How many of the words of files stand in our trees, by format, against an extraction that shares no code with ours.

    python benchmarks/coverage.py FOLDER… [--least .98]

The words of PDFs are pdfium's, those of Office and OpenDocument files all text in their XML (without what was deleted
or is hidden), those of web pages lxml's, of mails those of the ``email`` package, of other texts the words themselves.
A word counts as often as it stands there; Chinese, Japanese and Korean characters are words. Printed are the share by
format and the files under ``--least``, with words that are missing.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import hashlib
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

from lxml import etree, html

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.config import ParsingSettings
from engine.errors import UnreadableFileError
from engine.parse.worker import ParseWorker

_WORD = re.compile(r"[\u3005\u3021-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\W_\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_UNSEEN = frozenset({"script", "style", "noscript", "template", "nav", "footer", "head", "svg"})


def words(text: str) -> Counter[str]:
    """Return the words of a text and how often each stands in it."""
    return Counter(_WORD.findall(text.casefold()))


def pdf(path: Path) -> str:
    """Return the text of a PDF as pdfium has it, hyphens at the ends of lines taken out."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    return re.sub(r"[\ufffe\u00ad-]\s*\r?\n", "", text).replace("\ufffe", "")


def packed(path: Path, parts: str, text: str) -> str:
    """Return what stands in elements of a name in the parts of a package."""
    with ZipFile(path) as archive:
        roots = [etree.fromstring(archive.read(name)) for name in archive.namelist() if re.search(parts, name)]
    groups = (group for root in roots for group in root.iter("{*}p", "{*}si"))
    return "\n".join("".join(_said(e, group) for e in group.iter(text, "{*}br", "{*}tab")) for group in groups)


def _said(element: etree._Element, group: etree._Element) -> str:
    """Return the words of an element of a paragraph, none of one in a paragraph inside it or of formulas."""
    if next(element.iterancestors("{*}p", "{*}si"), None) is not group or "/math}" in element.tag:
        return ""
    return (element.text or "") if element.tag.endswith("}t") and _shown(element) else " "


def _shown(element: etree._Element) -> bool:
    """Tell whether neither the run nor one of two readings of a drawing leaves an element out."""
    above = list(element.iterancestors("{*}Fallback", "{*}moveFrom", "{*}rPh", "{*}fld"))
    run = next(element.iterancestors("{*}r"), None)
    return not above and (run is None or run.find("{*}rPr/{*}vanish") is None)


def odt(path: Path) -> str:
    """Return all text of an OpenDocument text."""
    with ZipFile(path) as archive:
        root = etree.fromstring(archive.read("content.xml"))
    return "\n".join(
        "".join(one.itertext()) for one in root.iter("{*}p", "{*}h") if next(one.iterancestors("{*}p"), None) is None
    )


def page(path: Path) -> str:
    """Return the text of a web page that a browser shows."""
    root = html.fromstring(path.read_bytes())
    return "\n".join(_texts(root))


def _texts(element: html.HtmlElement) -> Iterator[str]:
    if isinstance(element.tag, str) and element.tag not in _UNSEEN:
        yield element.text or ""
        for child in element:
            yield from _texts(child)
            yield child.tail or ""


def mail(path: Path) -> str:
    """Return subject, sender and the richest text of a message."""
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    body = message.get_body(("html", "plain"))
    text = body.get_content() if body is not None else ""
    if body is not None and body.get_content_subtype() == "html":
        text = "\n".join(_texts(html.fromstring(text)))
    return f"{message['subject'] or ''}\n{message['from'] or ''}\n{text}"


def plain(path: Path) -> str:
    """Return a text without the marks of Markdown, which are no words, and the addresses of links."""
    return re.sub(r"(?s:<!--.*?-->)|\]\([^)\s]*[^)]*\)|<[^>]*>|&\w+;", " ", path.read_text("utf-8", "replace"))


EXTRACTIONS: dict[str, Callable[[Path], str]] = {
    ".pdf": pdf,
    ".docx": lambda path: packed(path, r"word/(document|header|footer|footnotes|endnotes|comments)\d*\.xml", "{*}t"),
    ".pptx": lambda path: packed(path, r"ppt/(slides|notesSlides)/[^/]+\.xml", "{*}t"),
    ".xlsx": lambda path: packed(path, r"xl/sharedStrings\.xml", "{*}t"),
    ".odt": odt,
    ".html": page,
    ".htm": page,
    ".eml": mail,
    ".md": plain,
    ".txt": plain,
    ".csv": plain,
    ".tsv": plain,
}  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--least", type=float, default=0.98)
    options = parser.parse_args()
    kept: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    worker = ParseWorker(ParsingSettings())
    for path in sorted(path for folder in options.folders for path in folder.rglob("*")):
        extraction = EXTRACTIONS.get(path.suffix.lower())
        if extraction is None:
            continue
        try:
            sha256 = hashlib.sha256(path.name.encode()).hexdigest()
            tree = worker.parse(path, name=path.name, document_id="d", sha256=sha256, version=1)
        except UnreadableFileError as error:
            print(f"       {path.name}: {error}")
            continue
        said = words("\n".join(f"{node.title}\n{node.text}\n{node.metadata}" for node in tree.nodes))
        wanted = words(extraction(path))
        missing = wanted - said
        total, lost = wanted.total(), missing.total()
        for at, number in enumerate((1, total, lost)):
            kept[path.suffix.lower()][at] += number
        if total and 1 - lost / total < options.least:
            few = " ".join(word for word, _ in missing.most_common(12))
            print(f"{1 - lost / total:.3f} {path.name} ({total} words): {few}", flush=True)
    for suffix, (files, total, lost) in sorted(kept.items()):
        print(f"{suffix:6} files {files:4} words {total:8} kept {1 - lost / max(total, 1):.4f}")


if __name__ == "__main__":
    main()
