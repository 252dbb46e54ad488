"""How an answer looks: its steps, its text with citation marks, a chart, the sources as cards, badges and remarks."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.answer.agent.search_web import host_of
from engine.export.harmless import plain, safe_markdown
from engine.export.signs import FIRST, with_signs
from engine.model import Answer, Citation, Message, Statement, TraceStep, WebSource
from engine.retrieve.notes import tells_of_preparation
from pages.widgets import chat_scope, question_set
from pages.widgets.buttons import button, link_to
from pages.widgets.document_view import page_kind
from pages.widgets.fragments import component, fragment
from pages.widgets.places import QUOTE_CHARACTERS, document_address, document_place
from pages.widgets.services import library, node
from pages.widgets.texts import in_language, named, said, short, t

# Colour, sign and words say the same.
CONFIDENCE: dict[str, tuple[Any, str]] = {
    "high": ("green", ":material/check_circle:"),
    "medium": ("yellow", ":material/contrast:"),
    "low": ("red", ":material/error:"),
}

_SIGNS = {
    "computed": ("green", ":material/calculate:", "statement.computed"),
    "unverified": ("orange", ":material/help:", "statement.unverified"),
    "contradicted": ("red", ":material/error:", "statement.contradicted"),
}
# A ranking or a trend that was computed from cells can be shown as a chart.
LEAST = 3
ROW_PIXELS = 30
# A line of a computed list, as the operators on tables write it: "- Zone NA: 12,553 million CHF [1]".
_LINE = re.compile(
    r"^\s*[-*] (?P<label>.+?)[:：]\s*(?P<number>[-−]?\d[\d,]*(?:\.\d+)?)(?P<unit>[^\[\]\d]*?)(?:\s*\[\d+\])*\s*$"
)
_YEAR = re.compile(r"\D{0,6}(?:19|20)\d\d\D{0,3}")
PARAMETER_CHARACTERS = 160
NODE_ID = re.compile(r"n[0-9a-f]{14}")
_ID_MARK = re.compile(rf"\[{NODE_ID.pattern}(?:-\d+)?\]")
# Of so many cells of a row the first and the last are named.
_SPAN = 3
# They have a statement on each line: a list, or what was read in a picture.
_IN_LINES = ("list", "image")
_component = component("sources", "<div class='head'></div><ol></ol><div class='newer'></div>")


def show_answer(answer: Answer, key: str, question: Message | None = None, told: set[str] | None = None) -> None:
    """Draw a finished answer to a question; ``key`` is the id of its message.

    ``told`` are the remarks on what the library is not ready for, and the kinds of refusal explained, that stand above
    already: they are not repeated, and those of this answer are added.
    """
    told = set() if told is None else told
    warnings = untold(answer.warnings, told)
    if answer.reasoning_trace:
        with show_trace(answer.reasoning_trace, answer.timings_ms.get("total", 0) / 1000):
            if question is not None:
                look_closer(answer, question, key)
    if not answer.answered:
        _not_answered(answer, key, question, warnings, told)
        return
    show_text(answer)
    if (figures := figures_of(answer)) is not None:
        fragment(_chart)(figures, key)
    if answer.sources:
        sources(answer.sources, label=t("answer.sources"), turn=key)
    _from_web(answer.web_sources)
    _badges(answer)
    _warnings(warnings)


def as_typed(text: str) -> str:
    """Return Markdown that shows a question as it was typed, line by line."""
    return "  \n".join(plain(line) for line in text.splitlines())


def untold(warnings: Sequence[str], told: set[str]) -> list[str]:
    """Return the remarks that are not told already, and note those that hold for every answer for a while."""
    new = []
    for warning in warnings:
        kind = tells_of_preparation(warning)
        if kind is None or kind not in told:
            new.append(warning)
        if kind is not None:
            told.add(kind)
    return new


def look_closer(answer: Answer, question: Message, key: str) -> None:
    """Draw the way to the lab with a question, and what saves it with the sources as what it must find."""
    documents = list(question.filters.documents) if question.filters else []
    expected = list(dict.fromkeys(source.node_id for source in answer.sources))
    with st.container(horizontal=True, gap="small"):
        link_to("retrieval_lab", t("eval.to_lab"), "biotech", q=question.text, doc=documents)
        if answer.answered and expected:
            given = question.text, expected, question.filters
            button(t("eval.from_answer"), f"save.{key}", "bookmark_add", question_set.save, *given)


def marked(text: str, sources: Sequence[Citation], statements: Sequence[Statement] = ()) -> str:
    """Return an answer's text as safe Markdown, its marks ``[n]`` linked to their places and its statements told."""
    by_number = {source.n: source for source in sources}

    def mark(number: int) -> str:
        if FIRST <= number < FIRST + len(statements):
            return sign(statements[number - FIRST], by_number, mark)
        source = by_number.get(number)
        if source is None:
            return f"[{number}]"
        return f"[:blue-badge[{number}]]({address_of(source)})"

    return safe_markdown(with_signs(text, statements), mark)


