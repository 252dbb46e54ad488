"""What the tools say themselves, in the question's language, to a model and in the trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolPhrases:
    """The sentences of one language; ``{names}`` are filled in with ``str.format``."""

    language: str
    # a call that cannot be made
    unknown_tool: str
    did_you_mean: str
    missing: str
    wrong: str
    one_of: str
    a_kind: str
    either: str
    kinds: Mapping[str, str]
    outside: str
    keywords_empty: str
    no_table: str
    not_a_table: str
    no_web: str
    # what was found
    nothing_found: str
    not_found: str
    no_bearing: str
    no_children: str
    more_children: str
    no_headings: str
    more_sections: str
    no_relatives: str
    statements: str
    differ_in_scope: str
    not_in_evidence: str
    # what a step was worth, and what follows
    qualities: Mapping[str, str]
    strategies: Mapping[str, str]


ENGLISH = ToolPhrases(
    language="en",
    unknown_tool="There is no tool {name!r}.{like} The tools are: {tools}.",
    did_you_mean=" Did you mean {name}?",
    missing="{name!r} is missing ({wanted}). Arguments: {names}.",
    wrong="{name!r} is {value!r}, but should be {wanted}.",
    one_of="one of {choices}",
    a_kind="a {kind}",
    either=" or ",
    kinds={"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
           "array": "list", "object": "object"},
    outside="There is no {reference} in the documents that are searched.",
    keywords_empty="keyword_search: 'keywords' is empty. Give names, terms or numbers.",
    no_table="{operator}: no table has been found yet. Search for one first.",
    not_a_table="Node {node} is a {role}, not a table.",
    no_web="No web search is set up; use the documents.",
    nothing_found="Nothing was found.",
    not_found="Not found: {words}.",
    no_bearing="Nothing found bears on it.",
    no_children="The node has no children.",
    more_children="… {count} more",
    no_headings="{name} has no headings.",
    more_sections="… {count} more sections",
    no_relatives="No other document is near it.",
    statements="Statements compared: {compared}; contradictions: {contradictions}; pairs that agree: {agreeing}",
    differ_in_scope="; pairs that differ in scope only: {count}",
    not_in_evidence="; not found in the evidence: {count}",
    qualities={"good": "good", "low_relevance": "of little relevance", "empty": "empty", "failed": "failed",
               "contradictions_found": "contradictions found", "consistent": "consistent"},
    strategies={"continue": "go on", "refine_query": "refine the query", "explore_deeper": "explore deeper",
                "broaden_search": "broaden the search", "verify_sources": "verify the sources",
                "finalize": "answer"},
)  # fmt: skip

CHINESE = ToolPhrases(
    language="zh",
    unknown_tool="没有名为“{name}”的工具。{like}可用的工具：{tools}。",
    did_you_mean="您是指 {name} 吗？",
    missing="缺少参数“{name}”（{wanted}）。参数：{names}。",
    wrong="参数“{name}”为“{value}”，应为{wanted}。",
    one_of="以下之一：{choices}",
    a_kind="{kind}",
    either="或",
    kinds={"string": "文本", "integer": "整数", "number": "数字", "boolean": "true 或 false", "array": "列表",
           "object": "对象"},
    outside="所检索的文档中没有 {reference}。",
    keywords_empty="keyword_search：“keywords”为空。请给出名称、术语或数字。",
    no_table="{operator}：尚未找到表格，请先检索。",
    not_a_table="节点 {node} 的类型是 {role}，不是表格。",
    no_web="未设置互联网检索，请使用文档。",
    nothing_found="没有找到任何内容。",
    not_found="未找到：{words}。",
    no_bearing="目前找到的内容与此无关。",
    no_children="该节点没有子节点。",
    more_children="……另有 {count} 个",
    no_headings="{name} 没有标题。",
    more_sections="……另有 {count} 个章节",
    no_relatives="没有与之接近的其他文档。",
    statements="比较了 {compared} 条陈述：{contradictions} 处矛盾，{agreeing} 对一致",
    differ_in_scope="，{count} 对仅口径范围不同",
    not_in_evidence="；{count} 条不在证据中",
    qualities={"good": "有用", "low_relevance": "相关性低", "empty": "无结果", "failed": "失败",
               "contradictions_found": "发现矛盾", "consistent": "一致"},
    strategies={"continue": "继续", "refine_query": "改写检索词", "explore_deeper": "深入查看",
                "broaden_search": "扩大检索", "verify_sources": "核对来源", "finalize": "作答"},
)  # fmt: skip


def tool_phrases(language: str) -> ToolPhrases:
    """Return the phrases of a language: "zh" or "en"."""
    return CHINESE if language == "zh" else ENGLISH
