# ruff: noqa: E501
"""The texts about indexing strategies in English and Chinese."""

# fmt: off
STRATEGY: dict[str, tuple[str, str]] = {
    "strategy.options": ("How it is indexed", "索引方式"),
    "strategy.choose": ("Indexing", "索引策略"),
    "strategy.default": ("As set up: {name}", "默认：{name}"),
    "strategy.recursive": ("Recursive", "递归切分"),
    "strategy.semantic": ("Semantic", "语义切分"),
    "strategy.sliding": ("Sliding summary", "滑动摘要"),
    "strategy.contextual": ("Contextual", "上下文补全"),
    "strategy.hierarchical": ("Parent and child", "分层索引"),
    "strategy.questions": ("Hypothetical questions", "假设性问题"),
    "strategy.recursive.help": ("Each passage together with its headings.", "每个段落连同其上级标题。"),
    "strategy.semantic.help": ("Long passages are also split where the topic changes.", "长段落另按话题转换处切分。"),
    "strategy.sliding.help": ("Each passage with a summary that takes the previous passage into account. Without a model: with the key points of the previous passage.", "每个段落附带承接前文的摘要；未设置模型时使用前一段的要点。"),
    "strategy.contextual.help": ("Each passage with a note on its place in the document. Without a model: with its headings, as in recursive.", "每个段落附带其在全文中的背景说明；未设置模型时仅用上级标题，与递归切分相同。"),
    "strategy.hierarchical.help": ("Long passages are also matched a few sentences at a time; the whole passage is returned.", "长段落另按几句一组匹配，返回整段。"),
    "strategy.questions.help": ("Each passage is also matched by the questions it answers.", "每个段落另按其能回答的问题匹配。"),
    "strategy.needs_model": ("{name} needs a language model: set one up in Settings.", "“{name}”需要语言模型：请在“设置”中配置。"),
    "strategy.cost.title": ("This asks the language model", "此操作将调用语言模型"),
    "strategy.cost": ("At most **{calls} calls**, {sent} tokens sent and {replied} received. Documents can be searched meanwhile.", "最多调用 **{calls} 次**，发送 {sent} 个、接收 {replied} 个词元。期间文档即可搜索。"),
    "strategy.cost.money": ("At your prices that is at most **{cost}**.", "按您的单价，最多 **{cost}**。"),
    "strategy.cost.budget": ("The budget per document is {calls} calls and {tokens} tokens; whatever exceeds it is indexed without a model.", "每个文档的预算为 {calls} 次调用、{tokens} 个词元；超出部分按无模型方式索引。"),
    "strategy.cost.counting": ("Counting the passages…", "正在统计段落…"),
    "strategy.start": ("Start", "开始"),
    "strategy.indexed": ("indexed: {name}", "索引：{name}"),
}
