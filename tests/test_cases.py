"""Inputs that failed once: files that were misread, questions and replies of models that went wrong.

``tests/cases/EXPECT.jsonl`` has a line for each: the files, the question and the model's reply where there are any, and
what must stand in the text or the answer (``holds``, with ``|`` between spellings), what must not (``lacks``), and:

- ``checked``: the reply is false. It is marked, warned of or put aside.
- ``told``: what a warning says of the model.
- ``state``: ``told missing`` where the documents have no answer, ``refused`` where the question has no words.
- ``source``: the document that is cited first.
- ``reason``: why it still goes wrong; once it is right, the line has to go.
"""

import json
from pathlib import Path

import pytest

from engine.config import Settings
from engine.errors import UsageError
from engine.ingest import Source
from engine.library import Library
from engine.model import Filters
from tests.openai_server import OpenAiServer, Script, evidence_in, pieces

FOLDER = Path(__file__).parent / "cases"
CASES = [json.loads(line) for line in (FOLDER / "EXPECT.jsonl").read_text("utf-8").splitlines()]
LEAVE = "Employees are entitled to 27 days of annual leave [1]."


def whole(text):
    message = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return json.dumps({"choices": [message]}).encode()


def in_parts(text):
    chunks = [
        {"choices": [{"index": 0, "delta": {"content": [{"type": "text", "text": one}]}}]} for one in pieces(text)
    ]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in chunks) + b"data: [DONE]\n\n"


def without_system_role(body):
    if body["messages"][0]["role"] == "system":
        return Script(status=400, error={"message": "System role not supported"})
    return LEAVE


MODES = {
    "server mode listdelta": Script(raw=in_parts(LEAVE), content_type="text/event-stream"),
    "server mode json_for_stream": Script(raw=whole(LEAVE)),
    "server mode 400system": without_system_role,
    "server mode 200error": Script(raw=b'{"error": {"message": "model not loaded"}}'),
}


def prices():
    """A table so long that a question for its highest price is not to be waited for."""
    lines = [f"part {row},{row % 9990 / 10:.2f}" for row in range(60_000)]
    return Source("prices.csv", "\n".join(["part,price", *lines, "part x,999.50"]).encode())


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """A library with all the files; each question is asked of its own."""
    names = sorted({name for case in CASES for name in case["files"]} - {"prices.csv"})
    with Library.open(tmp_path_factory.mktemp("cases") / "library", background=False) as library:
        added = library.add([Source(name, FOLDER / name) for name in names])
        assert [one.error for one in added if one.status == "failed"] == []
        library.embed_pending()
        library.add([prices()])
        yield library


def text_of(library, case):
    trees = [library.tree(name) for name in case["files"]]
    return "\n".join(f"{node.title or ''}\n{node.text}" for tree in trees for node in tree.nodes)


def ask(library, case, path="auto"):
    wanted = tuple(library.document(name).document_id for name in case["files"])
    return library.ask(case["question"], filters=Filters(documents=wanted), path=path)


def by_model(library, case, server, monkeypatch):
    """Ask with the scripted model; its mark is of the passage that the question is about."""

    def reply(body):
        blocks = evidence_in(body)
        words = set(case["question"].lower().strip("?").split())
        best = max(range(len(blocks)), key=lambda number: len(words & set(blocks[number].lower().split())), default=0)
        return case["reply"].replace("[1]", f"[{best + 1}]")

    server.default = MODES.get(case["reply"], reply)
    changes = {"api_base": server.base_url, "api_key": server.key, "model": "scripted-1", "retries": 0}
    settings = Settings.model_validate({"llm": changes})
    monkeypatch.setattr(library, "_settings", settings)
    return ask(library, case, path="direct")


def expect(text, case):
    for held in case.get("holds", ()):
        assert any(one.lower() in text.lower() for one in held.split("|")), f"{held!r} is not in: {text[:600]}"
    for lacked in case.get("lacks", ()):
        assert lacked not in text, f"{lacked!r} is in: {text[:600]}"


def parameter(case):
    marks = [pytest.mark.xfail(reason=case["reason"], strict=True)] if "reason" in case else []
    return pytest.param(case, marks=marks, id=f"{case['case']}-{case['files'][0]}-{case.get('question', '')}")


@pytest.mark.parametrize("case", [parameter(case) for case in CASES])
def test_what_failed_once_is_right(case, everything, monkeypatch):
    library = everything
    if case.get("state") == "refused":
        with pytest.raises(UsageError, match="question"):
            ask(library, case)
    elif "question" not in case:
        expect(text_of(library, case), case)
    elif "reply" not in case:
        answer = ask(library, case)
        expect(answer.answer, case)
        assert answer.sources[0].document == case.get("source", answer.sources[0].document)
        assert case.get("state") != "told missing" or answer.state != "answered", answer.answer
    else:
        with OpenAiServer() as server:
            answer = by_model(library, case, server, monkeypatch)
        expect(answer.answer, case)
        warned = " ".join(answer.warnings)
        assert case.get("told", "") in warned
        if case.get("checked"):
            doubted = any(one.state in ("unverified", "contradicted") for one in answer.statements)
            assert doubted or answer.warnings or answer.engine == "extractive", answer.answer
