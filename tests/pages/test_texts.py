import re
import string
from pathlib import Path

from engine.index.strategies import STRATEGIES
from engine.model import ROLES, SEARCH_MODES
from pages.widgets import lab, lab_data
from pages.widgets.evaluation import METRICS
from pages.widgets.texts import TEXTS, text
from pages.widgets.uploads import KINDS as KINDS_OF_WORK

PAGES = Path(__file__).resolve().parents[2] / "pages"
SOURCE = "\n".join(path.read_text() for path in PAGES.rglob("*.py") if not path.name.endswith("texts.py"))
KINDS = ("parent", "child", "sibling", "same_page", "caption", "caption_of", "refers_to", "referred_by")
KINDS_OF_CHANGE = ("changed", "added", "removed", "moved", "renamed")
# Keys that are put together at run time.
COMPOSED = {
    "nav": (
        "dashboard",
        "dashboard.help",
        "documents",
        "documents.help",
        "topics",
        "topics.help",
        "chat",
        "chat.help",
        "reports",
        "reports.help",
        "retrieval_lab",
        "retrieval_lab.help",
        "evaluation",
        "evaluation.help",
        "settings",
        "settings.help",
    ),
    "role": ROLES,
    "chat": ("delete.title", "delete.text"),
    "chat.scope": [f"{name}{end}" for name in ("documents", "topics", "collections") for end in ("", ".all")],
    "reports": ("delete.title", "delete.text"),
    "chat.export": ("markdown", "markdown.help", "docx", "pdf", "csv"),
    "format": [key.removeprefix("format.") for key in TEXTS if key.startswith("format.")],
    "document": ("page", "slide", "sheet", "part"),
    "document.zoom": ("less", "fit", "more", "whole"),
    "page_bar": ("back", "on", "find", "count", "none", "many", "previous", "next", "small"),
    "wrong": ("wrong", "incomplete", "elsewhere", "not_found", "false_warning"),
    "selection": ("ask", "similar", "why", "label"),
    "documents": ("page", "slide", "sheet", "format.all", "in_folder.all"),
    "documents.select": ("one", "some", "all", "none", "summarize", "reindex", "remove"),
    "collections": ("readers", "editors", "rename", "delete", "rename.title", "delete.title"),
    "documents.sort": ("updated", "name", "size"),
    "jobs.stage": (
        "queued",
        "receive",
        "parse",
        "ocr",
        "structure",
        "index",
        "commit",
        "embed",
        "enrich",
        "topics",
    ),
    "jobs": ("cancelled", *KINDS_OF_WORK),
    "tool": (
        "compare_versions",
        "hybrid_search",
        "keyword_search",
        "fulltext_search",
        "semantic_search",
        "get_node_content",
        "get_section_children",
        "get_document_structure",
        "get_related_documents",
        "get_relations",
        "verify_consistency",
        "summarize_findings",
        "search_web",
        "final_answer",
    ),
    "param": (
        "query",
        "keywords",
        "document",
        "document_id",
        "documents",
        "node_id",
        "node_ids",
        "section",
        "mode",
        "top_k",
        "focus",
        "entity",
        "case_sensitive",
    ),
    "step": ("initial_assessment", "thought", "action", "evaluation", "verification"),
    "dashboard": ("documents", "pages", "passages", "meaning"),
    "dashboard.for_you": ("alike", "topics", "names", "named_by", "asked"),
    "search": ("documents", "topics", "sections", "passages", "open", "placeholder", "start", "results", "close"),
    "reading": (
        "read",
        "speaker",
        "comment",
        "footnote",
        "endnote",
        "hidden",
        "generated",
        "chart",
        "picture",
        "rows_above",
        "rows_below",
        "table",
        "doubtful",
    ),
    "versions": ("restore", "delete", "restore.sure", "delete.sure", "yes.restore", "yes.delete"),
    "versions.count": KINDS_OF_CHANGE,
    "difference": (*KINDS_OF_CHANGE, "next", "previous", "nothing", "more", "before", "after"),
    "set.tab": ("model", "reading", "search", "answers"),
    "set.group": [
        f"{group}{part}"
        for group in (
            "vision",
            "indexing",
            "indexing_model",
            "summary_model",
            "endpoints",
            "budget",
            "ocr",
            "reading",
            "ranking",
            "rerank",
            "agent",
            "web_search",
            "sharing",
            "keys",
            "collections",
        )
        for part in ("", ".help")
    ],
    "set.cost": ("indexing", "summary", "rerank.llm", "rerank.endpoint", "rerank.summary", "agent"),
    "keys": ("read", "write"),
    "set.sharing": ("open", "password", "oidc"),
    "turn": ("copy", "edit", "again", "up", "down", "export"),
    "answer": ("page", "slide", "sheet", "stopped", "failed", "interrupted"),
    "answer.confidence": ("high", "medium", "low"),
    "answer.engine": ("llm", "llm.help", "extractive", "extractive.help"),
    "lab.mode": SEARCH_MODES,
    "lab.view": lab.VIEWS,
    "lab.stage": (*lab_data.STAGES, "fused", "hits"),
    "lab.about": (*lab_data.STAGES, "hits"),
    "lab.part": lab_data.TERMS,
    "lab.understood": (
        "translated",
        "formal",
        "phrases",
        "labels",
        "roles",
        "operations",
        "section",
        "named",
    ),
    "lab.operation": ("COMPARE", "RANK", "TREND", "PERCENT", "SUM", "AVERAGE", "LOOKUP"),
    "why.filters": ("in_scope", "old_version", "filtered_out"),
    "why.keyword": ("no_match", "matched"),
    "why.dense": ("found", "no_vector", "below_k"),
    "why.sparse": ("found", "no_shared_words", "below_k"),
    "why.expand": KINDS,
    "why.fused": ("in_no_view", "leaf_shown", "below_head", "read"),
    "why.rerank": ("gone", "shown", "below_top_k"),
    "why.rerank_model": ("judged_too_low",),
    "eval.metric": METRICS,
    "eval.means": METRICS,
    "eval.verdict": ("worse", "better", "same"),
    "strategy": tuple(f"{name}.help" for name in STRATEGIES),
    "topics": ("rename", "merge", "split", "delete", "cards", "cloud", "graph"),
    "related": ("names", "named_by", "alike", "topics"),
    "answer.sure": ("high", "medium", "low"),
    "answer.mode": ("direct", "direct.help", "agent", "agent.help"),
    "beside": ("close", "open", "previous", "next", "label"),
    "chat.path": [f"{name}{part}" for name in ("auto", "direct", "agent", "report") for part in ("", ".help")],
    "chat.model.style": ("short", "full", "table"),
    "look": ("System", "Light", "Dark"),
    "correct.found": ("by_hand", "look", "bookmark", "generated"),
    "correct.is": ("heading", "heading.text", "text", "title", "header_rows", "header_rows.one"),
    "reports.state": ("waiting", "writing", "done", "stopped", "failed"),
    "reports.stage": ("waiting", "outline", "write", "summary"),
    "reports.ended": ("stopped", "failed"),
    "reports.export": ("docx", "pdf", "md"),
}


