"""Does a sentence of a model say that the documents do not tell?"""

from __future__ import annotations

import re

_DOCUMENTS = r"(?:evidence|documents?|context|passages?|texts?|sources?|excerpts?|materials?|files?|records?)"
_TELL = (
    r"(?:contain|mention|provide|include|specify|state|say|answer|name|give|tell|show|disclose|indicate|address|cover|list"
    r"|report|discuss|describe|explain|reveal)"
)
_NOT_TOLD = re.compile(
    rf"\b{_DOCUMENTS}\b[^.\n]{{0,40}}\b(?:(?:does|do|did)(?: not|n['’]t)|never|nowhere) {_TELL}"
    r"|\b(?:could|can|was|am|were|are)(?: ?not|n['’]t)(?: be)?(?: able to)? (?:find|found|answer|answered|determine)"
    r"|\bno (?:information|answer|mention|evidence)\b"
    r"|\bnot (?:mentioned|found|contained|stated|provided|available) in\b"
    rf"|\b(?:none of|nothing in) the {_DOCUMENTS}\b"
    r"|(?:文档|文件|证据|资料|内容|材料|信息|原文)中?[^。\n]{0,12}(?:没有|并未|未|不)(?:提及|提到|提供|包含|找到|说明|涉及|相关|给出|写|列出|披露)"
    r"|(?:无法|不能|没法)(?:回答|找到|确定|得知|得出)|没有(?:找到|提到|提及|相关信息|相关内容)|未(?:找到|提及|提到)",
    re.I,
)


def says_not_told(sentence: str) -> bool:
    """True for a sentence such as "The documents do not name the price." or 文档中没有提到价格。"""
    return bool(_NOT_TOLD.search(sentence))
