# ruff: noqa: E501
"""All texts of the interface in English and Chinese; ``t("key")`` gives the one of the session's language."""

from __future__ import annotations

import time

from pages.widgets.access_texts import ACCESS
from pages.widgets.chat_texts import CHAT
from pages.widgets.document_texts import DOCUMENTS
from pages.widgets.evaluation_texts import EVALUATION
from pages.widgets.lab_texts import LAB
from pages.widgets.language import Language, current
from pages.widgets.settings_texts import SETTINGS
from pages.widgets.strategy_texts import STRATEGY
from pages.widgets.topic_texts import TOPICS
from pages.widgets.version_texts import VERSIONS

# fmt: off
TEXTS: dict[str, tuple[str, str]] = {
    # navigation and shell
    "nav.dashboard": ("Overview", "概览"),
    "nav.dashboard.help": ("What is in the library, what is being worked on, where to go on.", "资料库内容、正在进行的工作、下一步。"),
    "nav.documents": ("Documents", "文档"),
    "nav.documents.help": ("Add files, see what is being read, find and open documents.", "添加文件、查看处理进度、查找并打开文档。"),
    "nav.chat": ("Chat", "问答"),
    "nav.chat.help": ("Ask your documents and follow every citation to its place.", "向文档提问，每条引用都能跳到原文位置。"),
    "nav.settings": ("Settings", "设置"),
    "nav.settings.help": ("Language model, search by meaning, health of the library.", "语言模型、语义检索与资料库状态。"),
    "nav.document": ("Document", "文档内容"),
    "shell.locked.title": ("The library is in use by another program", "资料库正被另一个程序使用"),
    "shell.locked.help": (
        "One program at a time can have a library open. Close the other one, or use its window, then try again.",
        "同一时间只能有一个程序打开资料库。请关闭另一个程序，或直接使用它的窗口，然后重试。",
    ),
    "shell.broken.title": ("The library cannot be opened", "无法打开资料库"),
    "shell.retry": ("Try again", "重试"),
    "shell.not_found.title": ("This is not here any more", "找不到该内容"),
    "shell.failed.title": ("That did not work", "操作未完成"),
    "shell.to_documents": ("All documents", "所有文档"),
    # overview
    "dashboard.title": ("Your library", "您的资料库"),
    "dashboard.ask": ("Ask about your documents", "就文档内容提问"),
    "dashboard.try": ("Try asking", "可以这样问"),
    "dashboard.documents": ("Documents", "文档"),
    "dashboard.pages": ("Pages", "页数"),
    "dashboard.passages": ("Passages", "段落"),
    "dashboard.meaning": ("Found by meaning", "可按语义检索"),
    "dashboard.meaning.off": ("off", "已关闭"),
    "dashboard.recent": ("Recently changed", "最近更新"),
    "dashboard.all": ("All documents", "所有文档"),
    "dashboard.work": ("Work", "处理情况"),
    "dashboard.work.none": ("Nothing is being read at the moment.", "目前没有正在处理的文件。"),
    "dashboard.done.one": ("1 file was read recently.", "最近读取了 1 个文件。"),
    "dashboard.done.many": ("{count} files were read recently.", "最近读取了 {count} 个文件。"),
    "dashboard.clear": ("Clear the list", "清空列表"),
    "dashboard.health": ("Health", "运行状况"),
    "dashboard.model.on": ("Answers are written by {model}.", "由 {model} 撰写回答。"),
    "dashboard.model.default": ("Answers are written by the endpoint's first model.", "由接口的第一个模型撰写回答。"),
    "dashboard.model.off": ("No language model: answers quote the documents.", "未设置语言模型：回答直接引用原文。"),
    "dashboard.embedding.on": ("Search by words and by meaning.", "可按文字和语义检索。"),
    "dashboard.embedding.some": ("Search by meaning is being prepared.", "正在建立语义索引。"),
    "dashboard.embedding.off": ("Search by words only.", "仅按文字检索。"),
    "dashboard.settings": ("Settings", "设置"),
    "dashboard.first.title": ("Ask your own documents", "向您自己的文档提问"),
    "dashboard.first.text": (
        "Drop in reports, contracts, slides, spreadsheets or scans. Every answer points at the place it came from, "
        "and nothing leaves this machine.",
        "拖入报告、合同、幻灯片、表格或扫描件。每个回答都会指出原文位置，文件不会离开本机。",
    ),
    "dashboard.first.sample": ("Or try it with five sample documents", "或用五个示例文档试一试"),
    "dashboard.first.sample.help": (
        "A report, a handbook, a guide, a procedure and a spreadsheet, in English and Chinese. Remove them any time.",
        "包含中英文的报告、手册、指南、规程和表格各一份，可随时移除。",
    ),
    # search
    "search.open": ("Search", "搜索"),
    "search.placeholder": ("Find documents, topics, sections, passages", "查找文档、主题、章节、段落"),
    "search.documents": ("Documents", "文档"),
    "search.topics": ("Topics", "主题"),
    "search.sections": ("Sections", "章节"),
    "search.passages": ("Passages", "段落"),
    "search.ask": ("Ask: {query}", "提问：{query}"),
    "search.none": ("Nothing found for “{query}”.", "没有找到“{query}”。"),
    "search.start": (
        "Type to search. Enter asks, ↓ picks a result, Esc closes. Alt A jumps to the question field on any page.",
        "输入即可搜索。按回车提问，按 ↓ 选择结果，按 Esc 关闭。在任何页面按 Alt A 可直接提问。",
    ),
    "search.results": ("Results", "结果"),
    "search.close": ("Close", "关闭"),
    # documents
    "documents.title": ("Documents", "文档"),
    "documents.summary": (
        "{documents:,} documents · {pages:,} pages · {nodes:,} passages",
        "{documents:,} 个文档 · {pages:,} 页 · {nodes:,} 个段落",
    ),
    "documents.summary.one": ("1 document · {pages:,} pages · {nodes:,} passages", "1 个文档 · {pages:,} 页 · {nodes:,} 个段落"),
    "documents.upload.hint": (
        "Drop PDF, Office and OpenDocument files, mail, e-books, web pages, Markdown, text or pictures here, as many as you like. "
        "They stay on this machine.",
        "把 PDF、Office 与 OpenDocument 文件、邮件、电子书、网页、Markdown、文本或图片拖到这里，数量不限。文件只保存在本机。",
    ),
    "documents.empty.title": ("Drop in your first documents", "拖入第一批文档"),
    "documents.empty.text": (
        "Every file becomes a tree of sections, paragraphs and tables. You can search it as soon as it has been "
        "read, and every answer points at the place it came from.",
        "每个文件都会变成由章节、段落和表格组成的树。读完即可检索，每个回答都会指出原文位置。",
    ),
    "documents.search": ("Find a document by name", "按名称查找文档"),
    "documents.format": ("Format", "格式"),
    "documents.format.all": ("All formats", "所有格式"),
    "documents.sort": ("Sort by", "排序"),
    "documents.sort.updated": ("Last changed", "最近更新"),
    "documents.sort.name": ("Name", "名称"),
    "documents.sort.size": ("Length", "篇幅"),
    "documents.none_match": ("No document matches.", "没有匹配的文档。"),
    "documents.page": ("Part of the list", "列表分页"),
    "documents.versions": ("{count} versions", "{count} 个版本"),
    "documents.ready": ("Ready", "就绪"),
    "documents.reading": ("Recognising text · {percent}%", "正在识别文字 · {percent}%"),
    "documents.embedding": ("Text search ready · by meaning {percent}%", "全文可检索 · 语义 {percent}%"),
    "documents.warnings": ("{count} notes", "{count} 条提示"),
    "documents.pages": ("{count:,} pages", "{count:,} 页"),
    "documents.page.one": ("1 page", "1 页"),
    "documents.slides": ("{count:,} slides", "{count:,} 张幻灯片"),
    "documents.slide.one": ("1 slide", "1 张幻灯片"),
    "documents.sheets": ("{count:,} sheets", "{count:,} 个工作表"),
    "documents.sheet.one": ("1 sheet", "1 个工作表"),
    "documents.nodes": ("{count:,} passages", "{count:,} 个段落"),
    "documents.nodes.one": ("1 passage", "1 个段落"),
    "documents.warnings.one": ("1 note", "1 条提示"),
    "documents.ask": ("Ask about this document", "就此文档提问"),
    "documents.remove": ("Remove", "移除"),
    "documents.remove.title": ("Remove this document?", "移除此文档？"),
    "documents.remove.text": (
        "**{name}** leaves the library and is no longer found. Answers you already have keep their quotes.",
        "**{name}** 将从资料库移除，不再被检索到。已有回答中的引文会保留。",
    ),
    "documents.remove.versions": (
        "**{name}** leaves the library with all {versions} versions and is no longer found. "
        "Answers you already have keep their quotes.",
        "**{name}** 及其全部 {versions} 个版本将从资料库移除，不再被检索到。已有回答中的引文会保留。",
    ),
    "documents.removed": ("{name} was removed.", "已移除 {name}。"),
    "documents.cancel": ("Cancel", "取消"),
    "documents.unchanged": ("{name} is in the library already, unchanged.", "{name} 已在资料库中，内容没有变化。"),
    "documents.unchanged.many": ("{count} files are in the library already, unchanged.", "{count} 个文件已在资料库中，内容没有变化。"),
    # jobs
    "jobs.reading": ("Reading {count} files", "正在处理 {count} 个文件"),
    "jobs.reading.one": ("Reading {name}", "正在处理 {name}"),
    "jobs.embedding": ("Preparing search by meaning", "正在建立语义索引"),
    "jobs.ocr": ("Recognising the text in {name}", "正在识别 {name} 中的文字"),
    "jobs.enrich": ("Asking the model about {name}", "正在用模型分析 {name}"),
    "jobs.more": ("{count} more are waiting", "还有 {count} 个文件在等待"),
    "jobs.failed.title": ("Could not be read", "未能读取"),
    "jobs.cancelled": ("Cancelled.", "已取消。"),
    "jobs.cancel": ("Cancel {name}", "取消 {name}"),
    "jobs.pause": ("Pause", "暂停"),
    "jobs.paused": ("paused", "已暂停"),
    "jobs.continue": ("Continue", "继续"),
    "jobs.cancel.all": ("Cancel all", "全部取消"),
    "jobs.failed.one": ("1 file could not be read", "1 个文件未能读取"),
    "jobs.failed.many": ("{count} files could not be read", "{count} 个文件未能读取"),
    "jobs.left.seconds": ("about {count} s left", "约剩 {count} 秒"),
    "jobs.left.minutes": ("about {count} min left", "约剩 {count} 分钟"),
    "jobs.retry": ("Retry", "重试"),
    "jobs.dismiss": ("Dismiss", "忽略"),
    "jobs.dismiss.all": ("Dismiss all", "全部忽略"),
    "jobs.show.all": ("Show all {count}", "显示全部 {count} 条"),
    "jobs.done.one": ("{name} is ready.", "{name} 已就绪。"),
    "jobs.done.many": ("{count} files are ready.", "{count} 个文件已就绪。"),
    "jobs.stage.queued": ("Waiting", "等待中"),
    "jobs.stage.receive": ("Receiving", "接收中"),
    "jobs.stage.parse": ("Reading", "读取内容"),
    "jobs.stage.structure": ("Finding the structure", "分析结构"),
    "jobs.stage.ocr": ("Recognising text", "识别文字"),
    "jobs.stage.enrich": ("Asking the model", "模型分析"),
    "jobs.stage.index": ("Indexing", "建立索引"),
    "jobs.stage.commit": ("Storing", "保存"),
    "jobs.stage.embed": ("Preparing search by meaning", "建立语义索引"),
    # document
    "document.to_answer": ("Back to the answer", "返回回答"),
    "document.none": ("Choose a document to read", "请选择要阅读的文档"),
    "document.none.text": ("Open one from the list, or search for it with Ctrl K.", "从列表中打开，或按 Ctrl K 查找。"),
    "document.contents": ("Contents", "目录"),
    "document.page": ("Page", "页"),
    "document.page.n": ("Page {page} of {pages}", "第 {page} / {pages} 页"),
    "document.part.n": ("Part {page} of {pages}", "第 {page} / {pages} 部分"),
    "document.slide": ("Slide", "幻灯片"),
    "document.slide.n": ("Slide {page} of {pages}", "第 {page} / {pages} 张幻灯片"),
    "document.sheet": ("Sheet", "工作表"),
    "document.sheet.n": ("Sheet {page} of {pages}", "第 {page} / {pages} 个工作表"),
    "document.rows": ("Rows {first:,} to {last:,} of {count:,}", "第 {first:,}–{last:,} 行，共 {count:,} 行"),
    "document.part": ("Part", "部分"),
    "document.page.alt": ("Page {page} of {name}", "{name} 第 {page} 页"),
    "document.view.page": ("Page", "页面"),
    "document.view.text": ("Text", "文本"),
    "document.view": ("View", "视图"),
    "document.text.label": ("Text of {name}", "{name} 的文本"),
    "document.version": ("Version", "版本"),
    "document.version.n": ("Version {version} · {date}", "版本 {version} · {date}"),
    "document.version.current": ("Version {version} · {date} · current", "版本 {version} · {date} · 当前"),
    "document.old": (
        "You are reading version {version}. Search and answers use the current one, version {current}.",
        "您正在阅读版本 {version}。检索和回答使用当前版本 {current}。",
    ),
    "document.to_current": ("Open the current version", "打开当前版本"),
    "document.indexed": ("added {date}", "添加于 {date}"),
    "document.warnings": ("{count} notes from reading this file", "读取此文件时的 {count} 条提示"),
    "document.warnings.one": ("1 note from reading this file", "读取此文件时的 1 条提示"),
    "document.download": ("Original file", "原始文件"),
    "document.ask": ("Ask about it", "就此提问"),
    "document.passage": ("Selected passage", "所选段落"),
    "document.passage.none": ("Select a section or a passage to see where it stands.", "选择章节或段落，查看其所在位置。"),
    "document.no_picture": ("The picture of this page cannot be drawn; here is its text.", "无法绘制此页，以下是其文本。"),
    "document.no_text": ("No text was found here.", "此处没有文本。"),
    "document.gone": (
        "The linked passage is not in this version of the document.",
        "链接所指的段落不在此文档的这个版本中。",
    ),
    "document.untitled": ("(untitled)", "（无标题）"),
    "document.ocr": ("Read by text recognition, confidence {percent}%", "由文字识别读取，可信度 {percent}%"),
    "document.ocr.low": (
        "Read by text recognition, confidence only {percent}%: check it against the page.",
        "由文字识别读取，可信度仅 {percent}%，请对照原页核对。",
    ),
    "document.ocr.show": ("Show the text that was read", "显示识别出的文字"),
    "document.ocr.page": ("Text recognition read {count} lines here.", "此页由文字识别读取，共 {count} 行。"),
    "document.ocr.page.low": (
        "Text recognition read {count} lines here and is unsure of {low}; they are outlined in orange.",
        "此页由文字识别读取，共 {count} 行，其中 {low} 行不确定，已用橙色标出。",
    ),
    "document.section.text": ("{count} passages in this section", "本节共 {count} 个段落"),
    # the reading view
    "reading.speaker": ("Speaker notes", "演讲者备注"),
    "reading.comment": ("Comment", "批注"),
    "reading.footnote": ("Footnote", "脚注"),
    "reading.endnote": ("Endnote", "尾注"),
    "reading.hidden": ("Hidden in the file", "在文件中隐藏"),
    "reading.generated": ("Title made up for this part", "为此部分自动生成的标题"),
    "reading.chart": ("Data of a chart", "图表数据"),
    "reading.picture": ("Picture", "图片"),
    "reading.rows_above": ("{count} rows above are not shown", "上方有 {count} 行未显示"),
    "reading.rows_below": ("{count} more rows are not shown", "下方还有 {count} 行未显示"),
    "reading.table": ("Table", "表格"),
    "reading.doubtful": ("Text recognition is only {percent}% sure of this.", "文字识别对此处的可信度仅 {percent}%。"),
    # roles
    "role.document": ("Document", "文档"),
    "role.section": ("Section", "章节"),
    "role.paragraph": ("Paragraph", "段落"),
    "role.list": ("List", "列表"),
    "role.table": ("Table", "表格"),
    "role.image": ("Picture", "图片"),
    "role.caption": ("Caption", "题注"),
    "role.equation": ("Equation", "公式"),
    "role.code": ("Code", "代码"),
    # settings
    "settings.title": ("Settings", "设置"),
    "settings.model": ("Language model", "语言模型"),
    "settings.model.help": ("Any endpoint with an OpenAI-compatible chat API. Without one, answers quote the documents. The model is sent your questions and the passages found for them, and more only if you switch that on under Reading.", "任何兼容 OpenAI 聊天格式的接口。不设置时，回答直接引用文档原文。模型会看到问题和检索到的段落；仅当您在“读取”中开启相应选项时才会看到更多内容。"),
    "settings.model.on": ("In use: {model}", "正在使用：{model}"),
    "settings.model.off": ("Not set up", "未设置"),
    "settings.model.first": ("first model of the endpoint", "接口的第一个模型"),
    "settings.base": ("Address", "地址"),
    "settings.base.placeholder": ("https://api.openai.com/v1 or http://localhost:11434/v1", "https://api.openai.com/v1 或 http://localhost:11434/v1"),
    "settings.key": ("Key", "密钥"),
    "settings.key.saved": ("A key is saved. Leave this empty to keep it.", "已保存密钥。留空则保持不变。"),
    "settings.key.none": ("Not needed for most local models", "多数本地模型不需要"),
    "settings.key.again": (
        "The saved key belongs to the saved address. Enter the key for this one.",
        "已保存的密钥属于原地址，请输入此地址的密钥。",
    ),
    "settings.name": ("Model", "模型"),
    "settings.name.placeholder": ("Empty: the first model that the endpoint lists", "留空则使用接口列出的第一个模型"),
    "settings.test": ("Test", "测试"),
    "settings.testing": ("Asking the model", "正在询问模型"),
    "settings.save": ("Save", "保存"),
    "settings.saved": ("Saved.", "已保存。"),
    "settings.forget": ("Remove model", "移除模型"),
    "settings.forget.help": ("Forget address, key and model; answers quote the documents then.", "清除地址、密钥和模型，之后回答直接引用原文。"),
    "settings.overridden": (
        "{names} is set in the environment and wins over what is saved here.",
        "环境变量 {names} 已设置，优先于此处保存的值。",
    ),
    "settings.embedding": ("Search by meaning", "语义检索"),
    "settings.embedding.done": ("{total:,} passages can be found by their meaning, with {model}.", "{total:,} 个段落可按语义检索，模型：{model}。"),
    "settings.embedding.some": (
        "{done:,} of {total:,} passages can be found by their meaning so far, with {model}. All can be found by their words.",
        "目前 {total:,} 个段落中有 {done:,} 个可按语义检索，模型：{model}。全部可按文字检索。",
    ),
    "settings.embedding.none": ("Nothing to search yet. Add documents first.", "还没有可检索的内容，请先添加文档。"),
    "settings.embedding.off": ("Search by meaning is off. All passages can be found by their words.", "语义检索已关闭。所有段落可按文字检索。"),
    "settings.missing": ("What is missing", "缺少的内容"),
    "settings.health": ("Health", "健康状况"),
    "settings.health.help": ("Checks storage, models, versions and disk.", "检查存储、模型、版本和磁盘。"),
    "settings.health.run": ("Run the checks", "运行检查"),
    "settings.health.running": ("Checking", "正在检查"),
    "settings.health.good": ("All {count} checks passed.", "{count} 项检查全部通过。"),
    "settings.health.bad": ("{bad} of {count} checks need attention.", "{count} 项检查中有 {bad} 项需要处理。"),
    "settings.library": ("Library", "资料库"),
    "settings.library.folder": ("Everything is in one folder; copy it and you have a backup.", "所有内容都在一个文件夹里，复制它即可备份。"),
} | ACCESS | CHAT | DOCUMENTS | LAB | EVALUATION | SETTINGS | STRATEGY | TOPICS | VERSIONS
# fmt: on


def t(key: str, **values: object) -> str:
    """Return the text of ``key`` in the session's language, with ``values`` put in."""
    return text(key, current(), **values)


def text(key: str, language: Language, **values: object) -> str:
    """Return the text of ``key`` in a language, with ``values`` put in."""
    chosen = TEXTS[key][1 if language == "zh" else 0]
    return chosen.format(**values) if values else chosen


def day(timestamp: float) -> str:
    """Return a date as people write it: 21 Nov 2026, or 2026年11月21日."""
    moment = time.localtime(timestamp)
    if current() == "zh":
        return f"{moment.tm_year}年{moment.tm_mon}月{moment.tm_mday}日"
    return f"{moment.tm_mday} {_MONTHS[moment.tm_mon - 1]} {moment.tm_year}"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
