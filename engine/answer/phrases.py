"""Everything the answering engine says itself, in the question's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.structure.sentences import is_cjk


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of one language; ``{names}`` are filled in with ``str.format``."""

    language: str
    quoted: str
    greeting: str
    quoted_model_failed: str
    quoted_budget_over: str
    not_found: str
    of_others: str
    unsaid: str
    searched: str
    searched_scope: str
    searched_filters: str
    nearest: str
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


ENGLISH = Phrases(
    language="en",
    greeting="Hello. Ask a question about your documents: the answer comes with the places it rests on.",
    quoted="Quoted from your documents, word for word (no language model is set up):",
    quoted_model_failed="Quoted from your documents, word for word (the language model could not be used):",
    quoted_budget_over="Quoted from your documents, word for word (the budget for the language model is used up):",
    not_found="The documents do not seem to answer this question.",
    of_others="No passage that was found speaks of {numbers}.",
    unsaid="{documents} documents speak of this, but they do not clearly say what is asked.",
    searched="Searched: {mode} search.",
    searched_scope="Searched: {mode} search; documents: {documents}, passages: {nodes}.",
    searched_filters="Filters: {filters}.",
    nearest="These passages come closest:",
    nothing_near="Nothing in the documents comes near it.",
    step_parts="No passage answers the whole question: its {count} parts are asked one by one.",
    page="p. {page}",
    empty_library="There are no documents to search yet.",
    model_failed="The language model failed, so the answer is quoted from the documents: {reason}",
    budget_over="The budget of this answer is used up ({tokens} tokens); the rest was done without the language model.",
    model_unusable="The language model's reply was empty or unusable, so the answer is quoted from the documents.",
    model_unsupported="The documents did not support the language model's reply, so it was put aside.",
    model_cut="The language model's reply reached its length limit and ends early.",
    stopped="Stopped before the answer was complete.",
    no_such_source="A citation of source {n}, which does not exist, was removed.",
    name_missing="“{name}” does not stand in the document cited for it.",
    step_plan="Search the documents once and answer directly.",
    step_plan_restated="A follow-up question, understood as “{question}”.",
    step_search="Searched for “{query}”.",
    step_found="{hits} passages from {documents} documents ({views}); best: {best}",
    step_found_none="Nothing found.",
    step_sufficient="The passages answer the question (certainty {score}).",
    step_insufficient="The passages do not answer the question (certainty {score}).",
    step_failed="The stage “{stage}” failed ({reason}); the answer was made without it.",
    step_table_read="A table is read as asked about (share of the question explained: {score}).",
    compared="{first}, against {others} (difference: {apart}).",
    step_verified="{supported} of {total} sentences are supported; {citations} citations located word for word.",
    missing_terms="Not found: {terms}.",
    step_table="A table may answer the question: {operators}.",
    step_plan_computes="The language model planned what to compute from a table.",
    step_plan_dropped="The language model's plan for the tables was dropped: {reason}",
    plan_none="the tables do not tell.",
    at_the_head="This stands at the head of {name}:",
    step_head="Read the head of {name}.",
    step_place="Read {label} in {names}.",
    quoted_words="Quoted from your documents, word for word:",
    step_summarise="Summarised: {names}.",
    mentioning="Documents that hold “{term}” word for word: {count} of the {total} searched.",
    passages="passages: {count}",
    and_more="… and {count} more.",
    more_lines="- … and {count} more lines.",
    which_document="Several documents have {label}: {names}. Say which one you mean.",
    no_such_page="{name} has no {label}: it has {count}.",
    has_pages="{name} has {count} pages.",
    has_slides="{name} has {count} slides.",
    has_sheets="{name} has {count} sheets.",
    sheets="{name} has {count} sheets:",
    library_holds="Documents: {count} ({kinds}).",
    pages_of="pages: {count}",
    too_many_to_summarise="{count} documents are too many to summarise at once. Name one, or choose some or a topic. "
    "The largest topics: {topics}.",
    path_agent="One search is not enough ({reason}): search in up to {rounds} rounds.",
    reason_scores="certainty {score}",
    reason_model="the language model misses: {missing}",
    reason_chosen="as chosen",
    agent_subject="The question compares; look for “{name}” alone.",
    agent_place="The question is about a place in a document; open “{name}”.",
    agent_names="The passages on {places} name what the question does not: {names}. Look these up.",
    agent_open="Still open: {terms}. Search for it.",
    agent_nothing_more="There is nothing more to look for.",
    agent_enough="The evidence is sufficient; answer.",
    agent_answers="The language model answers from the evidence.",
    agent_evaluated="{quality}; {new} new passages, density {density}; next: {strategy}.",
    agent_problem="The step cannot be taken: {reason}",
    agent_rounds_over="All {rounds} rounds are used; answer as well as the evidence allows.",
    agent_budget_over="The budget of tokens is used up; answer as well as the evidence allows.",
    planner_failed="The language model could not plan ({reason}); rules planned the rest of the search.",
    agent_repeats="this call was made already; its result stands above",
    agent_unreadable="the reply holds no tool call",
    coverage="This rests on {used} of the {documents} documents searched; others may hold more.",
    disagree="The documents disagree on {kind}: “{a}” ({place_a}) {mark_a}, but “{b}” ({place_b}) {mark_b}.",
    disagree_warning="The documents disagree on {kind}: {a} in {place_a}, {b} in {place_b}.",
    version="version {version}",
    disagree_kinds={
        "number": "a number",
        "date": "a date",
        "entity": "a name",
        "negation": "whether it holds",
    },
)

