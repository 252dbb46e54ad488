"""A library of 1,000 documents in use: ``python benchmarks/sessions.py [FOLDER] [--sessions 20] [--seconds 90]``.

First one visitor with a real Chromium: the time until each page can be used, opened by its address and by a click
in the navigation, and the time of a rerun. Then many sessions at once, each a websocket client that speaks
Streamlit's own protocol (20 Chromiums would measure themselves): they switch pages, think, ask, and follow what
runs, while files are being added. FOLDER keeps the library (see ``large_library.py``). Beside wall time the processor
time of the server is told, for machines that have other things to do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psutil
from large_library import fill, name_of, tree_of
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from engine.evaluate.metrics import percentile
from engine.interfaces.identity import OWNER_COOKIE as COOKIE
from engine.interfaces.identity import new_token
from engine.model import document_id_for
from tests.browser.conftest import ARGUMENTS, chromium_path
from tests.browser.visitor import App

# What is there when a page can be used, by page.
MARKS = {
    "dashboard": "a.name", "documents": "a.name", "topics": "main li a", "chat": "textarea:enabled",
    "retrieval_lab": "main input", "evaluation": "main h1", "settings": "main input", "document": "[role=treeitem]",
}  # fmt: skip
# What a click makes a page draw anew; the first two of them, in turn.
BUTTONS = {"documents": "[data-testid=stPaginationPage]", "document": "[role=treeitem] .title"}
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
RERUNS = 8
QUESTIONS = (
    "How many cases of pump inspection were recorded at Northfield?", "Who signs the form for fire protection?",
    "Why did the cost of staff training rise?", "水泵检修由谁签字确认？", "2015年能源消耗的费用为什么增加？",
    "When is unit 7 checked for noise control?",
)  # fmt: skip
ASK_SHARE, THINK_SECONDS, PATIENCE_SECONDS = 0.2, (2.0, 6.0), 120.0


def main() -> None:
    """Build what is missing, start the app and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=90.0)
    parser.add_argument("--one", action="store_true", help="only the part with one visitor")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary) / "library"
        fill(folder, options.documents)
        app = App(folder.absolute())
        app.start()
        try:
            server = Server(app)
            _one_visitor(app, server)
            asyncio.run(_reruns(app, server))
            if not options.one:
                asyncio.run(_many(app, server, options.sessions, options.seconds, options.documents))
        finally:
            app.stop()


class Server:
    """The processor time and memory of the app's process and its children."""

    def __init__(self, app: App) -> None:
        assert app.process is not None
        self._process = psutil.Process(app.process.pid)

    def cpu(self) -> float:
        """Return the seconds of processor time that the process itself has used, without its children."""
        times = self._process.cpu_times()
        return float(times.user + times.system)

    def memory(self) -> tuple[float, float]:
        """Return the megabytes of the process, and of its children."""
        children = 0
        for child in self._process.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                children += child.memory_info().rss
        return self._process.memory_info().rss / 1e6, children / 1e6


# --- one visitor -------------------------------------------------------------------------------------


def _one_visitor(app: App, server: Server) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        page = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-US").new_page()
        page.set_default_timeout(PATIENCE_SECONDS * 1000)
        page.goto(f"{app.url}/dashboard")  # the first start compiles and warms up
        page.locator(f"{IDLE} {MARKS['dashboard']}").first.wait_for()
        time.sleep(8)
        reruns: list[float] = []
        for name, mark in MARKS.items():
            address = f"{name}?{_query(name, 0)}"
            with _taken(server) as opened:
                page.goto(f"{app.url}/{address}", wait_until="commit")
                page.locator(f"{IDLE} {mark}").first.wait_for()
            with _taken(server) as switched:
                if name == "document":
                    switched["ms"] = None
                else:
                    _away_and_back(page, name, mark, switched)
            figures = {
                "page": name, "open_ms": opened["ms"], "open_cpu_ms": opened["cpu_ms"], "switch_ms": switched["ms"],
            }  # fmt: skip
            if name in BUTTONS:
                buttons = page.locator(BUTTONS[name])
                with _taken(server) as all_of_them:
                    own = [_rerun(page, buttons.nth(number % 2)) for number in range(1, RERUNS + 1)]
                figures |= {"rerun_p50_ms": round(percentile(own, 0.5)), "rerun_p95_ms": round(max(own))}
                figures |= {"rerun_cpu_ms": round(all_of_them["cpu_ms"] / RERUNS)}
                reruns += own
            print(json.dumps(figures), flush=True)
        browser.close()
    memory, children = server.memory()
    print(json.dumps({
        "reruns": len(reruns), "p50_ms": round(percentile(reruns, 0.5)), "p95_ms": round(percentile(reruns, 0.95)),
        "server_mb": round(memory), "its_children_mb": round(children),
    }), flush=True)  # fmt: skip


@contextmanager
def _taken(server: Server) -> Iterator[dict[str, Any]]:
    """Note the milliseconds that the block took, and the server's processor time."""
    figures: dict[str, Any] = {}
    started, used = time.perf_counter(), server.cpu()
    yield figures
    figures.setdefault("ms", round(1000 * (time.perf_counter() - started)))
    figures["cpu_ms"] = round(1000 * (server.cpu() - used))


