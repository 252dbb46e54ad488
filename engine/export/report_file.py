"""A report as a file to hand on: Word, PDF or Markdown, with footnotes that name document, page and version.

Whatever models and documents wrote is made harmless. What the check found of a statement that is not supported stands
behind it, and what could not be written is said in its place.
"""

import re
from datetime import UTC, datetime

from engine.answer.phrases import phrases_for
from engine.errors import UsageError
from engine.export.harmless import literal, safe_markdown
from engine.export.paper import as_docx, as_pdf
from engine.export.signs import FIRST, with_signs
from engine.model import Answer, Citation, Report, ReportSection

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
KINDS = {"docx": WORD, "pdf": "application/pdf", "md": "text/markdown"}
_NAME_LETTERS = 60


def report_file(report: Report, kind: str, within: str = "") -> bytes:
    """Return a report, as far as it is written, as a file of a kind of :data:`KINDS`. Raises UsageError for others.

    ``within`` says what it was limited to, a collection say.
    """
    if kind not in KINDS:
        raise UsageError(f"A report is exported as {', '.join(KINDS)}, not as {kind}.")
    made = _Made(report, "[^{}]" if kind == "md" else "[{}]", within)
    body = made.body()
    if kind == "docx":
        return as_docx(body, made.notes)
    if kind == "pdf":
        return as_pdf(body, made.notes, made.says("sources"))
    notes = "\n".join(f"[^{number}]: {literal(text)}" for number, text in made.notes.items())
    return f"{body}\n\n{notes}\n".encode("utf-8", "replace")


def report_name(report: Report, kind: str) -> str:
    """Return the name of a report's file, one that every system takes."""
    return f"{file_name(report.title or report.subject, report.updated_at or report.created_at, 'report')}.{kind}"


def file_name(title: str, at: float, otherwise: str) -> str:
    """Return title and day as the name of a file, without its suffix, that every system takes.

    It is cut between words, and ``otherwise`` where a title has no letters.
    """
    words = re.sub(r"[^\w\-.,()%+&' ]+", " ", title).split()
    name = " ".join(words)
    if len(name) > _NAME_LETTERS:
        name = name[: max(name.rfind(" ", _NAME_LETTERS // 2, _NAME_LETTERS + 1), 0) or _NAME_LETTERS]
    return f"{name.strip(' .,-') or otherwise} {_day(at)}"


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).astimezone().date().isoformat()


class _Made:
    """The text of a report's file as Markdown; ``notes`` are what its marks stand for, as they come."""

    def __init__(self, report: Report, note: str, within: str) -> None:
        """``note`` is how a mark is written, around its number; ``within`` what the report was limited to."""
        self._report, self._note, self._within = report, note, within
        self._documents: set[tuple[str, int]] = set()
        self._phrases = phrases_for(report.subject)
        self._numbers: dict[tuple[object, ...], int] = {}
        self.notes: dict[int, str] = {}

    def says(self, word: str, **values: object) -> str:
        """Return what stands in the file beside the texts, in the report's language."""
        return self._phrases.report_words[word].format(**values)

    def body(self) -> str:
        """Return title, how it was made, summary, sections and the documents that are cited."""
        report = self._report
        parts = [f"# {literal(report.title or report.subject)}"]
        if report.title not in ("", report.subject):
            parts.append(literal(self.says("subject", subject=report.subject)))
        parts += [f"*{literal(self._how_made())}*", *(f"> {literal(note)}" for note in report.notes)]
        if report.error:
            parts.append(f"> {literal(self.says('summary_failed', reason=report.error))}")
        if report.summary is not None:
            parts += [f"## {self.says('summary')}", self._text(report.summary)]
        for section in report.sections:
            parts += [f"## {literal(section.title)}", self._section(section)]
        if self._documents:
            cited = (f"{name}, {self._phrases.version.format(version=n)}" for name, n in sorted(self._documents))
            parts += [f"## {self.says('documents')}", "\n".join(f"- {literal(one)}" for one in cited)]
        return "\n\n".join(parts)

    def _how_made(self) -> str:
        written = [one.answer for one in self._report.sections if one.answer is not None]
        statements = [one for answer in [self._report.summary, *written] if answer for one in answer.statements]
        supported = sum(one.state in ("supported", "computed") for one in statements)
        date = _day(self._report.updated_at or self._report.created_at)
        made = self.says("made" if statements else "quoted", date=date, supported=supported, count=len(statements))
        return " ".join(filter(None, (made, self._within and self.says("within", within=self._within))))

    def _section(self, section: ReportSection) -> str:
        if section.answer is not None:
            return self._text(section.answer)
        told = self.says("failed", reason=section.error) if section.error else self.says("waiting")
        return f"> {literal(told)}"

    def _text(self, answer: Answer) -> str:
        """Return a text with its marks numbered through the report, and signs at what is not supported."""
        by_number = {source.n: source for source in answer.sources}

        def mark(number: int) -> str:
            if FIRST <= number < FIRST + len(answer.statements):
                one = answer.statements[number - FIRST]
                if one.state == "supported":
                    return mark(one.sources[0])
                quote = one.quotes[1] if len(one.quotes) > 1 else ""
                # Beside a Chinese letter *(…)* is no emphasis.
                return f"(*{literal(self.says(one.state, quote=quote))}*)"
            source = by_number.get(number)
            return self._note.format(self._numbered(source)) if source else f"({number})"

        return safe_markdown(with_signs(answer.answer, answer.statements), mark)

    def _numbered(self, source: Citation) -> int:
        self._documents.add((source.document, source.version))
        place = source.node_id, source.version, source.cell, source.snippet
        number = self._numbers.setdefault(place, len(self._numbers) + 1)
        self.notes.setdefault(number, self._place(source))
        return number

    def _place(self, source: Citation) -> str:
        parts = [source.document, self._phrases.version.format(version=source.version), source.section]
        of_sheet = "!" in (source.cell or "")  # which names the sheet
        parts += [self._phrases.page.format(page=source.page)] if source.page and not of_sheet else []
        parts += [source.cell] if source.cell else []
        return f"{', '.join(filter(None, parts))}: “{' '.join(source.snippet.split())}”"