CHINESE = Phrases(
    language="zh",
    greeting="您好！请就您的文档提问，答案会标明出处。",
    quoted="以下逐字摘自您的文档（未配置语言模型）：",
    quoted_model_failed="以下逐字摘自您的文档（语言模型未能使用）：",
    quoted_budget_over="以下逐字摘自您的文档（语言模型的预算已用完）：",
    not_found="文档中似乎没有这个问题的答案。",
    of_others="找到的内容都没有提到 {numbers}。",
    unsaid="有 {documents} 份文档谈到这个主题，但都没有明确说到所问的内容。",
    searched="已进行{mode}检索。",
    searched_scope="已在 {documents} 份文档的 {nodes} 个段落中进行{mode}检索。",
    searched_filters="筛选条件：{filters}。",
    nearest="以下内容最接近：",
    nothing_near="文档中没有与之接近的内容。",
    step_parts="没有一段内容能回答整个问题，因此将其 {count} 个部分分别提问。",
    page="第 {page} 页",
    empty_library="还没有可供检索的文档。",
    model_failed="语言模型出错，回答改为直接摘自文档：{reason}",
    budget_over="本次回答的预算已用完（{tokens} 个词元），其余部分未使用语言模型。",
    model_unusable="语言模型的回复为空或无法使用，回答改为直接摘自文档。",
    model_unsupported="文档不支持语言模型的回复，该回复已弃用。",
    model_cut="语言模型的回复达到长度上限，未写完。",
    stopped="回答尚未完成即被停止。",
    no_such_source="引用的来源 {n} 不存在，已移除。",
    name_missing="“{name}”并未出现在为它所引的文档中。",
    step_plan="检索一次文档并直接回答。",
    step_plan_restated="这是追问，理解为“{question}”。",
    step_search="检索“{query}”。",
    step_found="找到 {documents} 份文档中的 {hits} 个段落（{views}）；最相关：{best}",
    step_found_none="没有找到任何内容。",
    step_sufficient="找到的内容足以回答问题（把握 {score}）。",
    step_insufficient="找到的内容不足以回答问题（把握 {score}）。",
    step_failed="“{stage}”这一步失败（{reason}），回答未用到它。",
    step_table_read="按表格理解了问题（能解释问题的比例：{score}）。",
    compared="{first}，{others}（相差{apart}）。",
    step_verified="共 {total} 句，{supported} 句有依据；{citations} 处引用已逐字定位。",
    missing_terms="未找到：{terms}。",
    step_table="表格或许可以回答这个问题：{operators}。",
    step_plan_computes="语言模型规划了如何由表格计算。",
    step_plan_dropped="语言模型为表格所作的规划未采用：{reason}",
    plan_none="表格中没有答案。",
    at_the_head="{name} 的开头写道：",
    step_head="已读取 {name} 的开头。",
    step_place="已读取 {names} 中的{label}。",
    quoted_words="以下逐字摘自您的文档：",
    step_summarise="已概括：{names}。",
    mentioning="所检索的 {total} 份文档中，{count} 份含有“{term}”原文。",
    passages="{count} 个段落",
    and_more="……另有 {count} 份。",
    more_lines="- ……另有 {count} 行。",
    which_document="多份文档都有{label}：{names}。请说明是哪一份。",
    no_such_page="{name} 没有{label}：共 {count} 页。",
    has_pages="{name} 共 {count} 页。",
    has_slides="{name} 共 {count} 张幻灯片。",
    has_sheets="{name} 共 {count} 个工作表。",
    sheets="{name} 共有 {count} 个工作表：",
    library_holds="共有 {count} 份文档（{kinds}）。",
    pages_of="{count} 页",
    too_many_to_summarise="{count} 份文档太多，不能一次概括。请指明一份，或选择几份或一个主题。主要主题：{topics}。",
    path_agent="一次检索不够（{reason}）：最多再查 {rounds} 轮。",
    reason_scores="把握 {score}",
    reason_model="语言模型认为缺少：{missing}",
    reason_chosen="按所选方式",
    agent_subject="问题是比较：单独查找“{name}”。",
    agent_place="问题针对文档的某一部分：打开“{name}”。",
    agent_names="关于{places}的内容提到了问题中没有的名称：{names}。查找它们。",
    agent_open="尚缺：{terms}。继续检索。",
    agent_nothing_more="没有更多可查的了。",
    agent_enough="证据已足够，开始回答。",
    agent_answers="语言模型根据证据作答。",
    agent_evaluated="{quality}；新增 {new} 个段落，信息密度 {density}；下一步：{strategy}。",
    agent_problem="这一步无法执行：{reason}",
    agent_rounds_over="{rounds} 轮已用完，依据现有证据回答。",
    agent_budget_over="词元预算已用完，依据现有证据回答。",
    planner_failed="语言模型未能规划（{reason}），其余检索改由规则规划。",
    agent_repeats="该调用已执行过，结果见上文",
    agent_unreadable="回复中没有工具调用",
    coverage="以上内容依据所检索的 {documents} 份文档中的 {used} 份，其余文档可能还有相关内容。",
    disagree="文档之间对{kind}的说法不一致：“{a}”（{place_a}）{mark_a}，而“{b}”（{place_b}）{mark_b}。",
    disagree_warning="文档之间对{kind}的说法不一致：{place_a}为“{a}”，{place_b}为“{b}”。",
    version="第 {version} 版",
    disagree_kinds={"number": "数字", "date": "日期", "entity": "名称", "negation": "是否成立"},
)

_MODES = {"hybrid": "混合", "semantic": "语义", "fulltext": "全文", "keyword": "关键词"}


def phrases_for(question: str) -> Phrases:
    """Return the phrases of the question's language: Chinese when it holds a Chinese character."""
    return CHINESE if is_cjk(question) else ENGLISH


def mode_name(mode: str, phrases: Phrases) -> str:
    """Return a search mode's name in the language of the phrases."""
    return _MODES.get(mode, mode) if phrases.language == "zh" else mode
