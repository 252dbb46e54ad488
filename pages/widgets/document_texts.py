# ruff: noqa: E501
"""The texts of choosing among many documents, in English and Chinese."""

# fmt: off
DOCUMENTS: dict[str, tuple[str, str]] = {
    "documents.state": ("State", "状态"),
    "documents.state.all": ("Any state", "所有状态"),
    "documents.state.ready": ("Ready", "就绪"),
    "documents.state.preparing": ("Being prepared", "准备中"),
    "documents.state.noted": ("With notes", "有提示"),
    "documents.state.versions": ("Several versions", "有多个版本"),
    "documents.select.one": ("Select", "选择"),
    "documents.select.some": ("{count} selected", "已选 {count} 个"),
    "documents.select.all": ("Select all {count}", "全选 {count} 个"),
    "documents.select.none": ("Clear", "取消选择"),
    "documents.select.summarize": ("Summarise", "摘要"),
    "documents.select.reindex": ("Read again", "重新读取"),
    "documents.select.remove": ("Remove", "移除"),
    "documents.reindex.queued": ("{count} files are read again.", "正在重新读取 {count} 个文件。"),
    "documents.remove.many.title": ("Remove {count} documents?", "移除 {count} 个文档？"),
    "documents.remove.many.text": (
        "They leave the library with all their versions and are no longer found. Answers you already have keep their quotes.",
        "它们及其所有版本将从资料库移除，不再被检索到。已有回答中的引文会保留。",
    ),
    "documents.folder": ("Add a folder", "添加文件夹"),
    "documents.folder.hint": ("All readable files in the folder and its subfolders.", "其中及其子文件夹中所有可读取的文件。"),
    "documents.folder.none": ("No file in this folder can be read.", "此文件夹中没有可读取的文件。"),
    "jobs.retry.all": ("Retry all", "全部重试"),
}
# fmt: on
