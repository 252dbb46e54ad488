"""Inputs that failed once: files that were misread, questions and replies of models that went wrong.

``tests/cases/EXPECT.jsonl`` has a line for each: the files, the question and the model's reply where there are any, and
what must stand in the text or the answer (``holds``, with ``|`` between spellings), what must not (``lacks``), and:

- ``checked``: the reply is false. It is marked, warned of or put aside.
- ``told``: what a warning says of the model.
- ``state``: ``told missing`` where the documents have no answer, ``refused`` where the question has no words.
"""

import json
from pathlib import Path

import pytest

from engine.config import Settings
from engine.errors import UsageError
from engine.ingest import Source
from engine.library import Library
from tests.openai_server import OpenAiServer, Script, evidence_in, pieces

FOLDER = Path(__file__).parent / "cases"
CASES = [json.loads(line) for line in (FOLDER / "EXPECT.jsonl").read_text("utf-8").splitlines()]
LEAVE = "Employees are entitled to 27 days of annual leave [1]."


def whole(text):
    message = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return json.dumps({"choices": [message]}).encode()


def in_parts(text):
    chunks = [{"choices": [{"index": 0, "delta": {"content": [{"type": "text", "text": one}]}}]} for one in pieces(text)]
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


def sources(case):
    if "rows" in case:
        lines = [f"part {row},{row % 9990 / 10:.2f}" for row in range(case["rows"] - 1)]
        return [Source("prices.csv", "\n".join(["part,price", *lines, "part x,999.50"]).encode())]
    return [Source(name, FOLDER / name) for name in case["files"]]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Give a library for each set of files, read once."""
    libraries = {}

    def library_of(case):
        key = json.dumps([case["files"], case.get("rows")])
        if key not in libraries:
            library = Library.open(tmp_path_factory.mktemp("cases") / "library", background=False)
            assert [one.error for one in library.add(sources(case)) if one.status == "failed"] == []
            if "rows" not in case:
                library.embed_pending()
            libraries[key] = library
        return libraries[key]

    yield library_of
    for library in libraries.values():
        library.close()


def text_of(library):
    trees = [library.tree(document.document_id) for document in library.documents()]
    return "\n".join(f"{node.title or ''}\n{node.text}" for tree in trees for node in tree.nodes)


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
    return library.ask(case["question"], path="direct")


def expect(text, case):
    for held in case.get("holds", ()):
        assert any(one.lower() in text.lower() for one in held.split("|")), f"{held!r} is not in: {text[:600]}"
    for lacked in case.get("lacks", ()):
        assert lacked not in text, f"{lacked!r} is in: {text[:600]}"


def parameter(case):
    marks = [pytest.mark.xfail(reason=case["reason"], strict=True)] if "reason" in case else []
    return pytest.param(case, marks=marks, id=f"{case['case']}-{case.get('question') or case['files'][0]}")


@pytest.mark.parametrize("case", [parameter(case) for case in CASES])
def test_what_failed_once_is_right(case, opened, monkeypatch):
    library = opened(case)
    if case.get("state") == "refused":
        with pytest.raises(UsageError, match="words|question"):
            library.ask(case["question"])
    elif "question" not in case:
        expect(text_of(library), case)
    elif "reply" not in case:
        answer = library.ask(case["question"])
        expect(answer.answer, case)
        assert (answer.state != "answered") == (case.get("state") == "told missing"), answer.answer
    else:
        with OpenAiServer() as server:
            answer = by_model(library, case, server, monkeypatch)
        expect(answer.answer, case)
        warned = " ".join(answer.warnings)
        assert case.get("told", "") in warned
        if case.get("checked"):
            doubted = any(one.state in ("unverified", "contradicted") for one in answer.statements)
            assert doubted or answer.warnings or answer.engine == "extractive", answer.answer
