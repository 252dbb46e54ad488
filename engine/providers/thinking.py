"""What a reasoning model thinks told apart from what it answers, in every form that models write it in.

<think> and its like, also where the template has opened it so that only </think> is seen, ◁think▷, [THINK],
<seed:think>, and the channels of harmony (gpt-oss), with their marks or without.
"""

import re

_NAMES = r"(?:seed:)?(?:think|thinking|thought|reasoning)"
_OPEN = re.compile(rf"<{_NAMES}>|◁think▷|\[THINK\]", re.I)
_CLOSE = re.compile(rf"</{_NAMES}>|◁/think▷|\[/THINK\]", re.I)
_CHANNEL = re.compile(r"(?:<\|start\|>\s*\w*)?\s*<\|channel\|>\s*(\w+)[^<]*?(?:<\|constrain\|>\w+)?\s*<\|message\|>")
_CHANNEL_ENDS = re.compile(r"<\|(?:end|return|call)\|>")
_BARE_CHANNELS = re.compile(
    r"^\s*(?:analysis|commentary)(?=[A-Z\u3400-\u9fff])(?P<thought>.*?)assistant\s*final(?:\s*json)?\s*", re.S
)
_BARE_BEGIN = re.compile(r"\s*(?:analysis|commentary)(?=[A-Z\u3400-\u9fff])")
# The beginning of a mark may still be under way at the end of what has come so far.
_BEGINS_MARK = re.compile(
    r"(?:<\|?/?[\w:|]{0,24}|◁/?\w{0,6}|\[/?[A-Z]{0,5}|<\|channel\|>[^<]{0,40}(?:<\|?\w{0,12}\|?)?|<\|(?:start|end)\|>[^<]{0,24}(?:<\|?\w{0,12}\|?)?)$"
)
_OF_MARKS = frozenset("<◁[|>▷]")


def without_thinking(text: str) -> str:
    """Return a whole reply without what was thought; a block that never closes is thought to its end."""
    channels = list(_CHANNEL.finditer(text))
    if channels:
        return _final_channel(text, channels)
    bare = _BARE_CHANNELS.match(text)
    if bare:
        return text[bare.end() :]
    kept: list[str] = []
    at = 0
    close = _CLOSE.search(text)
    opened = _OPEN.search(text)
    if close and (opened is None or close.start() < opened.start()) and not _in_code(text, close.start()):
        at = close.end()  # the template had opened it
    while (match := _OPEN.search(text, at)) is not None:
        if _in_code(text, match.start()):
            kept.append(text[at : match.end()])
            at = match.end()
            continue
        kept.append(text[at : match.start()])
        end = _CLOSE.search(text, match.end())
        if end is None:
            return "".join(kept)
        at = end.end()
    return "".join([*kept, text[at:]])


def settled(text: str) -> str:
    """Return a reply so far, up to where a mark may have begun; "" while it may be a thought without marks."""
    start = text.lstrip()
    if any(name.startswith(start) for name in ("analysis", "commentary")) and start:
        return ""
    if _BARE_BEGIN.match(text) and not _BARE_CHANNELS.match(text):
        return ""
    under_way = _BEGINS_MARK.search(text, max(0, len(text) - 120))
    return text[: under_way.start()] if under_way else text


def may_hold_marks(piece: str) -> bool:
    """True for a piece of a reply that may be part of a mark."""
    return not _OF_MARKS.isdisjoint(piece)


def thought_in(reply: str) -> str:
    """Return what a reply thinks before its answer, "" where more stands behind that."""
    answer = without_thinking(reply).strip()
    text = _CHANNEL_ENDS.sub("", reply).rstrip()
    thought = text.removesuffix(answer) if text.endswith(answer) else ""
    for mark in (_OPEN, _CLOSE, _CHANNEL):
        thought = mark.sub("", thought)
    return thought.strip()


def _final_channel(text: str, channels: list[re.Match[str]]) -> str:
    """Return what stands in the channel "final"; nothing where there is none yet."""
    said = [text[: channels[0].start()]] if channels[0].start() else []
    for number, match in enumerate(channels):
        end = channels[number + 1].start() if number + 1 < len(channels) else len(text)
        stop = _CHANNEL_ENDS.search(text, match.end(), end)
        if match[1].casefold() == "final":
            said.append(text[match.end() : stop.start() if stop else end])
    return _CHANNEL_ENDS.sub("", "".join(said))


def _in_code(text: str, at: int) -> bool:
    """True inside a fenced block, where such a word is a program's."""
    return text.count("```", 0, at) % 2 == 1 or (at > 0 and text[at - 1] == "`")
