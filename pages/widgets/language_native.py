"""What Streamlit itself writes on the page (its uploader, its fields, the names of its buttons), in Chinese, too.

Streamlit has no other languages of its own; the page itself changes these words, and only in Streamlit's parts. It
also gives toasts the name that readers of the screen hear.
"""

from __future__ import annotations

from pages.widgets.frontend import component
from pages.widgets.language import current

TEXTS = {
    # the uploader
    "Upload": "选择文件",
    "Add files": "添加文件",
    "Upload directories": "选择文件夹",
    "Uploading...": "正在上传…",
    "Upload failed": "上传失败",
    "file upload": "选择文件",
    # fields
    "Press Enter to apply": "按回车键应用",
    "Press Enter to submit form": "按回车键提交",
    "Press Ctrl+Enter to apply": "按 Ctrl+回车应用",
    "Press ⌘+Enter to apply": "按 ⌘+回车应用",
    "No results": "没有匹配项",
    "Select all": "全选",
    "Increment": "增加",
    "Decrement": "减少",
    "Clear value": "清除",
    "Clear entry": "清除",
    "Show password text": "显示密码",
    "Hide password text": "隐藏密码",
    "Selected values": "已选项",
    # the frame
    "Skip to main content": "跳到主要内容",
    "Stop": "停止",
    "Running...": "正在运行",
    "Stop script": "停止",
    "Send message": "发送",
    "Sidebar": "侧边栏",
    "App pages": "页面",
    "Collapse sidebar": "收起侧边栏",
    "Expand sidebar": "展开侧边栏",
    "Navigate to home page": "返回首页",
    "Notifications": "通知",
    "Close": "关闭",
    "Open": "打开",
    "Previous page": "上一页",
    "Next page": "下一页",
    "Pagination": "分页",
    "Help": "说明",
}
PATTERNS = (
    (r"(\S+B) per file", "每个文件不超过 $1"),
    (r"(\S+B) per file • (.+)", "每个文件不超过 $1 · $2"),
    (r"Remove (\S.*)", "移除 $1"),
    (r"Page (\d+)", "第 $1 页"),
    (r"File must be (\S+) or smaller\.?", "文件不能超过 $1"),
)
_component = component("language_native", "<span hidden></span>")


def translate() -> None:
    """Have the page say in the session's language what Streamlit says in English, and name its own language."""
    chinese = current() == "zh"
    data = {
        "language": "zh-CN" if chinese else "en",
        "texts": TEXTS if chinese else {},
        "patterns": [list(pair) for pair in PATTERNS] if chinese else [],
    }
    _component(data=data, key="language.native")
