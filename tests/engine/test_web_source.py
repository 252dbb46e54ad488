"""Pages of the web as sources, from a real server on this machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from engine.errors import LimitExceededError, UnreadableFileError, UsageError
from engine.web_source import fetch, name_of

PAGE = b"<html><body><h1>Tides</h1><p>The spring tide rises four metres.</p></body></html>"
MEGABYTE = 1_000_000


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        host = self.headers["Host"]
        if self.path.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", f"http://{host}/guide/tides?lang=en")
            self.end_headers()
            return
        found = self.path.startswith("/guide")
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE if found else b"")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(name="site", scope="module")
def served() -> Iterator[str]:
    with site() as address:
        yield address


@contextmanager
def site() -> Iterator[str]:
    """Serve a small site on this machine and give its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def test_a_page_is_named_after_its_address_and_kept_as_it_came(site: str):
    source = fetch(f" {site}/guide/tides?lang=en ", most_bytes=MEGABYTE, private=True)
    assert (source.name, source.data) == ("localhost/guide/tides-lang_en.html", PAGE)


def test_nothing_is_fetched_from_a_private_network_for_a_shared_library(site: str):
    for address in (f"{site}/guide", "http://[::1]/", "http://169.254.169.254/latest", "http://0x7f000001/"):
        with pytest.raises(UnreadableFileError, match="not public"):
            fetch(address, most_bytes=MEGABYTE, private=False)


def test_a_redirect_never_leads_into_a_private_network(site: str):
    with pytest.raises(UnreadableFileError, match="not public"):
        fetch(f"{site}/away", most_bytes=MEGABYTE, private=True)


def test_what_cannot_be_had_is_told(site: str):
    with pytest.raises(UnreadableFileError, match="404"):
        fetch(f"{site}/nowhere", most_bytes=MEGABYTE, private=True)
    with pytest.raises(LimitExceededError):
        fetch(f"{site}/guide", most_bytes=10, private=True)
    with pytest.raises(UnreadableFileError, match="cannot be reached"):
        fetch("http://no-such-host.invalid/", most_bytes=10, private=True)


@pytest.mark.parametrize("address", ["", "example.org", "file:///etc/passwd", "http://", "http://a:b@example.org/"])
def test_what_is_no_web_address_is_refused(address: str):
    with pytest.raises(UsageError, match="begins with http"):
        fetch(address, most_bytes=10, private=True)


def test_names_stay_within_the_library_and_tell_what_a_file_is():
    assert name_of("https://example.org/../../etc/passwd", "text/plain") == "example.org/etc/passwd.txt"
    assert name_of("https://example.org/法律/公司法.pdf", "application/pdf") == "example.org/法律/公司法.pdf"
    assert name_of("https://example.org", "text/html") == "example.org/index.html"
    assert len(name_of("https://example.org/" + "x" * 900, "text/html")) < 140
