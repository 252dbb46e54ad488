"""The summary at the top of a report: from its sections alone, resting on the sources that they cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.answer.grounded.prompt import filled
from engine.answer.joined_answers import numbered_through
from engine.answer.phrases import Phrases
from engine.model import Answer, Citation, Evidence, Hit, Report
from engine.providers.prompts import prompt
from engine.reports.sections import Desk

if TYPE_CHECKING:
    from engine.providers.llm import Llm


def write_summary(report: Report, desk: Desk, llm: Llm, phrases: Phrases, language: str) -> Answer:
    """Return the summary of the sections that tell something. Raises ProviderError, CancelledError."""
    told = [(one.title, one.answer) for one in report.sections if one.answer and one.answer.answered]
    texts, sources = numbered_through([answer for _, answer in told])
    sections = "\n\n".join(
        f"<section>\n{_defused(title)}\n\n{_defused(text)}\n</section>"
        for (title, _), text in zip(told, texts, strict=True)
    )
    user = f"{sections}\n\nThe report is on: {report.subject}"
    messages = [
        {"role": "system", "content": filled(prompt("report_summary"), language=language)},
        {"role": "user", "content": user},
    ]
    reply, cut = desk.written(messages, llm, phrases)
    made = desk.checked(reply, [_evidence(one) for one in sources], report.subject, phrases).as_answer()
    if cut:
        made.warnings.append(phrases.model_cut)
    return made


def _evidence(source: Citation) -> Evidence:
    """Return a source as evidence: what a section cites of a node, and no more of it."""
    path = [part for part in source.section.split(" > ") if part]
    hit = Hit(
        source.node_id, source.document_id, source.document, source.version, "paragraph", source.relevance,
        source.n, source.page, source.bbox, path, source.snippet,
    )  # fmt: skip
    return Evidence(hit, source.snippet, cell=source.cell)


def _defused(text: str) -> str:
    return text.replace("<section", "‹section").replace("</section", "‹/section")