def asked_for() -> set[str]:
    """Keys in calls of ``t``; other strings that are keys (passed on, or chosen between) count as used, too."""
    return set(re.findall(r"\bt\(\s*[\"']([a-z_.0-9]+)[\"']", SOURCE))


def used_keys() -> set[str]:
    mentioned = set(re.findall(r"[\"']([a-z_]+(?:\.[a-z_0-9]+)+)[\"']", SOURCE)) & set(TEXTS)
    composed = {f"{prefix}.{name}" for prefix, names in COMPOSED.items() for name in names}
    fields = {f"set.{name}" for name in re.findall(r"[\"']([a-z_]+(?:\.[a-z_0-9]+)+)[\"']", SOURCE)}
    of_fields = {key for key in TEXTS if any(key == name or key.startswith(f"{name}.") for name in fields)}
    used = asked_for() | mentioned | composed | of_fields
    return used | {key for key in TEXTS if key.removesuffix(".one") in used}


def test_every_text_that_a_page_asks_for_exists():
    assert not sorted(used_keys() - set(TEXTS))


def test_no_text_is_left_over():
    assert not sorted(set(TEXTS) - used_keys())


def test_both_languages_say_the_same_things():
    uneven = [key for key, (english, chinese) in TEXTS.items() if fields(english) != fields(chinese)]
    assert not uneven


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_chinese_texts_are_chinese():
    latin = [key for key, (_, chinese) in TEXTS.items() if not re.search(r"[\u4e00-\u9fff]", chinese)]
    assert not [key for key in latin if not key.startswith("format.")]  # those are names, such as PDF


def test_values_are_put_in():
    assert text("documents.page", "en", count=1234) == "1,234 pages"
    assert text("documents.page", "en", count=1) == "1 page"
    assert text("documents.page", "zh", count=3) == "3 页"