def sign(statement: Statement, by_number: dict[int, Citation], mark: Callable[[int], str]) -> str:
    """Return the Markdown that tells of a statement: its source, or a badge with the reason on hover."""
    if statement.state == "supported":
        return mark(statement.sources[0])
    colour, icon, word = _SIGNS[statement.state]
    badge = f":{colour}-badge[{icon} {t(word)}]"
    source = next((by_number[n] for n in statement.sources if n in by_number), None)
    reason = in_language(statement.reason).replace("\\", "").replace('"', "”").replace("\n", " ")
    return f'[{badge}]({address_of(source) if source else "#"} "{reason}")'


def show_text(answer: Answer) -> None:
    """Draw what an answer says, then both quotations of every statement that its source contradicts."""
    st.markdown(marked(answer.answer, answer.sources, answer.statements))
    for one in answer.statements:
        if one.state != "contradicted":
            continue
        with st.container(border=True, gap="xxsmall"):
            st.markdown(f":red-badge[:material/error: {t('statement.contradicted')}] {said(one.reason)}")
            for label, quote in zip(("statement.says", "statement.place_says"), one.quotes, strict=False):
                st.caption(f"{t(label)} “{plain(quote)}”")


def _badges(answer: Answer) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        if answer.sources:  # a greeting or a count rests on no passage
            colour, icon = CONFIDENCE[answer.confidence]
            kind = f"answer.confidence.{answer.confidence}"
            st.badge(t(kind), icon=icon, color=colour, help=why_so_sure(answer))
            for kind in (f"answer.mode.{answer.mode}", f"answer.engine.{answer.engine}"):
                st.badge(t(kind), color="gray", help=t(f"{kind}.help"))
        if answer.iterations:
            st.badge(t("answer.rounds", count=answer.iterations), color="gray")
        if (seconds := answer.timings_ms.get("total", 0) / 1000) >= 0.05:
            st.badge(t("answer.seconds", seconds=f"{seconds:.1f}"), color="gray")
        if tokens := sum(answer.tokens.values()):
            told = {"prompt": 0, "completion": 0} | answer.tokens
            st.badge(t("answer.tokens", count=tokens), color="gray", help=t("answer.tokens.help", **told))
        if answer.cost is not None:
            st.badge(t("answer.cost", cost=f"{answer.cost:.4f}"), color="gray", help=t("answer.cost.help"))
    if answer.sources and answer.confidence != "high":
        st.caption(why_so_sure(answer))


def why_so_sure(answer: Answer) -> str:
    """Say where the confidence of an answer comes from."""
    if answer.engine != "llm" or not answer.statements:
        return t(f"answer.sure.{answer.confidence}")
    supported = sum(one.state in ("supported", "computed") for one in answer.statements)
    return t("answer.sure.statements", supported=supported, count=len(answer.statements))


def _warnings(warnings: Sequence[str]) -> None:
    """Draw a single remark as it is, several folded."""
    if len(warnings) == 1:
        st.caption(f":material/info: {said(warnings[0])}")
    elif warnings:
        label = t("answer.warnings", count=len(warnings))
        with st.expander(label, type="compact", icon=":material/info:"):
            for warning in warnings:
                st.markdown(said(warning))


def _not_answered(answer: Answer, key: str, question: Message | None, warnings: Sequence[str], told: set[str]) -> None:
    closest = answer.state == "closest"
    icon = ":material/manage_search:" if closest else ":material/search_off:"
    title = t("answer.closest") if closest else t("answer.not_found")
    if question is not None and question.filters:
        scope = chat_scope.label_of(question.filters, chat_scope.names_of(library().documents()))
        title = t("answer.closest.in" if closest else "answer.not_found.in", scope=scope)
    with st.container(border=True):
        st.markdown(f"**{icon} {title}**")
        st.markdown(marked(answer.answer, answer.sources, answer.statements))
        if answer.engine == "llm" and answer.sources:
            sources(answer.sources, label=t("answer.nearest"), turn=key, near=True)
        elif answer.sources:
            # It quotes its sources itself; the marks open their places beside the conversation, too.
            sources([], label="", turn=key)
        if answer.state not in told:  # what to do about it is said once in a conversation
            told.add(answer.state)
            st.caption(t("answer.closest.help") if closest else t("answer.not_found.help"))
    _from_web(answer.web_sources)
    for warning in warnings:  # why it may not be found stands open
        _warnings([warning])


