"""The messages that ask a model for an answer over numbered evidence.

What is the same for every question comes first, so that an endpoint that caches prompts need not read it again; the
evidence follows, each block once, and the question last.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.answer.evidence.quotes import SLIDES
from engine.answer.tables.cite import Computed
from engine.answer.understand.language import language_of
from engine.answer.understand.terms import FUNCTION_WORDS, weight
from engine.enrich.cell_places import cells_shown
from engine.index.views import schema_of
from engine.model import Citation, Evidence, Node
from engine.providers.prompts import prompt
from engine.providers.vision import message_with

_MAX_TURNS = 4
# What is to be shortened or translated is given whole, earlier turns by their beginnings.
_TURN_CHARACTERS, _LAST_CHARACTERS = 600, 6000
_LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean", "ru": "Russian", "ar": "Arabic"}
# A question in English has this share of words that only build a sentence.
_BUILDING = 0.25


def messages_for(
    question: str, evidence: Sequence[Evidence], history: Sequence[tuple[str, str]] = (), system_prompt: str = "",
    computed: Sequence[Computed] = (), *, about_answer: bool = False, language: str = "",
    pictures: Sequence[tuple[int, bytes]] = (),
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the chat messages that ask for an answer with marks [n] over ``evidence`` (1-based).

    ``about_answer`` where the question asks for something to be done with the answer before. ``language`` is that to
    answer in, "" that of the question. ``pictures`` come with the number of the evidence that they belong to.
    """
    system = "\n".join(filter(None, (prompt("answer"), system_prompt.strip())))
    user = filled(
        prompt("answer_conversation" if about_answer else "answer_question"),
        evidence=arranged(evidence), computed=_computed(computed, evidence), question=question.strip(),
        conversation=_conversation(history), language=language or language_name(question),
    )  # fmt: skip
    announced = [(filled(prompt("answer_picture"), n=str(n)), picture) for n, picture in pictures]
    return [{"role": "system", "content": system}, message_with(user, announced)]


def told_in(system_prompt: str, style: str, language: str, instructions: str) -> str:
    """Return what a model is told beside its task: as it is set up, then how this conversation wants its answers."""
    written = f"Write in {language}, whatever the language of question and evidence."
    styled = prompt(f"style_{style}") if style else ""
    parts = (system_prompt, styled, written if language.strip() else "", instructions)
    return "\n".join(part.strip() for part in parts if part.strip())


def chat_messages(message: str, history: Sequence[tuple[str, str]], system_prompt: str) -> list[dict[str, Any]]:
    """Return the chat messages for small talk, which no document is needed for."""
    system = "\n".join(filter(None, (prompt("chat"), system_prompt.strip())))
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": f"{_conversation(history)}Message: {message.strip()}"},
    ]


def language_name(question: str) -> str:
    """Return the language to answer in, as a model is told it."""
    code = language_of(question)
    if code != "en":
        return _LANGUAGES.get(code, "the question's language")
    words = [word for word in re.findall(r"[a-z']+", question.lower()) if len(word) > 1]
    building = sum(word in FUNCTION_WORDS or weight(word) == 0 for word in words)
    return "English" if building >= _BUILDING * len(words) else "the question's language"


def arranged(evidence: Sequence[Evidence]) -> str:
    """Return numbered evidence as a model is shown it, what stands together together, in the order of the text.

    The places come in the order of what was found best there; the numbers are those of ``evidence``, 1-based. A block
    without a source continues the one before it. What a section is about stands once, before its first block.
    """
    shown: list[str] = []
    for first, *others in _together(evidence):
        told = (f'<about section="{_defused(of)}">{_defused(it, False)}</about>' for of, it in evidence[first].above)
        shown += [line for line in told if line not in shown]
        shown.append(block(first + 1, evidence[first]))
        shown += [block(index + 1, evidence[index], continues=True) for index in others]
    return "\n".join(shown)


