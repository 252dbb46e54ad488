"""What is to be known about a search beside its hits, in the language of the question."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import Filters, Job, document_id_for
from engine.retrieve.query import is_unspaced

# Jobs after which more of a file can be found.
READING = ("ingest", "ocr")
_NAMED_FILES = 3
_NOTES = {
    "no_embedder": (
        "Searched by words only: no embedding model is available.",
        "只按词语检索：没有可用的嵌入模型。",
    ),
    "no_vectors": (
        "Searched by words only: none of {want:,} nodes has a vector yet.",
        "只按词语检索：{want:,} 个节点都还没有向量。",
    ),
    "vectors_missing": (
        "{missing:,} of {want:,} nodes have no vector yet; they are found by words only.",
        "{want:,} 个节点中有 {missing:,} 个还没有向量，目前只能按词语找到。",
    ),
    "embedder_failed": ("Searched by words only: {error}", "只按词语检索：{error}"),
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
        "There is nothing in {places} to search, so that was left aside.",
        "{places}中没有可检索的内容，因此未作此限制。",
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
        "The question names {names}: looked there first, for the rest of what it says.",
        "问题提到了 {names}：先在其中检索问题的其余内容。",
    ),
    "reader_failed": ("Ranked without the reader: {error}", "未使用阅读模型排序：{error}"),
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
        "Still being read, so not all of it is found yet: {names}.",
        "仍在读取，其中的内容还不能全部找到：{names}。",
    ),
}


def note(question: str, name: str, **values: object) -> str:
    """Return a note by its name, in Chinese for a Chinese question, else in English."""
    english, chinese = _NOTES[name]
    return (chinese if is_unspaced(question) else english).format(**values)


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
