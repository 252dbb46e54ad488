"""The command line: JSON to the letter, exit codes, one sentence an error."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sample_texts import REGULATIONS, REPORT

from engine.interfaces import cli
from engine.interfaces.cli import main


@pytest.fixture
def run(tmp_path: Path, capsys, monkeypatch):
    """Run a command on a library in a temporary folder; return (exit code, JSON, stderr)."""
    monkeypatch.setenv("DROPQA_LIBRARY", str(tmp_path / "library"))

    def call(*arguments: str):
        code = main([*arguments, "--json"])
        out, err = capsys.readouterr()
        return code, json.loads(out), err

    return call


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    (folder / "sub").mkdir(parents=True)
    (folder / "report.md").write_text(REPORT, "utf-8")
    (folder / "sub" / "员工手册.md").write_text(REGULATIONS, "utf-8")
    return folder


def test_add_list_tree_and_versions_tell_the_same_document(run, files):
    code, added, _ = run("add", str(files), "--recursive")
    assert code == 0
    assert [(d["name"], d["status"], d["version"]) for d in added["documents"]] == [
        ("report.md", "added", 1),
        ("sub/员工手册.md", "added", 1),
    ]
    assert set(added["documents"][0]) == {
        "document_id", "name", "version", "status", "error", "pages", "nodes", "seconds",
    }  # fmt: skip
    _, listed, _ = run("list")
    assert {d["name"] for d in listed["documents"]} == {"report.md", "sub/员工手册.md"}
    _, tree, _ = run("tree", "report.md")
    assert tree["nodes"][0]["role"] == "document"
    assert len(tree["nodes"]) == added["documents"][0]["nodes"]
    _, versions, _ = run("versions", tree["document_id"])
    assert [v["version"] for v in versions["versions"]] == [1]


def test_parse_stores_nothing_and_gives_the_same_ids_as_add(run, files, tmp_path):
    _, parsed, _ = run("parse", str(files / "report.md"))
    assert not (tmp_path / "library").exists()
    run("add", str(files / "report.md"))
    _, stored, _ = run("tree", "report.md")
    assert [n["node_id"] for n in parsed["nodes"]] == [n["node_id"] for n in stored["nodes"]]
    assert parsed["document_id"] == stored["document_id"]


def test_search_gives_the_text_that_other_agents_read_where_it_is_asked_for(run, files):
    run("add", str(files), "--recursive")
    _, found, _ = run("search", "foundries", "--text")
    assert found["text"].startswith("=== RAG Search Results ===\nQuery: 'foundries'")
    assert "text" not in run("search", "foundries")[1]


def test_search_takes_modes_and_filters(run, files):
    run("add", str(files), "--recursive")
    for mode in ("hybrid", "semantic", "fulltext", "keyword"):
        code, found, _ = run("search", "foundries", "--mode", mode)
        assert code == 0
        assert found["mode"] == mode
        assert found["hits"][0]["document"] == "report.md", mode
    _, found, _ = run("search", r"第.章", "--mode", "keyword", "--regex", "--role", "section")
    assert [hit["path"][-1] for hit in found["hits"]] == ["第一章 考勤", "第二章 年假"]
    _, found, _ = run("search", "foundries", "--document", "sub/员工手册.md", "--mode", "fulltext")
    assert found["hits"] == []
    _, found, _ = run("search", "company revenue", "--section", "revenue")
    assert {"Revenue"} == {hit["path"][1] for hit in found["hits"]}


def test_ask_answers_with_sources_that_stand_in_the_nodes(run, files):
    run("add", str(files), "--recursive")
    code, answer, _ = run("ask", "入职满一年的员工有几天年假？")
    assert code == 0
    assert answer["answered"]
    assert answer["engine"] == "extractive"
    assert "十五天" in answer["answer"]
    for source in answer["sources"]:
        assert f"[{source['n']}]" in answer["answer"]
        _, tree, _ = run("tree", source["document_id"])
        node = next(n for n in tree["nodes"] if n["node_id"] == source["node_id"])
        assert source["snippet"] in node["text"]


def test_a_follow_up_is_asked_with_the_conversation_in_a_file(run, files, tmp_path):
    run("add", str(files), "--recursive")
    turns = tmp_path / "turns.json"
    earlier = [
        {"role": "user", "text": "入职满一年的员工有几天年假？"},
        {"role": "assistant", "text": "十五天 [1]"},
    ]
    turns.write_text(json.dumps(earlier, ensure_ascii=False), "utf-8")
    code, answer, _ = run("ask", "那满五年的呢？", "--history", str(turns))
    searched = [step["params"].get("query") for step in answer["reasoning_trace"] if step["params"]]
    assert code == 0 and any(query and "年假" in query and "满五年" in query for query in searched)
    turns.write_text('[{"role": "owner", "text": "x"}]', "utf-8")
    code, told, _ = run("ask", "Why?", "--history", str(turns))
    assert code == 2 and "JSON list" in told["error"]


def test_export_writes_files_and_tells_which(run, files, tmp_path):
    run("add", str(files), "--recursive")
    code, told, _ = run("export", "indexes", "report.md", "--out", str(tmp_path / "out"))
    assert code == 0
    assert Path(told["folder"]) == tmp_path / "out" / "indexes" / "report.md"
    assert (Path(told["folder"]) / "coarse.hnsw").is_file()
    code, told, _ = run("export", "nodes", "foundries", "--out", str(tmp_path / "out"), "--document", "report.md")
    assert code == 0
    (written,) = told["files"]
    assert json.loads(Path(written["path"]).read_text("utf-8"))["doc_id"] == "report.md"
    assert run("export", "indexes", "nothing.md", "--out", str(tmp_path / "out"))[0] == 1


def test_search_is_narrowed_by_level_and_numbers(run, files):
    run("add", str(files), "--recursive")
    _, found, _ = run("search", "revenue", "--level", "2", "--mode", "keyword")
    assert {hit["role"] for hit in found["hits"]} == {"section"}
    _, found, _ = run("search", "company foundries", "--numbers", "--role", "paragraph")
    assert found["hits"] and all(any(c.isdigit() for c in hit["snippet"]) for hit in found["hits"])
    _, found, _ = run("search", "revenue", "--pages", "2-3")
    assert found["hits"] == []


def test_a_failed_file_makes_exit_code_1_and_the_others_are_added(run, files):
    (files / "empty.md").write_bytes(b"")
    code, added, _ = run("add", str(files))
    assert code == 1
    assert {d["name"]: d["status"] for d in added["documents"]} == {
        "empty.md": "failed",
        "report.md": "added",
    }


def test_an_error_is_one_sentence_with_exit_code_1(run):
    code, result, err = run("tree", "missing.pdf")
    assert code == 1
    assert "missing.pdf" in result["error"] and "`dropqa list`" in result["error"]
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("search",), ("search", "x", "--mode", "magic"), ("search", "x", "--top-k", "ten"), ("frobnicate",),
        ("list", "--nothing"), ("summarize",), ("reindex", "a", "--all"), ("export", "nodes", "q"),
        ("app", "--port", "70000"),
    ],
)  # fmt: skip
def test_bad_usage_is_exit_code_2_and_one_sentence_with_what_to_do(run, arguments):
    code, told, err = run(*arguments)
    assert code == 2 and told["type"] == "UsageError"
    assert "--help` tells what can be given." in told["error"] and "_p" not in told["error"]
    assert err == f"dropqa: {told['error']}\n"


def test_a_role_or_a_setting_that_does_not_exist_is_bad_usage(run, monkeypatch):
    assert run("search", "x", "--role", "chapter")[0] == 2
    assert run("search", "x", "--regex")[0] == 2
    monkeypatch.setenv("DROPQA_LLM__MODLE", "x")
    code, result, _ = run("list")
    assert code == 2
    assert "llm.modle" in result["error"]


def test_options_may_stand_before_the_command(files, tmp_path, capsys):
    folder = str(tmp_path / "elsewhere")
    assert main(["--library", folder, "add", str(files / "report.md")]) == 0
    capsys.readouterr()
    assert main(["--library", folder, "--json", "list"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["documents"]] == ["report.md"]


def test_a_summary_is_printed_with_its_sources(files, tmp_path, capsys):
    library = ["--library", str(tmp_path / "library")]
    main([*library, "add", str(files)])
    capsys.readouterr()
    assert main([*library, "summarize", "report.md"]) == 0
    told = capsys.readouterr()
    assert "[1] report.md (version 1)" in told.out and not told.err


def test_who_stops_reading_is_told_nothing(files, tmp_path):
    library = ["--library", str(tmp_path / "library")]
    main([*library, "add", str(files)])
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "engine.interfaces.cli", *library, "tree", "report.md"]
    ended = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_options_of_the_app_need_not_its_name():
    parse = cli._parser().parse_args
    assert parse(["--port", "9000", "--no-browser"]) == parse(["app", "--port", "9000", "--no-browser"])
    assert parse([]) == parse(["app"])


def test_remove_and_doctor(run, files):
    run("add", str(files / "report.md"))
    code, removed, _ = run("remove", "report.md")
    assert (code, removed["removed"][0]["name"]) == (0, "report.md")
    code, result, _ = run("doctor")
    assert code == 0, result
    assert {"name", "ok", "detail", "fix"} == set(result["checks"][0])


def test_a_library_that_another_process_holds_is_a_clear_error(run, tmp_path):
    script = (
        "import sys; from engine.library import Library\n"
        "Library.open(sys.argv[1], background=False); print('open', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "library")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert holder.stdout.readline() == "open\n"
        code, result, _ = run("list")
        assert code == 1
        assert str(holder.pid) in result["error"]
    finally:
        holder.communicate()


def test_help_imports_nothing_heavy():
    script = "import sys\ntry:\n import engine.interfaces.cli as c; c.main(['--help'])\nfinally:\n print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=dict(os.environ))
    loaded = set(result.stdout.split())
    assert "engine.interfaces.cli" in loaded
    assert not loaded & {
        "numpy",
        "pydantic",
        "streamlit",
        "chromadb",
        "onnxruntime",
        "pymupdf",
        "openai",
    }


def test_a_strategy_is_chosen_shown_and_kept(run, files):
    run("add", str(files / "report.md"), "--strategy", "hierarchical")
    _, listed, _ = run("list")
    assert listed["documents"][0]["strategy"] == "hierarchical"
    _, versions, _ = run("versions", "report.md")
    assert versions["versions"][0]["strategy"] == "hierarchical"


def test_collections_are_made_filled_asked_shared_and_deleted(run, files):
    assert run("collections", "--create", "Reports")[0] == 0
    assert run("collections", "--create", "reports")[0] == 2
    run("add", str(files / "report.md"), "--collection", "Reports")
    run("add", str(files / "sub" / "员工手册.md"))
    code, listed, _ = run("collections")
    assert code == 0 and [(one["name"], one["documents"]) for one in listed["collections"]] == [("Reports", 1)]
    assert [one["name"] for one in run("list", "--collection", "reports")[1]["documents"]] == ["report.md"]
    found = run("search", "foundries", "--collection", "Reports")[1]["hits"]
    assert {hit["document"] for hit in found} == {"report.md"}
    assert run("ask", "Who?", "--collection", "Nothing")[0] == 1
    assert run("summarize", "--collection", "Reports")[1]["sources"]
    assert {
        d["document_id"] for t in run("topics", "--collection", "Reports")[1]["topics"] for d in t["documents"]
    } <= {one["document_id"] for one in run("list", "--collection", "reports")[1]["documents"]}
    assert run("collections", "--move", "Reports", "员工手册.md")[1]["moved"] == 1
    assert run("collections", "--move", "", "report.md")[1]["collections"][0]["documents"] == 1
    shared = run("collections", "--share", "Reports", "--reader", "ann@example.org", "--editor", "staff")[1]["shared"]
    assert (shared["readers"], shared["editors"]) == (["ann@example.org"], ["staff"])
    assert run("collections", "--reader", "ann@example.org")[0] == 2
    key = run("keys", "--create", "bound", "--collection", "reports")[1]["keys"][0]
    assert key["collections"] == [shared["collection_id"]]
    assert run("collections", "--rename", "Reports", "Papers")[1]["renamed"]["name"] == "Papers"
    assert run("collections", "--delete", "Papers")[1]["collections"] == []
    assert len(run("list")[1]["documents"]) == 2
