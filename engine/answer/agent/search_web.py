"""The web beside the documents: what was found on it, marked [W1], which no citation of a document ever is."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from engine.answer.agent.tools import Desk, Tool, ToolResult, told_tool
from engine.answer.phrases import ENGLISH, Phrases
from engine.answer.trace import AnswerTrace
from engine.model import Answer, WebSource
from engine.providers.web_search import WebSearch

SEARCH_WEB = "search_web"
MARKED = re.compile(r"\[W(\d{1,3})\]")


class FoundOnWeb:
    """What the web said while one question is answered: each place once, numbered from 1."""

    def __init__(self, search: WebSearch) -> None:
        self._search = search
        self.sources: list[WebSource] = []

    def find(self, query: str) -> list[WebSource]:
        """Return what the web says to a query, numbered. Raises ProviderError."""
        known = {one.url: one for one in self.sources}
        for one in self._search(query):
            known.setdefault(one.url, replace(one, n=len(known) + 1))
        new = [one for one in known.values() if one.n > len(self.sources)]
        self.sources += new
        return new


def web_tool(found: FoundOnWeb, phrases: Phrases = ENGLISH.tools) -> Tool:
    """Return the tool that searches the web."""

    def run(query: str) -> ToolResult:
        new = found.find(query)
        if not new:
            return ToolResult("0", phrases.nothing_found, "empty")
        return ToolResult(f"{len(new)}: {_sites(new)}", "\n".join(map(_block, new)))

    return told_tool(SEARCH_WEB, run)


def with_web(made: Answer, question: str, desk: Desk | None, trace: AnswerTrace) -> Answer:
    """Return an answer with the places of the web that it names; where the documents do not tell, look there."""
    if desk is None or desk.web is None:
        return made
    web = desk.web
    marks = {int(number) for number in MARKED.findall(made.answer)}
    if named := [one for one in web.sources if one.n in marks]:
        return replace(made, web_sources=named)
    if made.state == "answered":
        return made
    if not web.sources:
        trace.run(SEARCH_WEB, partial(web.find, question), list[WebSource]())
        told = trace.phrases.step_web.format(query=question)
        trace.step("action", told, SEARCH_WEB, {"query": question}, _sites(web.sources) or "0")
    return replace(made, web_sources=list(web.sources))


def host_of(source: WebSource) -> str:
    """Return the name of the site that a place is on."""
    return urlsplit(source.url).hostname or ""


def _sites(sources: Sequence[WebSource]) -> str:
    return ", ".join(dict.fromkeys(map(host_of, sources)))


def _block(source: WebSource) -> str:
    """Return a place as a model is shown it, in a block that it cannot close."""
    title, text = (part.replace("<", "‹").replace('"', "'") for part in (source.title, source.snippet))
    return f'<web n="W{source.n}" site="{host_of(source)}" title="{title}">\n{text}\n</web>'