def _from_web(found: Sequence[WebSource]) -> None:
    """Draw what the web says, apart from the documents' sources; an address opens in a tab of its own."""
    if not found:
        return
    with st.container(border=True, gap="xsmall"):
        st.markdown(f":orange-badge[:material/public: {t('answer.web')}]")
        st.caption(t("answer.web.help"))
        for one in found:
            label = plain(f"[W{one.n}] {one.title} · {host_of(one)}")
            st.link_button(label, one.url, type="tertiary", icon=":material/open_in_new:", help=plain(one.url))
            st.caption(plain(one.snippet))


@dataclass(frozen=True, slots=True)
class Figures:
    """Labels with their numbers, all of one unit ("" for none)."""

    labels: Sequence[str]
    numbers: Sequence[float]
    unit: str

    @property
    def over_time(self) -> bool:
        """Tell whether the labels are years."""
        return all(_YEAR.fullmatch(label) for label in self.labels)


def figures_of(answer: Answer) -> Figures | None:
    """Return the first computed list of an answer with three or more numbers of one unit, None where there is none."""
    computed = (one for one in answer.statements if one.state == "computed")
    lists = (_listed(answer.answer[one.start : one.end]) for one in computed)
    return next(filter(None, lists), None)


def _listed(text: str) -> Figures | None:
    found = [line for line in map(_LINE.match, text.splitlines()) if line]
    units = {line["unit"].strip() for line in found}
    if not len({line["label"] for line in found}) == len(found) >= LEAST or len(units) != 1:
        return None
    numbers = [float(line["number"].replace(",", "").replace("−", "-")) for line in found]
    return Figures([line["label"].strip("* ") for line in found], numbers, units.pop())


def _chart(figures: Figures, key: str) -> None:
    if not st.toggle(t("answer.chart"), key=f"chart.{key}"):
        return
    # Units stand in the labels of the axes: a name of a column may hold neither a dot nor a bracket.
    name, value = t("answer.chart.name"), t("answer.chart.value")
    data = {name: figures.labels, value: figures.numbers}
    axes: dict[str, Any] = {"x": name, "y": value, "x_label": "", "y_label": figures.unit}
    if figures.over_time:
        st.line_chart(data, **axes, height=240)
    else:
        st.bar_chart(data, **axes, horizontal=True, sort=False, height=70 + ROW_PIXELS * len(figures.labels))


def show_trace(steps: Sequence[TraceStep], seconds: float) -> DeltaGenerator:
    """Draw the folded steps on the way to an answer, and return where more can be drawn below them."""
    took = f"{seconds:.1f}" if seconds >= 0.1 else "< 0.1"
    folded = st.expander(t("answer.trace", count=len(steps), seconds=took), type="compact")
    with folded:
        for step in steps:
            show_step(step)
    return folded


def show_step(step: TraceStep) -> None:
    """Draw one step."""
    with st.status(label_of(step), type="step", state="complete", expanded=True):
        if step.content != step.tool:  # a tool's bare name says nothing beside the label
            st.markdown(safe_markdown(step.content))
        facts = [*(f"{name}: {value}" for name, value in parameters(step)), result_of(step)]
        if told := " · ".join(filter(None, facts)):
            st.caption(plain(told))


def label_of(step: TraceStep) -> str:
    """Return what a step did, in a few words: the use of a tool, or a kind of thought."""
    if step.type == "action" and step.tool:
        key = "tool.table" if step.tool.isupper() else f"tool.{step.tool}"  # operators are in capitals
        return named(key, t("step.tool", tool=plain(step.tool.replace("_", " "))))
    return t(f"step.{step.type}")


def result_of(step: TraceStep) -> str:
    """Return what a step found, without ids and without what its own words say already."""
    found = _ID_MARK.sub("", step.result_summary or "").removeprefix(step.content)
    return " ".join(found.split())


