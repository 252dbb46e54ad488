"""Everything the answering engine says itself, in the question's language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.answer.understand.language import is_chinese


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of one language; ``{names}`` are filled in with ``str.format``."""

    language: str
    quoted: str
    greeting: str
    thanks: str
    about_app: str
    checked_again: str
    nothing_more: str
    needs_model: str
    quoted_model_failed: str
    quoted_budget_over: str
    not_found: str
    of_others: str
    searched: str
    searched_scope: str
    searched_filters: str
    nearest: str
    table_leaves_out: str
    table_unsure: str
    word_quoted: str
    words_between: str
    nothing_near: str
    step_parts: str
    page: str
    empty_library: str
    # warnings
    model_failed: str
    budget_over: str
    model_unusable: str
    model_unsupported: str
    model_cut: str
    stopped: str
    no_such_source: str
    name_missing: str
    # reports
    report_empty_reply: str
    report_nothing_found: str
    report_by_topics: str
    report_quoted: str
    report_no_outline: str
    # trace
    step_plan: str
    step_plan_restated: str
    step_search: str
    step_found: str
    step_found_none: str
    step_sufficient: str
    step_insufficient: str
    step_verified: str
    step_failed: str
    step_table_read: str
    compared: str
    missing_terms: str
    step_table: str
    step_plan_computes: str
    step_plan_dropped: str
    plan_none: str
    # documents as a whole
    quoted_words: str
    at_the_head: str
    step_head: str
    step_place: str
    step_summarise: str
    mentioning: str
    passages: str
    and_more: str
    more_lines: str
    which_document: str
    no_such_page: str
    has_pages: str
    has_slides: str
    has_sheets: str
    sheets: str
    library_holds: str
    pages_of: str
    too_many_to_summarise: str
    # agent
    path_agent: str
    reason_scores: str
    reason_model: str
    reason_chosen: str
    agent_subject: str
    agent_place: str
    agent_names: str
    agent_open: str
    agent_nothing_more: str
    agent_enough: str
    agent_answers: str
    agent_evaluated: str
    agent_problem: str
    agent_rounds_over: str
    agent_budget_over: str
    planner_failed: str
    agent_repeats: str
    agent_unreadable: str
    coverage: str
    # statements that disagree
    disagree: str
    disagree_warning: str
    version: str
    disagree_kinds: Mapping[str, str]
    # why a statement of a model is not simply supported
    check_reasons: Mapping[str, str]
    # what stands in the file of a report beside its texts
    report_words: Mapping[str, str]


def _read(language: str) -> Phrases:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return Phrases(**data[language])


ENGLISH, CHINESE = _read("en"), _read("zh")

_MODES = {
    "hybrid": ("by words and by meaning", "按文字和语义"),
    "semantic": ("by meaning", "按语义"),
    "fulltext": ("by words", "按文字"),
    "keyword": ("for exact words", "按确切文字"),
}


# The name of a file is in no language: "storms.pdf有多少页？" is Chinese.
_FILE_NAME = re.compile(r"[\w-]+\.[a-z]{2,5}(?!\w)", re.A | re.I)


def phrases_for(question: str) -> Phrases:
    """Return the phrases of the question's language: Chinese when most of it is, whatever names it holds."""
    return CHINESE if is_chinese(_FILE_NAME.sub(" ", question)) else ENGLISH


def mode_name(mode: str, phrases: Phrases) -> str:
    """Say how a search mode looks, in the language of the phrases."""
    return _MODES.get(mode, (mode, mode))[phrases.language == "zh"]
