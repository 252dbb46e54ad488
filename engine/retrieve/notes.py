"""What is to be known about a search beside its hits, in the language of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from engine.model import Filters, Job, document_id_for
from engine.retrieve.query import is_unspaced

# Jobs after which more of a file can be found.
READING = ("ingest", "ocr")
# Notes that are true of every question for a while.
PREPARATION = ("no_embedder", "no_vectors", "vectors_missing", "being_read")
_NAMED_FILES = 3
_HOLE = re.compile(r"\\\{[^}]*\\\}")
_NOTES = {
    "no_embedder": (
        "Searched by words only: the model for search by meaning is not available.",
        "只按文字检索：语义检索所用的模型不可用。",
    ),
    "no_vectors": (
        "Search by meaning is still being prepared; until then passages are found by their words only.",
        "语义检索仍在准备中，目前只能按文字查找。",
    ),
    "vectors_missing": (
        "Search by meaning is still being prepared: {missing:,} of {want:,} passages are found by their words only.",
        "语义检索仍在准备中：{want:,} 个段落中有 {missing:,} 个目前只能按文字找到。",
    ),
    "embedder_failed": ("Searched by words only: {error}", "只按文字检索：{error}"),
    "in_section": (
        "Searched only in sections named {section!r}, as the question says.",
        "按问题的要求，只在名为“{section}”的章节中检索。",
    ),
    "no_section": (
        "No section is named {section!r}; searched everywhere.",
        "没有名为“{section}”的章节，已检索全部内容。",
    ),
    "only_in": ("Searched only in {places}, as the question says.", "按问题的要求，只在{places}中检索。"),
    "nothing_in": (
        "Searched everywhere, because there is nothing in {places}.",
        "{places}中没有可检索的内容，因此检索了全部内容。",
    ),
    "page": ("page {first}", "第 {first} 页"),
    "pages": ("pages {first} to {last}", "第 {first} 至 {last} 页"),
    "kind_table": ("tables", "表格"),
    "kind_image": ("figures", "图片"),
    "kind_equation": ("equations", "公式"),
    "kind_list": ("lists", "列表"),
    "kind_code": ("code", "代码"),
    "kind_paragraph": ("paragraphs", "正文段落"),
    "in_named": (
        "Searched first in {names}, which the question names.",
        "问题提到了 {names}，因此优先在其中查找。",
    ),
    "reader_failed": (
        "Ranked without the built-in reading model: {error}",
        "未使用内置阅读模型排序：{error}",
    ),
    "reranker_failed": ("Ranked without the reranking model: {error}", "未使用重排模型：{error}"),
    "no_rerank_endpoint": (
        "Ranked without a reranking model: rerank.api_base is empty.",
        "未使用重排模型：rerank.api_base 为空。",
    ),
    "all_dropped": (
        "The reranking model found nothing relevant: its best score is {best:.2f}, below the threshold of {limit:.2f} "
        "(rerank.relevance_threshold).",
        "重排模型认为没有相关内容：最高分 {best:.2f}，低于阈值 {limit:.2f}（rerank.relevance_threshold）。",
    ),
    "no_summary_llm": (
        "Without summaries: no language model is set up.",
        "未生成摘要：没有配置语言模型。",
    ),
    "summary_failed": ("Without summaries: {error}", "未生成摘要：{error}"),
    "no_rerank_llm": (
        "Ranked without a reranking model: no language model is set up.",
        "未使用重排模型：没有配置语言模型。",
    ),
    "being_read": (
        "Still being read, so parts of it cannot be found yet: {names}.",
        "仍在读取，部分内容暂时无法找到：{names}。",
    ),
}


def note(question: str, name: str, **values: object) -> str:
    """Return a note by its name, in Chinese for a Chinese question, else in English."""
    english, chinese = _NOTES[name]
    return (chinese if is_unspaced(question) else english).format(**values)


def tells_of_preparation(remark: str) -> str | None:
    """Return the name of a note that tells what the library is not ready for yet, whatever was asked; else None."""
    return next((name for name, pattern in _preparation() if pattern.fullmatch(remark)), None)


@cache
def _preparation() -> list[tuple[str, re.Pattern[str]]]:
    texts = [(name, text) for name in PREPARATION for text in _NOTES[name]]
    return [(name, re.compile(_HOLE.sub(".+", re.escape(text)))) for name, text in texts]


def being_read(question: str, filters: Filters, waiting: Sequence[Job]) -> list[str]:
    """Return a note on the files that are not read to their end, of those that the filters let pass."""
    names = dict.fromkeys(job.name for job in waiting if job.kind in READING)
    if filters.documents:
        asked = set(filters.documents)
        names = {name: None for name in names if asked & {name, document_id_for(name)}}
    if not names:
        return []
    told = ", ".join(list(names)[:_NAMED_FILES])
    return [note(question, "being_read", names=told + (" …" if len(names) > _NAMED_FILES else ""))]