def in_order(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return evidence in the order in which a model is shown it, so that its numbers count up."""
    return [evidence[index] for together in _together(evidence) for index in together]


def _together(evidence: Sequence[Evidence]) -> Iterator[list[int]]:
    """Yield the places (0-based) of evidence that stands together, in the order of its text."""
    places: dict[tuple[str, int, str], list[int]] = {}
    for index, item in enumerate(evidence):
        places.setdefault((item.hit.document_id, item.hit.version, _place(item)), []).append(index)
    for together in places.values():
        yield sorted(together, key=lambda index: evidence[index].position)


def _place(item: Evidence) -> str:
    path, name = item.path, item.hit.document
    if path[:1] == [name.rsplit(".", 1)[0]]:  # a document is often called as its file
        path = path[1:]
    place, where = " / ".join([name, *path]), "slide" if name.lower().endswith(SLIDES) else "p."
    # A sheet is named by its section.
    return f"{place}, {where} {item.hit.page}" if item.hit.page and not item.cell else place


def block(n: int, item: Evidence, node_id: str = "", *, continues: bool = False) -> str:
    """Return evidence as a model is shown it: with document, section path and page, in a block it cannot close.

    One that ``continues`` the block before has the same place, which is not told again.
    """
    title = f"{item.title}\n" if item.title and item.title not in item.hit.path else ""
    title += _about_table(item, title)
    node = f' node="{node_id}"' if node_id else ""
    said = [*(f"• {fact}" for fact in item.condensed.key_facts), item.condensed.summary]
    text = title + ("\n".join(filter(None, said)) or _with_empty_cells(item))
    cells = cells_shown(item.table, item.text) if item.table else ""
    source = "" if continues else f' source="{_defused(_place(item))}"'
    source += f' cells="{cells}"' if cells else ""
    return f'<evidence n="{n}"{node}{source}>\n{_defused(text, False)}\n</evidence>'


def _with_empty_cells(item: Evidence) -> str:
    """Return a text; rows of a table get the empty cells at their ends back, so that cells stand under their names."""
    rows = item.table.metadata.get("rows") or [] if item.table else []
    whole = [" | ".join(" ".join(str(cell).split()) for cell in row) for row in rows]
    filled = {row.strip(" |"): row for row in whole}
    return "\n".join(filled.get(line, line) for line in item.text.split("\n")) if filled else item.text


def _about_table(item: Evidence, shown: str) -> str:
    """Return a table's caption, its columns with their units, and how much of it is shown, where the text lacks them.

    Rows alone do not tell what their figures are of, and some of the rows look like all.
    """
    if item.table is None:
        return ""
    caption, columns = " ".join(str(item.table.metadata.get("caption") or "").split()), schema_of(item.table)
    lines = [
        caption if caption not in shown + item.text else "",
        f"(columns: {columns})" if columns.replace("; ", " | ") not in item.text else "",
        _rows_shown(item.table, item.text),
    ]
    return "".join(f"{line}\n" for line in lines if line)


def _rows_shown(table: Node, text: str) -> str:
    facts = table.metadata
    heads = int(facts.get("header_rows") or 0)
    whole = len(facts.get("rows") or []) - heads
    named = table.text.split("\n")[:heads]
    shown = sum(line not in named for line in text.split("\n"))
    number, parts = facts.get("part") or (1, 1)
    of_parts = f"; part {number} of {parts} of a longer table" if parts > 1 else ""
    return f"({shown} of {whole} rows are shown{of_parts})" if shown < whole or of_parts else ""


def _defused(text: str, attribute: bool = True) -> str:
    """Keep text from closing the block that holds it."""
    text = re.sub(r"<(?=\s*/?\s*(?:evidence|about))", "‹", text, flags=re.I)
    return text.replace('"', "'").replace(">", "/").replace("\n", " ") if attribute else text


def _computed(computed: Sequence[Computed], evidence: Sequence[Evidence]) -> str:
    """Return the results of operators, each with the numbers of the evidence it was computed from."""
    tables = {item.hit.document_id: n for n, item in reversed([*enumerate(evidence, 1)]) if item.table}
    lines = []
    for one in computed:
        cited = sorted({*filter(None, (_number_of(cell, evidence) for cell in one.citations))})
        cited = cited or sorted({tables[c.document_id] for c in one.citations if c.document_id in tables})
        lines.append(f"{_defused(one.placed, False)} {''.join(f'[{n}]' for n in cited)}")
    return filled(prompt("answer_computed"), lines="\n".join(lines)) + "\n\n" if lines else ""


def _number_of(cell: Citation, evidence: Sequence[Evidence]) -> int:
    """Return the number of the evidence that shows a cell, else of its table; 0 where neither is there."""
    same = [n for n, item in enumerate(evidence, 1) if item.hit.node_id == cell.node_id]
    return next((n for n in same if cell.snippet in evidence[n - 1].text), same[-1] if same else 0)


def _conversation(history: Sequence[tuple[str, str]]) -> str:
    turns = turns_of(history[-_MAX_TURNS:-1], _TURN_CHARACTERS)
    turns += [f"{speaker}: {text.strip()[:_LAST_CHARACTERS]}" for speaker, text in _spoken(history[-1:])]
    return "Conversation so far:\n" + "\n".join(turns) + "\n\n" if turns else ""


def turns_of(history: Sequence[tuple[str, str]], most: int) -> list[str]:
    """Return a line for each turn of a conversation, of ``most`` characters."""
    return [f"{speaker}: {' '.join(text.split())[:most]}" for speaker, text in _spoken(history)]


def _spoken(history: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [("User" if role == "user" else "Assistant", text) for role, text in history]


def filled(template: str, **values: str) -> str:
    """Fill in a template in one pass: what is filled in is not looked at again."""
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), template)
