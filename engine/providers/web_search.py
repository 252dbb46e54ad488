"""Searching the web (seed 003, 6.2.6 and chapter 10): by an instance of SearXNG, or by Tavily, which asks for a key.

Both answer with ``{"results": [{"title", "url", "content"}]}``. What comes back was written by strangers: it is text to
show or to quote as theirs, cut short, and without square brackets, so that none of it looks like a mark of ours.
"""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ValidationError

from engine.config import Settings
from engine.errors import ProviderBusyError, ProviderError, ProviderUnavailableError
from engine.model import WebSource
from engine.providers.endpoint_address import shown_address
from engine.search_settings import WebSearchSettings

TAVILY = "https://api.tavily.com"
LONGEST_QUERY, LONGEST_TITLE, LONGEST_SNIPPET, LONGEST_ADDRESS = 400, 200, 500, 2000
_ROUND = str.maketrans("[]", "()")

# Returns what the web says to a query, the best first. Raises ProviderError.
WebSearch = Callable[[str], list[WebSource]]


class _Result(BaseModel):
    title: str | None = None
    url: str
    content: str | None = None


class _Results(BaseModel):
    results: list[_Result]


def open_web_search(settings: Settings) -> WebSearch | None:
    """Return the search that is set up, None where it is switched off or has no address or key."""
    chosen = settings.web_search
    if not settings.agent.enable_web_search or not chosen.configured:
        return None
    return lambda query: _search(chosen, " ".join(query.split())[:LONGEST_QUERY])


def _search(settings: WebSearchSettings, query: str) -> list[WebSource]:
    where = f"The web search {shown_address(settings.api_base) or shown_address(TAVILY)}"
    try:
        # A redirect would carry query and key to whoever is named there.
        with httpx.Client(timeout=settings.timeout, follow_redirects=False) as client:
            response = client.send(_request(client, settings, query))
    except httpx.TimeoutException as error:
        raise ProviderBusyError(f"{where} did not answer within {settings.timeout:g} s.") from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        raise ProviderUnavailableError(f"{where} cannot be reached. Check its address.") from error
    _refuse(response, settings, where)
    try:
        results = _Results.model_validate_json(response.content).results
    except ValidationError as error:
        raise ProviderError(f"{where} answered with something that is no list of results.") from error
    found: dict[str, WebSource] = {}
    for one in results:
        if host := _host(one.url):
            title = _line(one.title, LONGEST_TITLE) or host
            source = WebSource(0, title, one.url, _line(one.content, LONGEST_SNIPPET))
            found.setdefault(one.url, source)
    return [replace(one, n=n) for n, one in enumerate([*found.values()][: settings.max_results], 1)]


def _request(client: httpx.Client, settings: WebSearchSettings, query: str) -> httpx.Request:
    base = settings.api_base.rstrip("/").removesuffix("/search") or TAVILY
    headers = {"Accept": "application/json", "User-Agent": "DropQA"}
    if settings.api_key:
        headers["Authorization"] = f"Bearer {settings.api_key}"
    if settings.provider == "searxng":
        asked = {"q": query, "format": "json"}
        return client.build_request("GET", f"{base}/search", params=asked, headers=headers)
    body = {"query": query, "max_results": settings.max_results}
    return client.build_request("POST", f"{base}/search", json=body, headers=headers)


def _refuse(response: httpx.Response, settings: WebSearchSettings, where: str) -> None:
    """Raise ProviderError for everything but a success."""
    status = response.status_code
    if 300 <= status < 400:
        raise ProviderUnavailableError(f"{where} sends elsewhere, which is not followed. Enter its own address.")
    if status == 429:
        raise ProviderBusyError(f"{where} is asked too often (429). Try again in a while.")
    if status == 403 and settings.provider == "searxng":
        raise ProviderUnavailableError(f"{where} gives no JSON (403): add json to search.formats in its settings.yml.")
    if status in (401, 403):
        raise ProviderUnavailableError(f"{where} refused the key ({status}). Check web_search.api_key.")
    if status != 200:
        kind = ProviderBusyError if status >= 500 else ProviderUnavailableError
        raise kind(f"{where} answered with error {status}. Check its address and its account.")


def _host(url: str) -> str | None:
    """Return the host of a web address; None for what is none, or hides where it leads."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    named = parts.scheme in ("http", "https") and "@" not in parts.netloc
    shown = len(url) <= LONGEST_ADDRESS and url.isprintable() and " " not in url
    return parts.hostname if named and shown else None


def _line(text: str | None, most: int) -> str:
    line = " ".join("".join(one if one.isprintable() else " " for one in text or "").split()).translate(_ROUND)
    return line if len(line) <= most else f"{line[:most]}…"
