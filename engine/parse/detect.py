"""What kind of file this is, told from its content; the name is only asked where that leaves it open."""

import re
import struct
from contextlib import suppress
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from engine.errors import EmptyFileError, UnreadableFileError, UnsupportedFormatError
from engine.parse.delimited import SUFFIXES as DELIMITED_SUFFIXES
from engine.parse.delimited import delimiter_of
from engine.parse.encoding import decode, utf16_without_bom
from engine.parse.legacy import LegacyKind
from engine.parse.limits import check_archive, protected
from engine.parse.other import OtherKind

Kind = Literal[
    LegacyKind, OtherKind, "pdf", "docx", "xlsx", "xls", "pptx", "odp", "ods", "mail", "msg", "html", "csv", "markdown",
    "text", "picture",
]  # fmt: skip
HEAD = 64 * 1024
TAKEN = (
    "PDF, Word, Excel, PowerPoint, OpenDocument (.odt, .odp, .ods), Rich Text, web pages (HTML), e-books (EPUB), "
    "mail (.eml, .msg), CSV, Markdown, plain text and pictures (PNG, JPEG, TIFF, WebP)"
)
# Names by which a folder is searched for documents; what a file is, its content says.
SUFFIXES = frozenset(
    {".pdf", ".docx", ".docm", ".md", ".markdown", ".mdown", ".mkd", ".txt", ".text"}
    | {".xlsx", ".xlsm", ".pptx", ".pptm", ".ppsx", ".html", ".htm", ".xhtml", ".csv", ".tsv"}
    | {".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp"}
    | {".odt", ".ott", ".odp", ".otp", ".ods", ".ots", ".rtf", ".epub", ".eml", ".msg", ".mht", ".mhtml"}
    | {".doc", ".dot", ".ppt", ".pps", ".xls", ".xlt"}
    | {".rst", ".rest", ".org", ".tex", ".ipynb", ".fb2"}
)
HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".rmd", ".qmd"})