def _away_and_back(page: Any, name: str, mark: str, figures: dict[str, Any]) -> None:
    other = "settings" if name != "settings" else "chat"
    links = page.get_by_test_id("stSidebarNavLink")
    links.and_(page.locator(f"[href$='/{other}']")).click()
    page.locator(f"{IDLE} {MARKS[other]}").first.wait_for()
    page.wait_for_timeout(300)
    started = time.perf_counter()
    links.and_(page.locator(f"[href$='/{name}']")).click()
    page.wait_for_url(f"**/{name}")
    page.locator(f"{IDLE} {mark}").first.wait_for()
    figures["ms"] = round(1000 * (time.perf_counter() - started))


def _rerun(page: Any, button: Any) -> float:
    """Return the milliseconds from a click until the page is drawn anew, as the page itself sees them."""
    page.wait_for_timeout(150)
    page.evaluate("""() => {
      const app = document.querySelector('[data-testid=stApp]');
      window.rerun = new Promise((resolve, reject) => {
        let from = 0, ran = false;
        document.addEventListener('click', () => { from = performance.now(); }, { capture: true, once: true });
        const watch = new MutationObserver(() => {
          if (app.getAttribute('data-test-script-state') === 'running') ran = true;
          else if (ran) { watch.disconnect(); resolve(performance.now() - from); }
        });
        watch.observe(app, { attributes: true });
        setTimeout(() => reject(new Error('the page was not drawn anew')), 60000);
      });
    }""")
    button.click()
    return float(page.evaluate("() => window.rerun"))


# --- sessions without a browser ----------------------------------------------------------------------


async def _reruns(app: App, server: Server) -> None:
    """Print what a rerun of each page takes, without a browser that draws it."""
    found: list[float] = []
    async with _session(app) as session:
        for name in MARKS:
            await session.visit(name, _query(name, 0))
            own = []
            with _taken(server) as all_of_them:
                for _ in range(RERUNS):
                    own.append(1000 * await session.again())  # noqa: PERF401
            found += own
            print(json.dumps({
                "page": name, "rerun_p50_ms": round(percentile(own, 0.5)), "rerun_max_ms": round(max(own)),
                "rerun_cpu_ms": round(all_of_them["cpu_ms"] / RERUNS), "problems": session.problems[:3],
            }), flush=True)  # fmt: skip
    print(json.dumps({"reruns": len(found), "p95_ms": round(percentile(found, 0.95))}), flush=True)


def _query(name: str, number: int) -> str:
    return f"doc={quote(document_id_for(name_of(number)))}" if name == "document" else ""


@asynccontextmanager
async def _session(app: App, language: str = "en-US") -> AsyncIterator[Session]:
    headers = {"Cookie": f"{COOKIE}={new_token()}", "Accept-Language": language}
    address = f"ws://127.0.0.1:{app.port}/_stcore/stream"
    async with connect(
        address,
        subprotocols=[Subprotocol("streamlit")],
        additional_headers=headers,
        max_size=None,
        ping_interval=None,
    ) as one:
        session = Session(one)
        yield session
        await session.close()


