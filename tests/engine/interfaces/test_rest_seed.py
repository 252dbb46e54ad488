"""The routes of seed 003, 7.1: its example requests bring its example fields."""

import json
import time

import pytest
from fastapi.testclient import TestClient
from sample_texts import REGULATIONS, REPORT
from served_library import rest_of

from engine.ingest import Source
from engine.library import Library

QUESTION = "How many foundries supply the chips?"


def client_of(library: Library, owner: str = "ann") -> TestClient:
    return TestClient(rest_of(lambda: library), base_url="http://localhost", headers={"x-owner": owner})


@pytest.fixture
def client(filled: Library) -> TestClient:
    return client_of(filled)


def test_files_are_uploaded_many_at_once_and_become_ready(tmp_path):
    with Library.open(tmp_path / "library") as library:
        client = client_of(library)
        files = [("files", ("report.md", REPORT.encode())), ("files", ("手册.md", REGULATIONS.encode()))]
        told = client.post("/api/documents/upload", files=files).json()
        assert told["success"]
        assert [(one["filename"], one["status"]) for one in told["documents"]] == [
            ("report.md", "processing"), ("手册.md", "processing"),
        ]  # fmt: skip
        for one in told["documents"]:
            deadline = time.monotonic() + 60
            while (state := client.get(f"/api/documents/{one['id']}").json())["status"] == "processing":
                assert time.monotonic() < deadline
                time.sleep(0.1)
            assert state["status"] == "ready" and state["filename"] == one["filename"]
        again = client.post("/api/documents/upload", files=files[:1]).json()["documents"]
        assert [one["status"] for one in again] == ["unchanged"]
        empty = client.post("/api/documents/upload", files=[("files", ("empty.md", b""))]).json()
        assert not empty["success"] and "empty" in empty["documents"][0]["error"]
        assert not list(library.folder.glob("upload-*"))
        gone = told["documents"][0]
        assert client.delete(f"/api/documents/{gone['id']}").status_code == 200
        assert [client.get(f"/api/documents/{gone[name]}").status_code for name in ("id", "filename")] == [404] * 2


def test_a_file_that_waits_behind_many_others_is_processing(filled):
    client = client_of(filled)  # no background: all stay in the queue
    files = [("files", (f"note {n}.md", f"# Note {n}\n".encode())) for n in range(130)]
    told = client.post("/api/documents/upload", files=files).json()["documents"]
    assert client.get(f"/api/documents/{told[0]['id']}").json()["status"] == "processing"
    page = client.get("/api/jobs", params={"limit": 50, "offset": 100}).json()
    assert (len(page["jobs"]), page["total"], page["next"]) == (30, 130, None)


def test_a_direct_answer_has_the_seeds_fields(client):
    body = {"question": QUESTION, "topic_filter": [], "version": None, "show_reasoning": False}
    answer = client.post("/api/qa/ask", json=body).json()
    assert answer["mode"] == "direct" and answer["answer"] and answer["reasoning_steps"] >= 1
    assert {"document_id", "document_name", "section", "snippet", "relevance"} <= set(answer["sources"][0])
    assert answer["sources"][0]["document_name"] == "report.md"
    assert answer["identified_topics"] == [] and answer["reasoning_trace"] == []


def test_an_answer_of_the_agent_has_the_seeds_fields_and_its_trace(client):
    body = {"question": QUESTION, "path": "agent", "max_iterations": 2, "show_reasoning": True}
    answer = client.post("/api/qa/ask", json=body).json()
    assert answer["mode"] == "agent" and answer["iterations"] >= 1
    assert answer["confidence"] in ("high", "medium", "low")
    steps = answer["reasoning_trace"]
    assert {"step", "type", "content"} <= set(steps[0]) and any(step["tool"] for step in steps)


def test_a_question_within_a_topic_and_a_version(client, filled):
    filled.embed_pending()
    filled.topics.refresh()
    topic = next(one for one in filled.topics.all() if len(one.documents) == 1)
    member = filled.document(topic.documents[0].document_id)
    answer = client.post("/api/qa/ask", json={"question": QUESTION, "topic_filter": [topic.topic_id]}).json()
    assert {source["document_id"] for source in answer["sources"]} <= {member.document_id}
    assert client.post("/api/qa/ask", json={"question": "x", "topic_filter": ["none"]}).status_code == 404
    assert client.post("/api/qa/ask", json={"question": QUESTION, "version": 9}).json()["answered"] is False


