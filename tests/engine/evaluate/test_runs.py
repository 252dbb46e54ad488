"""Measuring retrieval on a question set."""

import json
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.evaluate.metrics import percentile, score
from engine.evaluate.runs import evaluate


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    corpus = [
        {"id": "cats", "title": "Cats", "text": "A cat sleeps sixteen hours a day."},
        {"id": "tea", "title": "茶", "text": "绿茶产自中国，用八十度的水冲泡。"},
        {"id": "rivers", "title": "", "text": "The Danube flows through ten countries."},
    ]
    queries = [
        {"id": "q1", "text": "How long do cats sleep?"},
        {"id": "q2", "text": "绿茶用多少度的水？"},
        {"id": "q3", "text": "A question without gold"},
    ]
    (folder / "corpus.jsonl").write_text("\n".join(json.dumps(row) for row in corpus))
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(row) for row in queries))
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tcats\t1\nq2\ttea\t1\nq2\trivers\t0\n")
    return folder


def test_a_set_is_taken_in_and_measured_in_every_mode(library, dataset):
    result = evaluate(library, dataset, modes=["hybrid", "fulltext"])
    assert result["queries"] == 2
    assert result["metrics"]["ndcg@10"] == 1.0
    assert set(result["by_mode"]) == {"hybrid", "fulltext"}
    assert result["latency_ms"]["p95"] >= result["latency_ms"]["p50"] > 0


def test_questions_are_asked_and_their_answers_compared_where_that_is_wanted(library, dataset):
    rows = [json.loads(line) for line in (dataset / "queries.jsonl").read_text().splitlines()]
    rows[1]["answers"] = ["八十度"]
    (dataset / "queries.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    result = evaluate(library, dataset, modes=["hybrid"], answers=True)
    assert result["answers"]["questions"] == 1
    assert result["answers"]["contains"] == 1 and result["answers"]["evidence_f1"] > 0
    assert "answers" not in evaluate(library, dataset, modes=["hybrid"])


def test_a_second_run_uses_the_same_library_again(library, dataset):
    evaluate(library, dataset, modes=["fulltext"])
    generation = library.status().generation
    assert evaluate(library, dataset, modes=["fulltext"], limit=1)["queries"] == 1
    assert library.status().generation == generation


def test_the_measures_are_the_textbook_ones():
    result = score(["a", "x", "b"], frozenset("ab"))
    assert result["ndcg@10"] == pytest.approx((1 + 0.5) / (1 + 1 / 1.584962500721156))
    assert (result["recall@5"], result["mrr@10"], result["all@10"]) == (1.0, 1.0, 1.0)
    assert score(["x"], frozenset("a"))["mrr@10"] == 0.0
    assert percentile([3, 1, 2], 0.5) == 2


def test_stages_are_measured_one_after_the_other(library, dataset):
    result = evaluate(library, dataset, modes=["hybrid"], ablate=True)
    assert [stage["stage"] for stage in result["ablation"]] == [
        "dense", "+ bm25f", "+ translation", "+ formal words", "+ tree prior", "+ rerank",
        "+ statements", "+ reader",
    ]  # fmt: skip
    assert all(stage["metrics"]["recall@10"] == 1.0 for stage in result["ablation"])
    assert result["metrics"] == result["ablation"][-1]["metrics"]


def test_size_and_reuse_of_vectors_are_told(library, dataset):
    first = evaluate(library, dataset, modes=["hybrid"])
    assert first["index"]["nodes"] > 0 and first["index"]["bytes"] > 0
    assert first["cache"]["computed"] == first["cache"]["vectors"] > 0
    second = evaluate(library, dataset, modes=["hybrid"])
    assert (second["cache"]["computed"], second["cache"]["reused"]) == (0, first["cache"]["vectors"])


def test_types_of_questions_are_measured_apart(library, dataset):
    queries = [
        {"id": "q1", "text": "How long do cats sleep?", "type": "fact"},
        {"id": "q2", "text": "绿茶用多少度的水？", "type": "number"},
    ]
    (dataset / "queries.jsonl").write_text("\n".join(json.dumps(row) for row in queries))
    by_type = evaluate(library, dataset, modes=["fulltext"])["by_mode"]["fulltext"]["by_type"]
    assert {name: part["queries"] for name, part in by_type.items()} == {"fact": 1, "number": 1}


@pytest.fixture
def pages(tmp_path: Path, make_pdf) -> Path:
    """A set of two PDF files: the passages are their pages."""
    folder = tmp_path / "pages"
    (folder / "pdfs").mkdir(parents=True)
    make_pdf(
        [
            [(20, "Annual report"), (11, "This report covers the cheese trade of the valley.")],
            [(20, "Income"), (11, "The dairy sold cheese for 1,577 dollars in the autumn.")],
        ],
        "dairy.pdf",
    ).rename(folder / "pdfs" / "dairy.pdf")
    make_pdf([[(20, "Weather"), (11, "Rain fell on ninety days of the year.")]], "weather.pdf").rename(
        folder / "pdfs" / "weather.pdf"
    )
    queries = [
        {"id": "q1", "text": "For how much did the dairy sell cheese?", "answers": ["1,577 dollars"]},
        {"id": "q2", "text": "On how many days did rain fall?", "answers": ["ninety days"]},
    ]
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(row) for row in queries))
    (folder / "qrels.tsv").write_text("q\tc\ts\nq1\tdairy#1\t1\nq2\tweather#0\t1\nq2\tother#0\t1\n")
    return folder


def test_pages_of_pdf_files_are_found_and_the_evidence_checked(library, pages):
    result = evaluate(library, pages, modes=["hybrid"])
    assert result["queries"] == 2
    assert result["metrics"]["recall@5"] == 1.0
    assert result["by_mode"]["hybrid"]["evidence"] == {
        "page": {"share": 1.0, "queries": 2},
        "box": {"share": 1.0, "queries": 2},
    }


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("corpus.jsonl", "{broken", "corpus.jsonl, line 1"),
        ("queries.jsonl", '{"id": "q1"}', "queries.jsonl, line 1, .*text: Field required"),
        ("qrels.tsv", "h\th\th\nq1 cats 1", "qrels.tsv, line 2"),
        ("qrels.tsv", "h\th\th\n", "no question with a gold passage"),
    ],
)
def test_a_malformed_set_is_told_by_file_and_line(library, dataset, file, content, message):
    (dataset / file).write_text(content)
    with pytest.raises(UsageError, match=message):
        evaluate(library, dataset, modes=["fulltext"])


def test_a_folder_that_is_not_there_is_told(library, tmp_path):
    with pytest.raises(UsageError, match="not a folder"):
        evaluate(library, tmp_path / "nowhere", modes=["fulltext"])