class Session:
    """A visitor without a browser: a connection of its own, with a cookie of its own."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._page_hash = ""
        self._query = ""
        self._chat_input = ""
        self._timers: dict[str, asyncio.Task[None]] = {}
        self._ended: asyncio.Queue[int] = asyncio.Queue()
        self._reader = asyncio.create_task(self._read())
        self.problems: list[str] = []
        self.follow_ups = 0

    async def visit(self, name: str, query: str = "") -> float:
        """Go to a page; return the seconds until it was all there."""
        self._still()
        self._query = query
        return await self._run(page_name=name, query_string=query)

    async def ask(self, question: str) -> float:
        """Ask in a new conversation; return the seconds until the answer was all there."""
        await self.visit("chat")
        self._still()
        widget = {"id": self._chat_input, "chat_input_value": {"data": question}}
        return await self._run(page_script_hash=self._page_hash, widget_states={"widgets": [widget]})

    async def again(self) -> float:
        """Have the page drawn anew; return the seconds until it was all there."""
        self._still()
        return await self._run(page_script_hash=self._page_hash, query_string=self._query)

    async def close(self) -> None:
        """Leave."""
        self._still()
        self._reader.cancel()
        await self._connection.close()

    def _still(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    async def _run(self, **state: Any) -> float:
        while not self._ended.empty():  # of runs that a fragment has begun
            self._ended.get_nowait()
        started = time.perf_counter()
        await self._send(state)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self._ended.get() != 0:  # 2: a part of a page's way to another one
                pass
        return time.perf_counter() - started

    async def _send(self, state: dict[str, Any]) -> None:
        from google.protobuf.json_format import ParseDict
        from streamlit.proto.BackMsg_pb2 import BackMsg

        await self._connection.send(ParseDict({"rerun_script": state}, BackMsg()).SerializeToString())

    async def _read(self) -> None:
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        try:
            async for data in self._connection:
                message = ForwardMsg()
                message.ParseFromString(data if isinstance(data, bytes) else data.encode())
                self._take(message)
        except ConnectionClosed as error:
            self.problems.append(f"the connection was closed: {error}")
            self._ended.put_nowait(0)

    def _take(self, message: Any) -> None:
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self._page_hash = message.navigation.page_script_hash
        elif kind == "new_session" and not message.metadata.run.fragment_ids:
            self._still()  # as the browser does: what is drawn anew brings its own timers
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                if timer := self._timers.pop(fragment, None):
                    timer.cancel()
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.WhichOneof("type") == "exception":
                self.problems.append(f"{element.exception.type}: {element.exception.message}")
            elif element.WhichOneof("type") == "chat_input" and "chat.input" in element.chat_input.id:
                self._chat_input = element.chat_input.id
        elif kind == "auto_rerun":
            fragment = message.auto_rerun.fragment_id
            if timer := self._timers.pop(fragment, None):
                timer.cancel()
            again = self._again(fragment, message.auto_rerun.interval)
            self._timers[fragment] = asyncio.create_task(again)
        elif kind == "script_finished" and message.script_finished in (0, 1, 2):
            self._ended.put_nowait(0 if message.script_finished == 1 else message.script_finished)
            if message.script_finished == 1:
                self.problems.append("a page did not compile")

    async def _again(self, fragment: str, interval: float) -> None:
        """Ask for what follows the work in progress, as often as a browser would."""
        while True:
            await asyncio.sleep(interval)
            self.follow_ups += 1
            await self._send({"page_script_hash": self._page_hash, "fragment_id": fragment, "is_auto_rerun": True})


async def _many(app: App, server: Server, count: int, seconds: float, documents: int) -> None:
    switches: list[float] = []
    answers: list[float] = []
    problems: list[str] = []
    added: list[float] = []
    done = threading.Event()
    ingest = threading.Thread(target=_add_files, args=(app, documents, added, problems, done))
    used, started, memory = server.cpu(), time.monotonic(), server.memory()[0]
    ingest.start()
    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(_live(app, number, documents, seconds, switches, answers, problems))
        while time.monotonic() - started < seconds:
            memory = max(memory, server.memory()[0])
            await asyncio.sleep(1)
    done.set()
    await asyncio.to_thread(ingest.join)
    problems += [line for line in app.log().splitlines() if "Traceback" in line]
    print(json.dumps({
        "sessions": count, "switches": len(switches), "switch_p50_ms": round(1000 * percentile(switches, 0.5)),
        "switch_p95_ms": round(1000 * percentile(switches, 0.95)), "questions": len(answers),
        "answer_p50_ms": round(1000 * percentile(answers, 0.5)),
        "answer_p95_ms": round(1000 * percentile(answers, 0.95)), "files_added": len(added),
        "errors": problems[:5], "server_mb": round(memory),
        "its_children_mb": round(server.memory()[1]), "seconds": round(time.monotonic() - started),
        "server_cpu_s": round(server.cpu() - used, 1),
    }), flush=True)  # fmt: skip


async def _live(
    app: App, number: int, documents: int, seconds: float, switches: list[float], answers: list[float],
    problems: list[str],
) -> None:  # fmt: skip
    """Be one visitor for a while."""
    chance = random.Random(number)
    end = time.monotonic() + seconds
    await asyncio.sleep(chance.uniform(0, THINK_SECONDS[1]))
    async with _session(app, chance.choice(("en-US", "zh-CN"))) as session:
        await session.visit("dashboard")
        while time.monotonic() < end:
            await asyncio.sleep(chance.uniform(*THINK_SECONDS))
            try:
                if chance.random() < ASK_SHARE:
                    answers.append(await session.ask(chance.choice(QUESTIONS)))
                else:
                    name = chance.choice(list(MARKS))
                    switches.append(await session.visit(name, _query(name, chance.randrange(documents))))
            except TimeoutError:
                problems.append("a page did not come in time")
        problems += session.problems


def _add_files(app: App, first: int, added: list[float], problems: list[str], done: threading.Event) -> None:
    """Add one file after the other, as a user does who drops a folder."""
    number = first + int(time.time()) % 10**6
    while not done.is_set():
        number += 1
        text = tree_of(number, f"inbox {number}.md")[1]
        started = time.monotonic()
        try:
            files = {"files": (f"inbox {number}.md", text)}
            answer = httpx.post(f"{app.url}/api/documents/upload", files=files, timeout=300)
            taken = answer.json()["documents"][0] if answer.status_code < 400 else {"status": "failed"}
            while taken["status"] == "processing":
                time.sleep(0.1)
                taken = httpx.get(f"{app.url}/api/documents/{taken['id']}", timeout=300).json()
            if taken["status"] == "failed":
                problems.append(f"a file was not added: {answer.text[:200]}")
        except httpx.HTTPError as error:
            problems.append(f"a file was not added: {error!r}")
        added.append(time.monotonic() - started)


if __name__ == "__main__":
    main()
