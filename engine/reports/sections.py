"""The sections of a report and its summary: each one call of the model on evidence of its own, checked as an answer is.

Without a model a section quotes the passages that come closest, word for word, and there is no summary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.answer.check.checking import check
from engine.answer.check.disagreements import tell_disagreements
from engine.answer.grounded.prompt import filled, messages_for
from engine.answer.grounded.reply import clean_reply, is_denied, without_marker, write
from engine.answer.joined_answers import numbered_through, taken_in_turn
from engine.answer.phrases import Phrases
from engine.config import Settings
from engine.errors import CancelledError, ProviderError, UsageError
from engine.model import Answer, Citation, Evidence, Filters, Hit, Report, ReportSection, SearchResult
from engine.providers.context_window import evidence_tokens
from engine.providers.entailment import EntailmentJudge
from engine.providers.llm import Llm
from engine.providers.prompts import prompt
from engine.retrieve.pack import retrieved
from engine.summaries import summarize
from storage.base import Storage

# Each question has room for some passages, of so many tokens as a rule.
_LEAST_A_QUESTION, _A_PASSAGE = 1000, 150
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Desk:
    """What a report is written with: one state of the library, how it is searched, and models where there are any."""

    storage: Storage
    search: Callable[..., SearchResult]
    settings: Settings
    entailment: EntailmentJudge | None
    cancelled: Callable[[], bool]

    def found(self, questions: Sequence[str], filters: Filters, window: int = 0) -> list[Evidence]:
        """Return what questions find, a share of the budget for each, the best of each first.

        ``window`` is that of the model that reads it (0: unknown).
        """
        whole = evidence_tokens(window, self.settings.agent.tools.max_context_tokens)
        budget = max(_LEAST_A_QUESTION, whole // len(questions))
        search = partial(self.search, top_k=max(self.settings.retrieval.top_k, budget // _A_PASSAGE))
        each = [
            retrieved(search, self.storage, question, filters, budget, self.settings.retrieval).evidence
            for question in questions
        ]
        return taken_in_turn(each)

    def answered(
        self, messages: Sequence[dict[str, Any]], evidence: Sequence[Evidence], about: str, llm: Llm, phrases: Phrases
    ) -> Answer:
        """Return what the model replies, held against its evidence. Raises ProviderError, also for an empty reply."""
        for _ in range(_TRIES):
            reply = write(messages, llm, cancelled=self.cancelled)
            if reply.stopped:
                raise CancelledError("The report was stopped.")
            if text := clean_reply(reply.text):
                break
        else:
            raise ProviderError(phrases.report_empty_reply)
        denied = is_denied(text)
        made = check(
            without_marker(text) or phrases.report_nothing_found, evidence, question=about, phrases=phrases,
            entailment=self.entailment, not_told=denied,
        ).as_answer(denied)  # fmt: skip
        made.warnings.extend([phrases.model_cut] if reply.finish == "length" else [])
        return made


def write_section(
    section: ReportSection, report: Report, desk: Desk, llm: Llm, phrases: Phrases, language: str
) -> Answer:
    """Return the text of a section by a model, checked. Where nothing is found no model is asked.

    Raises ProviderError, CancelledError, and what a search raises.
    """
    evidence = desk.found(section.questions, report.filters, llm.context_tokens)
    if not evidence:
        return _nothing_found(phrases)
    about = f"{report.subject}: {section.title}"
    made = desk.answered(_messages(section, report, evidence, desk, language), evidence, about, llm, phrases)
    return tell_disagreements(made, about, evidence, phrases, judge=desk.entailment)


def quote_section(section: ReportSection, report: Report, desk: Desk, phrases: Phrases) -> Answer:
    """Return the passages that come closest to a section, quoted word for word. Raises what a search raises."""
    evidence = desk.found(section.questions, report.filters)
    try:
        made = summarize(f"{report.subject} {section.title}", evidence)
    except UsageError:  # there is no sentence to quote
        return _nothing_found(phrases)
    return Answer(made.summary, "direct", "low", True, made.sources, state="closest", warnings=made.warnings)


def write_summary(report: Report, desk: Desk, llm: Llm, phrases: Phrases, language: str) -> Answer:
    """Return the summary of the sections, on what they cite. Raises ProviderError, CancelledError."""
    told = [(one.title, one.answer) for one in report.sections if one.answer and one.answer.answered]
    answers, sources = numbered_through([answer for _, answer in told])
    texts = [(_defused(title), _defused(one.answer)) for (title, _), one in zip(told, answers, strict=True)]
    sections = "\n\n".join(f"<section>\n{title}\n\n{text}\n</section>" for title, text in texts)
    messages = [
        {"role": "system", "content": filled(prompt("report_summary"), language=language)},
        {"role": "user", "content": f"{sections}\n\nThe report is on: {report.subject}"},
    ]
    return desk.answered(messages, list(map(_evidence, sources)), report.subject, llm, phrases)


def _nothing_found(phrases: Phrases) -> Answer:
    return Answer(phrases.report_nothing_found, "direct", "low", False, [], state="not_found")


def _messages(
    section: ReportSection, report: Report, evidence: Sequence[Evidence], desk: Desk, language: str
) -> list[dict[str, Any]]:
    others = [f"“{one.title}”" for one in report.sections if one.title != section.title]
    asked = filled(
        prompt("report_section"), section=section.title, title=report.title, subject=report.subject,
        questions="\n".join(f"- {one}" for one in section.questions),
        others=f"Other sections are {', '.join(others)}: leave to them what belongs there.\n\n" if others else "",
    )  # fmt: skip
    return messages_for(asked, evidence, system_prompt=desk.settings.llm.system_prompt, language=language)


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
