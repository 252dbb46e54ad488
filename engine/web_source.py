"""A page or file of the web as a source to add: fetched once, at somebody's wish, and kept like any other file.

A library that is shared fetches nothing from a network that is not public; another may be given such an address, but is
never sent on to one. The connection goes to the very address that was looked at, whatever the name says next.
"""

import ipaddress
import re
from contextlib import closing
from email.message import Message
from urllib.parse import unquote, urljoin, urlsplit

import httpx

from engine.errors import LimitExceededError, UnreadableFileError, UsageError
from engine.ingest import Source
from engine.providers.endpoint_address import numbers_of, public

MOST_REDIRECTS = 5
TIMEOUT_SECONDS = 20.0
NAME_CHARACTERS = 120
_ENDINGS = {"text/html": ".html", "application/xhtml+xml": ".html", "text/plain": ".txt", "application/pdf": ".pdf",
            "text/markdown": ".md", "text/csv": ".csv"}  # fmt: skip


def fetch(address: str, *, most_bytes: int, private: bool) -> Source:
    """Return what stands at an address as a source named after it, so that fetching it again gives a new version.

    ``private`` allows an address of this machine or a network that is not public. Raises UsageError for what is no web
    address, UnreadableFileError where nothing can be had, LimitExceededError for more than ``most_bytes``.
    """
    target = address.strip()
    with httpx.Client(timeout=TIMEOUT_SECONDS, trust_env=False, headers={"User-Agent": "DropQA"}) as client:
        for hop in range(MOST_REDIRECTS + 1):
            url, host = _checked(target)
            number = _number_of(host, private=private and hop == 0)
            pinned = url.copy_with(host=number)
            asked = client.build_request(
                "GET", pinned, headers={"Host": url.netloc.decode("ascii")}, extensions={"sni_hostname": host}
            )
            try:
                with closing(client.send(asked, stream=True)) as answer:
                    if answer.has_redirect_location:
                        target = urljoin(target, answer.headers["location"])
                        continue
                    return _source(url, answer, most_bytes)
            except httpx.HTTPError as error:
                raise UnreadableFileError(f"{host} cannot be reached. Check the address.") from error
    raise UnreadableFileError(f"{address} is sent on again and again. Give the address that it ends at.")


def _checked(address: str) -> tuple[httpx.URL, str]:
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise UsageError("A web address begins with http:// or https:// and names a host.")
    return url, url.raw_host.decode("ascii")


def _number_of(host: str, *, private: bool) -> str:
    """Return the number of a host to connect to. Raises UnreadableFileError."""
    try:
        numbers = numbers_of(host)
    except (OSError, ValueError) as error:
        raise UnreadableFileError(f"{host} cannot be reached. Check the address.") from error
    if not private and not all(map(public, numbers)):
        raise UnreadableFileError(f"{host} is in a network that is not public. Nothing is fetched from there.")
    return min(numbers, key=lambda number: ipaddress.ip_address(number).version)


def _source(url: httpx.URL, answer: httpx.Response, most_bytes: int) -> Source:
    if answer.status_code != 200:
        raise UnreadableFileError(f"{url.host} answered with {answer.status_code}. Check the address.")
    data = bytearray()
    for piece in answer.iter_bytes():
        data += piece
        if len(data) > most_bytes:
            raise LimitExceededError(f"{url.host} is larger than {most_bytes // 1_000_000} MB.")
    kind = Message()
    kind["content-type"] = answer.headers.get("content-type", "")
    return Source(name_of(str(url), kind.get_content_type()), bytes(data))


def name_of(address: str, media_type: str) -> str:
    """Return the name of an address in the library: its host and path, with the ending of what it is."""
    parts = urlsplit(address)
    path = "/".join(part for part in unquote(parts.path).split("/") if part not in ("", ".", ".."))
    named = "-".join(filter(None, (path, parts.query)))
    name = re.sub(r"[^\w./ -]+", "_", f"{parts.hostname}/{named or 'index'}")[:NAME_CHARACTERS].rstrip("/ .")
    ending = _ENDINGS.get(media_type, "")
    return name if not ending or name.lower().endswith((ending, ".htm")) else name + ending