_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
TNEF = b"\x78\x9f\x3e\x22"  # winmail.dat
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ODD = bytes((*range(1, 9), 11, *range(14, 27), *range(28, 32), 127))
# Pages without <html> are HTML by their name and their tags.
_TAGS = re.compile(rb"<(?:head|body|title|meta|h[1-6]|p|div|table|ul|ol|dl|article|section|main|pre|a)[\s>]", re.I)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_PDF = re.compile(rb"%PDF-\d\.\d")
# Nothing that has matched is given up again: a file of comments, or of blanks, would take for ever.
_HTML = re.compile(rb"\s*+(<\?xml[^>]*+>\s*+)?(<!--.*?-->\s*+)*+(<!doctype\s+html|<html[\s>])", re.I | re.S)
_FOLDERS: dict[str, Kind] = {"word": "docx", "xl": "xlsx", "ppt": "pptx"}
_MIMETYPES: tuple[tuple[bytes, Kind], ...] = (
    (b"application/epub+zip", "epub"),
    (b"application/vnd.oasis.opendocument.text", "odt"),
    (b"application/vnd.oasis.opendocument.presentation", "odp"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
)
# In this order: a message may hold a Word file, an encrypted file holds nothing else.
_CompoundKind = LegacyKind | Literal["xls", "msg", "encrypted"]
_STREAMS: tuple[tuple[str, _CompoundKind], ...] = (
    ("EncryptedPackage", "encrypted"),
    ("__properties_version1.0", "msg"),
    ("__nameid_version1.0", "msg"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)
# What a damaged compound file makes olefile raise.
BROKEN = (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error, RecursionError)
_ROOT_ENTRY = re.compile(rb"media-type\s*=\s*[\"'](application/vnd\.oasis\.opendocument\.[\w-]+)")
_MARKDOWN_SIGNS = (
    re.compile(r"^#{1,6} \S", re.M),
    re.compile(r"^(```|~~~)[\w+-]*\s*$", re.M),
    re.compile(r"^[ \t]*+\|?([ \t]*+:?-{3,}+:?[ \t]*+\|)++[ \t]*+:?-*+:?[ \t]*+$", re.M),
    re.compile(r"!?\[[^\]\n]{1,200}\]\([^)\s]{1,500}\)"),
    re.compile(r"\*\*[^*\s][^*\n]{0,200}\*\*"),
)

_MAIL_SUFFIXES = frozenset({".eml", ".mht", ".mhtml"})
_MAIL_HEADERS = frozenset({
    "from", "to", "cc", "bcc", "subject", "date", "received", "return-path", "message-id", "mime-version",
    "content-type", "delivered-to", "reply-to", "sender", "in-reply-to", "references", "dkim-signature",
})  # fmt: skip
# At least one of these: a memo begins with "To:" and "Subject:", too.
_SURE_HEADERS = frozenset({"from", "received", "return-path", "message-id", "mime-version"})
_RST = frozenset({".rst", ".rest"})
_ORG = re.compile(r"^(?:\*+ \S|#\+[a-z_]+:)", re.I | re.M)
_ORG_KEYWORD = re.compile(r"^#\+(?:title|author|options|begin_\w+|startup):?", re.I | re.M)
_DIRECTIVE = re.compile(
    r"^\.\. (?:toctree|code-block|note|warning|image|figure|contents|math|_[\w -]+|include|list-table|automodule|"
    r"highlight|seealso|versionadded|deprecated|table|csv-table|admonition|sourcecode|index)::?", re.M,
)  # fmt: skip
_UNDERLINED = re.compile(r"^\S[^\n]*\n([=\-~^\"'*+#])\1{2,}\s*$", re.M)
_LATEX = re.compile(r"(?:\s|%[^\n]*\n)*\\(?:documentclass|documentstyle|begin\{document\})")
_LATEX_PART = re.compile(r"^\s*\\(?:chapter|section|subsection|begin|input|newcommand|usepackage)\b", re.M)


def detect(path: Path, name: str) -> Kind:
    """Return which parser takes the file. Raises UnreadableFileError or a subclass, saying what it seems to be."""
    return kind_of(_head(path, name), path, name)


def refuse_unknown(data: bytes | Path, name: str) -> None:
    """Refuse a file that no parser takes by its first bytes. Raises UnreadableFileError or a subclass."""
    head = data[:HEAD] if isinstance(data, bytes) else _head(data, name)
    if not head.startswith((*_ZIP, _OLE)):  # what these hold is looked at by the parser's own process
        kind_of(head, None, name)


def _head(path: Path, name: str) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except OSError as error:
        raise UnreadableFileError(f"{name} cannot be read: {error.strerror}.") from error


def kind_of(head: bytes, path: Path | None, name: str) -> Kind:
    """Return the kind from the first bytes; the path is only opened for what is packed."""
    if not head:
        raise EmptyFileError(f"{name} is empty. Check the file and add it again.")
    if head.startswith(_ZIP) and path is not None:
        return _packed(path, name)
    if (pdf := _PDF.search(head[:1024])) and (not head[: pdf.start()].strip() or b"\0" in head):
        return "pdf"
    if head.startswith(_PICTURES) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
        return "picture"
    if head.startswith(_OLE):
        return _compound(path, name)
    if head.startswith(TNEF):
        return "mail"
    _refuse_binary(head, name)
    if head.startswith(b"{\\rtf"):
        return "rtf"
    if _is_mail(head, name):
        return "mail"
    if _HTML.match(head[:4096].removeprefix(b"\xef\xbb\xbf")):
        return "html"
    return _text_kind(head, name)


def _text_kind(head: bytes, name: str) -> Kind:
    suffix = Path(name).suffix.lower()
    if suffix in MARKDOWN_SUFFIXES:
        return "markdown"
    if other := _other_kind(head, suffix):
        return other
    if suffix in DELIMITED_SUFFIXES and delimiter_of(decode(head).text):
        return "csv"
    if suffix in HTML_SUFFIXES and len(_TAGS.findall(head)) > 1:
        return "html"
    text = head.decode("utf-8", "replace").replace("\r\n", "\n")
    signs = sum(1 for sign in _MARKDOWN_SIGNS if sign.search(text))
    return "markdown" if signs >= 3 or (signs >= 2 and not Path(name).suffix) else "text"


def _is_mail(head: bytes, name: str) -> bool:
    """Tell whether a text begins with the headers of a message: nothing but headers down to the first blank line."""
    named = name.lower().endswith(tuple(_MAIL_SUFFIXES))
    message = BytesHeaderParser().parsebytes(head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n"))
    known = {header.lower() for header in message} & _MAIL_HEADERS
    if message.defects:
        return named and len(known) >= 2
    return len(known) >= (1 if named else 2) and bool(known & _SURE_HEADERS or named)


def _other_kind(head: bytes, suffix: str) -> OtherKind | None:
    """Return the kind of a text with marks of its own; a suffix that is also a word needs a mark to go with it."""
    text = head.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")
    if text.lstrip().startswith("<"):
        return _xml_kind(text)
    if text.lstrip().startswith("{"):
        return "ipynb" if '"cell_type"' in text or (suffix == ".ipynb" and '"cells"' in text) else None
    if _LATEX.match(text) or (suffix == ".tex" and _LATEX_PART.search(text)):
        return "latex"
    if (suffix == ".org" and _ORG.search(text)) or len(_ORG_KEYWORD.findall(text)) >= 2:
        return "org"
    plain = suffix in {"", ".txt"} and len(_DIRECTIVE.findall(text)) >= 2 and _UNDERLINED.search(text)
    return "rst" if suffix in _RST or plain else None


def _xml_kind(text: str) -> OtherKind | None:
    start = text[:4000]
    if "<FictionBook" in start:
        return "fb2"
    if "docbook.org/ns/docbook" in start or "//DTD DocBook" in start:
        return "docbook"
    return "jats" if "<article" in start and re.search(r"JATS|//NLM//DTD", start) else None


def _refuse_binary(head: bytes, name: str) -> None:
    import filetype

    found = filetype.guess_extension(head)
    if found == "ps" or not _looks_like_text(head):
        raise unsupported(name, f"a file of the type “{found}”" if found else "a binary file of unknown kind")


def _looks_like_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        return len(head) > 2
    if b"\0" in head:
        return utf16_without_bom(head) is not None
    return len(head.translate(None, _ODD)) * 50 >= len(head) * 49


def _compound(path: Path | None, name: str) -> Kind:
    """Tell old Office files and Outlook messages apart by what their compound file holds."""
    found = _compound_kind(path) if path is not None else None
    if found == "encrypted":
        raise protected(name)
    if found is None:
        raise unsupported(name, "a compound file of unknown kind, or a damaged old Office file")
    return found


def _compound_kind(path: Path) -> _CompoundKind | None:
    """Return the kind of a compound file, by its directory or, should that be broken, by the names in it."""
    from olefile import OleFileIO

    try:
        with OleFileIO(str(path)) as container:
            names = {entry[0] for entry in container.listdir(streams=True, storages=True)}
        return next((kind for stream, kind in _STREAMS if stream in names), None)
    except BROKEN:
        data = path.read_bytes()
        return next((kind for stream, kind in _STREAMS if stream.encode("utf-16-le") in data), None)


def _packed(path: Path, name: str) -> Kind:
    try:
        with ZipFile(path) as archive:
            check_archive(archive, name)
            return _packed_kind(archive, name)
    except (BadZipFile, NotImplementedError, OSError, ValueError, EOFError) as error:
        raise UnreadableFileError(
            f"{name} is a damaged or incomplete Office file or archive. Open and save it again, or get a new copy."
        ) from error


def _packed_kind(archive: ZipFile, name: str) -> Kind:
    members = set(archive.namelist())
    if any(info.flag_bits & 1 for info in archive.infolist()):
        raise protected(name)
    declared = _start_of(archive, "mimetype", 100).strip()
    if not declared:  # an OpenDocument package without a type in front states it of itself inside
        declared = next(iter(_ROOT_ENTRY.findall(_start_of(archive, "META-INF/manifest.xml", 1 << 16))), b"")
    if stated := next((kind for mimetype, kind in _MIMETYPES if declared.startswith(mimetype)), None):
        return stated
    if declared.startswith(b"application/vnd.oasis.opendocument"):
        raise unsupported(name, "an OpenDocument drawing or formula", "Save it as PDF and add that.")
    if "META-INF/container.xml" in members:
        return "epub"
    if "xl/workbook.bin" in members:
        raise unsupported(name, "a binary Excel workbook (.xlsb)", "Save it as .xlsx and add that.")
    if "visio/document.xml" in members:
        raise unsupported(name, "a Visio drawing")
    if "[Content_Types].xml" in members:
        folders = {member.lower().partition("/")[0] for member in members if "/" in member}
        if kind := next((kind for folder, kind in _FOLDERS.items() if folder in folders), None):
            return kind
    raise unsupported(name, "a ZIP archive", "Unpack it and add the files in it.")


def _start_of(archive: ZipFile, member: str, size: int) -> bytes:
    with suppress(KeyError, BadZipFile, ZlibError, EOFError), archive.open(member) as file:
        return file.read(size)
    return b""


def unsupported(name: str, what: str, advice: str = "") -> UnsupportedFormatError:
    """Return the error for a file of a kind that is known but not taken."""
    return UnsupportedFormatError(f"{name} is {what}. DropQA takes {TAKEN}. {advice}".rstrip())