def parameters(step: TraceStep) -> list[tuple[str, str]]:
    """Return what a tool was given as (name, text) pairs in words; of thoughts, whose words say it, nothing.

    What was left open or is switched off is left out, and what the step's own words say already. The whole of it,
    plans and ids included, is in the exports.
    """
    given = []
    for name, value in (step.params or {}).items() if step.type == "action" else ():
        text = _in_words(value)
        if text and text not in step.content:
            given.append((named(f"param.{name}", name.replace("_", " ")), text))
    return given


def _in_words(value: object) -> str:
    """Return a value as a reader understands it; "" for what is empty or built for programs."""
    if isinstance(value, bool):
        return t("param.yes") if value else ""
    if isinstance(value, list | tuple):
        text = ", ".join(filter(None, map(_in_words, value)))
    elif isinstance(value, int | float):
        text = f"{value:g}"
    elif isinstance(value, str):
        text = _place(value) if NODE_ID.fullmatch(value) else value.strip()
    else:
        return ""
    return short(text, PARAMETER_CHARACTERS + 1)


def _place(node_id: str) -> str:
    """Return where a node stands in place of its id."""
    if (stored := node(node_id)) is None:
        return t("param.gone")
    return " › ".join(dict.fromkeys([stored.document, *stored.path]))


def sources(cited: Sequence[Citation], *, label: str, turn: str = "", near: bool = False, key: str = "") -> None:
    """Draw the sources; each opens at its box: beside the conversation whose answer ``turn`` cites it, else alone.

    ``key`` tells several lists of one page apart that belong to no turn.
    Passages that only come ``near`` an answer look different from what one rests on, and tell more of themselves.
    """
    newest = {one.document_id: one.version for one in library().documents() if one.versions > 1}
    newer = _newer(cited, newest)
    data = {"rows": cards(cited, newest), "label": label, "turn": turn, "near": near, "newer": newer}
    _component(data, f"sources.{key or turn}")


def _newer(cited: Sequence[Citation], newest: Mapping[str, int]) -> list[list[str]]:
    """Return what is told of documents with a newer version than what is cited; none of those that are compared."""
    compared = {one.document_id for one in cited if one.version == newest.get(one.document_id)}
    older = (one for one in cited if one.version < newest.get(one.document_id, 0))
    return [
        [t("answer.outdated", name=one.document, version=newest[key]), t("versions.compare"),
         document_address(doc=key, compare=f"{one.version}..{newest[key]}")]
        for key, one in {one.document_id: one for one in older}.items() if key not in compared
    ]  # fmt: skip


def cards(cited: Sequence[Citation], versioned: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return what is shown of the sources; cells of one row, which say the same, are one card with several numbers."""
    found: dict[tuple[object, ...], dict[str, Any]] = {}
    cells: dict[tuple[object, ...], list[str]] = {}
    for source in cited:
        card = {
            "name": source.document,
            "place": _place_in(source, version=source.document_id in versioned),
            "section": " › ".join(source.section.split(" > ")),
            "said": " · ".join(filter(str.strip, source.snippet.split(" | "))),  # of a row its cells
            "lines": "\n" in source.snippet and (at := node(source.node_id)) is not None and at.node.role in _IN_LINES,
        }
        told = (source.node_id, *card.values())
        found.setdefault(told, {"n": [], "href": address_of(source), **card})["n"].append(source.n)
        if source.cell and page_kind(source.document) == "sheet":
            cells.setdefault(told, []).extend(source.cell.rpartition("!")[2].split(";"))
    for told, held in cells.items():
        span = ", ".join(held) if len(held) < _SPAN else f"{held[0]} … {held[-1]}"
        found[told]["place"] = " · ".join(filter(None, [found[told]["place"], span]))
    return list(found.values())


def _place_in(source: Citation, *, version: bool) -> str:
    of_several = t("answer.version", version=source.version) if version else ""
    page = t(f"answer.{page_kind(source.document)}", page=source.page) if source.page else ""
    return " · ".join(filter(None, [of_several, page]))


def place_of(source: Citation) -> dict[str, str]:
    """Return the query parameters that open the Document page at a source."""
    return document_place(
        doc=source.document_id, version=source.version, node=source.node_id, page=source.page, cell=source.cell,
        quote=" ".join(source.snippet.split())[:QUOTE_CHARACTERS],
    )  # fmt: skip


def address_of(source: Citation) -> str:
    """Return the address of a source, relative to any page."""
    return document_address(**place_of(source))