def test_a_conversation_goes_on_and_is_kept_for_its_owner_alone(client, filled):
    first = client.post("/api/qa/ask", json={"question": "When was the lighthouse built?"}).json()
    body = {
        "question": "And in 1900?", "conversation_id": first["conversation_id"], "show_reasoning": True,
    }  # fmt: skip
    second = client.post("/api/qa/ask", json=body).json()
    assert second["conversation_id"] == first["conversation_id"]
    queries = [step["params"].get("query", "") for step in second["reasoning_trace"] if step["params"]]
    assert any("lighthouse" in query and "1900" in query for query in queries)
    client.post("/api/qa/ask", json={"question": QUESTION})
    told = client.get("/api/qa/history", params={"limit": 1}).json()
    assert (told["total"], told["next"], len(told["history"])) == (2, 1, 1)
    name = first["conversation_id"]
    (kept,) = client.get("/api/qa/history", params={"conversation_id": name}).json()["history"]
    assert [message["role"] for message in kept["messages"]] == ["user", "assistant"] * 2
    assert kept["messages"][0]["text"] == "When was the lighthouse built?"
    other = client_of(filled, "bob")
    assert other.get("/api/qa/history").json()["history"] == []
    assert other.get("/api/qa/history", params={"conversation_id": name}).status_code == 404
    assert other.post("/api/qa/ask", json=body).status_code == 404


def test_an_answer_comes_as_server_sent_events(client):
    with client.stream("POST", "/api/qa/ask", json={"question": QUESTION, "stream": True}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        events = [
            (head.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
            for head, data in (event.split("\n") for event in response.read().decode().strip().split("\n\n"))
        ]
    names = [name for name, _ in events]
    assert names[-1] == "answer" and {"step", "token"} <= set(names)
    answer = events[-1][1]["answer"]
    assert answer["answered"] and answer["conversation_id"]


def test_topics_are_listed_looked_into_and_merged(client, filled):
    filled.embed_pending()
    filled.topics.refresh()
    told = client.get("/api/topics", params={"limit": 1}).json()
    assert len(told["topics"]) == 1 and told["next"] == 1 and told["total"] > 1
    everything = client.get("/api/topics").json()["topics"]
    first, second = everything[0], everything[1]
    detail = client.get(f"/api/topics/{first['topic_id']}").json()
    listed = client.get(f"/api/topics/{first['topic_id']}/documents").json()["documents"]
    assert detail["documents"] == listed and listed[0]["filename"] and listed[0]["confidence"] > 0
    merged = client.post("/api/topics/merge", json={"topic": first["name"], "other": second["name"]}).json()
    assert merged["total"] == told["total"] - 1


def test_a_document_and_a_topic_are_summarised(client, filled):
    filled.embed_pending()
    filled.topics.refresh()
    document = client.post("/api/qa/summarize", json={"document": "report.md"}).json()
    topic = client.post("/api/qa/summarize", json={"topic": filled.topics.all()[0].name}).json()
    assert document["summary"] and document["sources"] and topic["summary"]
    assert client.post("/api/qa/summarize", json={}).status_code == 400


def test_documents_are_listed_by_pages_and_looked_up_by_id_or_name(client):
    first = client.get("/api/documents", params={"limit": 1}).json()
    rest = client.get("/api/documents", params={"limit": 1, "offset": first["next"]}).json()
    assert (first["total"], rest["next"]) == (2, None)
    names = {one["filename"] for page in (first, rest) for one in page["documents"]}
    assert names == {"report.md", "手册.md"}
    by_name = client.get("/api/documents/手册.md").json()
    assert by_name == client.get(f"/api/documents/{by_name['id']}").json()
    assert client.get(f"/api/documents/{by_name['id']}/versions").json()["versions"][0]["version"] == 1
    assert client.post(f"/api/documents/{by_name['id']}/reindex").json()["documents"][0]["version"] == 1
    assert client.delete(f"/api/documents/{by_name['id']}").json()["removed"]
    assert client.get(f"/api/documents/{by_name['id']}").status_code == 404
    assert client.get("/api/documents", params={"limit": 0}).status_code == 400


def test_names_are_listed_with_what_is_said_of_each(library: Library):
    rows = (
        "Project,Head,Budget\nHarbour crane,Edda Varga,120000\nTide gauge,Ruben Aske,45000\nIce road,Edda Varga,98000\n"
    )
    library.add([Source("projects.csv", rows.encode())])
    library.topics.refresh()
    client = client_of(library)
    told = client.get("/api/names", params={"query": "crane"}).json()
    assert ([one["name"] for one in told["names"]], told["total"]) == (["Harbour crane"], 1)
    said = client.get("/api/names/Edda Varga").json()["statements"]
    assert {(one["subject"], one["value"], one["document"]) for one in said} >= {
        ("Harbour crane", "Edda Varga", "projects.csv")
    }
    assert client.get("/api/names/Nobody").json()["statements"] == []
