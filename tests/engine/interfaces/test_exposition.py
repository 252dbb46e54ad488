"""What a monitor sees of the running app: figures that Prometheus reads, and a log with the id of each request."""

import io
import json
import logging
import time

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from engine.config import AccessSettings, OwnModelSettings
from engine.interfaces import logs
from engine.interfaces.login import hash_password
from engine.library import Library
from engine.settings_sources import load_settings

QUESTION = {"question": "How many foundries supply the chips?"}


def figures(address):
    answer = httpx.get(f"{address}/metrics")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def total(counted, name, **labels):
    return sum(
        value for (one, *given), value in counted.items() if one == name and labels.items() <= dict(given).items()
    )


def test_requests_answers_stages_and_the_library_are_counted(filled, serve):
    address = serve(filled)
    before = figures(address)
    assert httpx.post(f"{address}/api/ask", json=QUESTION, timeout=60).json()["answered"]
    assert httpx.get(f"{address}/api/nothing").status_code == 404
    after = figures(address)

    def more(name, **labels):
        return total(after, name, **labels) - total(before, name, **labels)

    assert more("dropqa_answers_total", outcome="answered", mode="direct", engine="extractive") == 1
    assert more("dropqa_stage_seconds_count", stage="retrieve") == 1
    assert more("dropqa_cache_lookups_total", cache="readings") > 0
    assert httpx.post(f"{address}/api/ask", json=QUESTION, timeout=60).json()["answered"]
    again = figures(address)
    assert total(again, "dropqa_cache_lookups_total", cache="readings", found="yes") > total(
        after, "dropqa_cache_lookups_total", cache="readings", found="yes"
    )
    assert more("dropqa_requests_total", door="api", method="POST", status="200") == 1
    assert more("dropqa_requests_total", door="api", status="404") == 1
    assert more("dropqa_request_seconds_count", door="api") == 2
    assert after[("dropqa_documents",)] == 2 and after[("dropqa_nodes",)] > 2
    assert after[("dropqa_vectors",)] == 0 and after[("dropqa_vectors_wanted",)] > 0
    assert total(after, "dropqa_library_bytes") > 1000


def test_work_that_waits_is_counted_by_kind_and_state(filled, serve):
    address = serve(filled)
    httpx.post(f"{address}/api/documents/upload", files=[("files", ("new.md", b"# New\n"))])
    assert total(figures(address), "dropqa_jobs", kind="ingest", state="queued") == 1


def test_figures_are_for_who_may_come_in(filled, serve, monkeypatch):
    assert httpx.get(f"{serve(filled)}/metrics", headers={"host": "rebound.example"}).status_code == 403
    closed = {"access": AccessSettings(password_hash=hash_password("correct horse"))}
    monkeypatch.setattr(filled, "_settings", filled.settings.model_copy(update=closed))
    address = serve(filled)
    assert httpx.get(f"{address}/metrics").status_code == 401
    assert httpx.get(f"{address}/healthz").json() == {"ok": True}


@pytest.fixture
def lines(filled):
    """What is logged from INFO on, as the app writes it with a key set up."""
    root, kept = (
        logging.getLogger(),
        {name: logging.getLogger(name).level for name in ("engine", "storage", "pages", "asgi")},
    )
    handlers, level, stream = list(root.handlers), root.level, io.StringIO()
    told = filled.settings.model_copy(
        update={
            "logging": filled.settings.logging.model_copy(update={"format": "json", "level": "INFO"}),
            "llm": filled.settings.llm.model_copy(update={"api_key": "sk-secret"}),
            "endpoints": {"other": OwnModelSettings(api_base="http://other/v1", api_key="of-another")},
        }
    )
    logs.configure(told, stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:], root.level = handlers, level
    for name, before in kept.items():
        logging.getLogger(name).setLevel(before)


def line_of(lines, message):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if found := [line for line in lines() if line["message"] == message]:
            return found[0]
        time.sleep(0.02)
    raise AssertionError(f"no line {message!r} in {lines()}")


@pytest.mark.parametrize("path", ["/api/ask", "/api/qa/ask"])
def test_every_line_of_a_request_has_its_id_and_none_tells_a_document(filled, serve, lines, path):
    body = QUESTION | {"stream": path == "/api/qa/ask"}
    httpx.post(f"{serve(filled)}{path}", json=body, headers={"X-Request-ID": "mine-1"}, timeout=60)
    request = line_of(lines, "Request answered")  # written once the answer is sent
    answered = line_of(lines, "Question answered")
    assert request["request_id"] == answered["request_id"] == "mine-1"
    assert answered["outcome"] == "answered" and answered["stages_ms"]["retrieve"] > 0
    assert request["status"] == 200 and request["door"] == "api"
    assert "foundries" not in json.dumps(lines())


def test_an_unforeseen_error_tells_its_kind_and_code_but_not_its_words_and_no_key(filled, serve, lines, monkeypatch):
    words = "The revenue of 2023 was 412 million dollars"

    def fails(*_, **__):
        logging.getLogger("engine.test").warning("asked with %s, %s", "sk-secret", "of-another")
        raise RuntimeError(words)

    monkeypatch.setattr(filled, "ask", fails)
    assert httpx.post(f"{serve(filled)}/api/ask", json=QUESTION).status_code == 500
    failed = next(line for line in lines() if "exception" in line)
    assert failed["exception"] == "RuntimeError" and "fails" in failed["traceback"] and failed["request_id"]
    told = json.dumps(lines())
    assert not [one for one in ("412 million", "sk-secret", "of-another") if one in told] and "asked with" in told


def test_lines_of_text_hold_the_same():
    record = logging.LogRecord("engine", logging.INFO, "", 0, "Read %s", ("a.md",), None)
    record.status = 200
    line = logs.Lines(as_json=False).format(record)
    assert line.endswith("INFO engine: Read a.md status=200")


def test_it_is_ready_while_the_library_is_open_and_its_queue_moves(tmp_path, serve):
    with Library.open(tmp_path / "library", settings=load_settings(environ={})) as library:
        address = serve(library)
        assert httpx.get(f"{address}/readyz").json() == {"ready": True}
        library.end_work()
        stopping = httpx.get(f"{address}/readyz")
        assert (stopping.status_code, stopping.json()["ready"]) == (503, False)
        assert httpx.get(f"{address}/healthz").json() == {"ok": True}


@pytest.mark.parametrize(("method", "path", "status"), [("DELETE", "/healthz", 405), ("GET", "/nowhere", 404)])
def test_what_no_door_takes_is_refused_in_the_one_shape_of_errors(filled, serve, method, path, status):
    answer = httpx.request(method, f"{serve(filled)}{path}", headers={"x-request-id": "mine-1"})
    told = answer.json()
    assert answer.status_code == status and told["error"]["fix"] and told["request_id"] == "mine-1"
