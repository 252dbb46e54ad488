"""REST is what its OpenAPI description says: every route, called by its own examples, answers in its own schema."""

import json

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator
from sample_texts import REPORT
from served_library import rest_of

from engine.ingest import Source
from engine.interfaces.request_id import RequestId
from engine.library import Library

# What makes things comes before what takes them away.
ORDER = ("put", "post", "get", "patch", "delete")
LEAVES = ("merge_topics", "remove")


@pytest.fixture
def client(filled: Library, make_pdf) -> TestClient:
    pdf = make_pdf([[(20, "Title"), (11, "Some text of the page.")]])
    filled.add([Source("pages.pdf", pdf), Source("report.md", (REPORT + "\n\nOne more line.\n").encode())])
    filled.embed_pending()
    filled.topics.refresh()
    assert len(filled.topics.all()) > 1
    app = rest_of(lambda: filled)
    app.add_middleware(RequestId)
    return TestClient(app, base_url="http://localhost")


def closed(schema):
    """The schema without room for what it does not name."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(one) for name, one in schema.items()}
    return {"additionalProperties": False} | made if "properties" in made else made


def example_of(operation, topics):
    """The path and query of an example call, as the description gives them."""
    in_path, query = {}, {}
    for one in operation.get("parameters", ()):
        values = one["schema"].get("examples")
        if one["in"] == "path":
            in_path[one["name"]] = topics[0] if "topics" in operation["tags"] else values[0]
        elif one["required"]:
            query[one["name"]] = values[0]
    if operation["operationId"] == "page":
        query["document"] = "pages.pdf"
    return in_path, query


def body_of(operation, description, topics):
    content = operation.get("requestBody", {}).get("content", {})
    if "multipart/form-data" in content:
        return {"files": [("files", ("new.md", b"# New\n")), ("files", ("新.md", "# 新\n".encode()))]}
    if "application/octet-stream" in content:
        return {"content": content["application/octet-stream"]["example"].encode()}
    if "application/json" not in content:
        return {}
    name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
    (example,) = description["components"]["schemas"][name]["examples"]
    return {"json": dict(zip(("topic", "other"), topics, strict=False)) if name == "MergeBody" else example}


def test_every_route_called_by_its_example_answers_in_its_own_schema(client: TestClient):
    description = client.get("/api/openapi.json").json()
    schemas = {"components": closed(description["components"])}
    topics = [one["name"] for one in client.get("/api/topics").json()["topics"]]
    calls = [
        (path, method, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(calls) > 20
    calls.sort(key=lambda call: (call[2]["operationId"] in LEAVES, ORDER.index(call[1])))
    for path, method, operation in calls:
        in_path, query = example_of(operation, topics)
        answer = client.request(
            method, f"/api{path.format(**in_path)}", params=query, **body_of(operation, description, topics)
        )
        assert answer.status_code == 200, (path, answer.text)
        content = operation["responses"]["200"]["content"]
        kind = answer.headers["content-type"]
        assert kind in content, path
        if kind == "application/json":
            validator = Draft202012Validator(closed(content[kind]["schema"]) | schemas)
            problems = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(answer.json())]
            assert not problems, (path, problems)


def test_every_route_says_what_it_does_and_every_body_has_an_example(client: TestClient):
    description = client.get("/api/openapi.json").json()
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), (method, path)
            for kind, content in operation.get("requestBody", {}).get("content", {}).items():
                name = content["schema"].get("$ref", "").rpartition("/")[2]
                assert "example" in content or description["components"]["schemas"][name]["examples"], (
                    kind,
                    path,
                )


@pytest.mark.parametrize(
    ("method", "path", "status", "kind"),
    [
        ("GET", "/nothing", 404, "UsageError"), ("GET", "/documents/none.md", 404, "NotFoundError"),
        ("PATCH", "/search", 405, "UsageError"), ("POST", "/search", 422, "UsageError"),
        ("GET", "/tree?document=x&version=0", 400, "UsageError"),
    ],
)  # fmt: skip
def test_errors_have_the_one_shape_with_what_to_do_and_the_id_of_the_request(client, method, path, status, kind):
    answer = client.request(method, f"/api{path}", headers={"X-Request-ID": "mine-1"})
    told = answer.json()
    assert (answer.status_code, told["error"]["type"], told["request_id"]) == (status, kind, "mine-1")
    assert set(told["error"]) == {"type", "message", "fix"} and all(told["error"].values())
    assert answer.headers["x-request-id"] == "mine-1"
    schema = client.get("/api/openapi.json").json()["components"]["schemas"]["Problem"]
    assert set(schema["properties"]) == set(told)


def test_an_id_that_no_id_is_like_is_replaced(client):
    made = client.get("/api/health", headers={"X-Request-ID": 'a b"{}'}).headers["x-request-id"]
    assert made.isalnum() and json.dumps(made) == f'"{made}"'
