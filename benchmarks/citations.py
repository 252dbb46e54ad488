"""Measure whether citations stand where they say: word for word in their node, on their page.

    python benchmarks/citations.py FOLDER [--documents 6] [--questions 100]

FOLDER holds ``pdfs/`` and ``queries.jsonl`` (``text`` and ``doc``, a PDF's name without its ending). Every
question is asked twice: without a model, and with a scripted one (a real HTTP server) that quotes and
paraphrases the evidence it is given, forgets marks and invents some. A citation is right when its snippet
is a stretch of its node's text, and stands on the cited page of the PDF as another library reads it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
import unicodedata
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.config import LlmSettings, Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Answer, Citation
from engine.structure.sentences import split_sentences
from tests.openai_server import OpenAiServer, evidence_in

GRAM = 8


def main() -> None:
    """Build the library, ask everything twice and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=6)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--show", action="store_true", help="print every wrong citation")
    options = parser.parse_args()
    rows = [json.loads(line) for line in (options.folder / "queries.jsonl").read_text("utf-8").splitlines()]
    files = sorted((options.folder / "pdfs").glob("*.pdf"), key=lambda path: path.stat().st_size)
    asked = {str(row["doc"]) for row in rows}
    files = [path for path in files if path.stem in asked][: options.documents]
    questions = [row for row in rows if row["doc"] in {path.stem for path in files}][: options.questions]
    with tempfile.TemporaryDirectory() as temporary, OpenAiServer() as server:
        with Library.open(Path(temporary) / "library", background=False) as library:
            added = library.add([Source(path.name, path) for path in files])
            library.embed_pending()
        server.default = scripted_reply
        model = LlmSettings(api_base=server.base_url, api_key=server.key)
        for name, settings in (("without", Settings()), ("scripted", Settings(llm=model))):
            with Library.open(Path(temporary) / "library", settings=settings, background=False) as library:
                answers = [library.ask(question["text"]) for question in questions]
                figures = judge(answers, library, {path.name: path for path in files}, options.show)
            print(json.dumps({"model": name, "pages": sum(result.pages or 0 for result in added), **figures}))


def judge(answers: list[Answer], library: Library, files: dict[str, Path], show: bool) -> dict[str, Any]:
    """Count what holds of the answers' citations."""
    counts: Counter[str] = Counter()
    for answer in answers:
        counts[f"by_{answer.engine}"] += 1
        counts["answered"] += answer.answered
        marks = {int(n) for n in re.findall(r"\[(\d+)\]", answer.answer)}
        counts["marks_agree"] += marks == {source.n for source in answer.sources}
        for source in answer.sources:
            node = library.node(source.node_id, source.version).node
            counts["citations"] += 1
            counts["word_for_word"] += source.snippet in node.text or source.snippet in node.title
            on_page = share_on_page(source, files[source.document])
            counts["on_page"] += on_page >= 0.6
            counts["wholly_on_page"] += on_page >= 0.95
            if show and on_page < 0.6:
                print(f"{source.document} p. {source.page} ({on_page:.2f}) {node.role}: {source.snippet!r}")
    total = max(1, counts["citations"])
    shares = {name: round(counts[name] / total, 4) for name in ("word_for_word", "on_page", "wholly_on_page")}
    return {
        "questions": len(answers),
        **{
            name: counts[name] for name in ("answered", "by_llm", "by_extractive", "marks_agree", "citations")
        },
        **shares,
    }


def share_on_page(source: Citation, path: Path) -> float:
    """Return the share of the snippet's character runs that stand on the cited page."""
    if source.page is None:
        return 0.0
    page = page_text(path, source.page)
    pieces = [fold(piece) for piece in re.split(r"[|\n\t]", source.snippet)]
    grams = [piece[i : i + GRAM] for piece in pieces for i in range(max(1, len(piece) - GRAM + 1)) if piece]
    return sum(gram in page for gram in grams) / len(grams) if grams else 1.0


@lru_cache(maxsize=4096)
def page_text(path: Path, page: int) -> str:
    """Return a page's folded text as pdfium reads it; ``page`` is 1-based."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        return fold(document[page - 1].get_textpage().get_text_range())
    finally:
        document.close()


def fold(text: str) -> str:
    """Drop what two readers of one page may see differently: spaces, hyphens, width, case."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\s\u00ad\ufffe\x02-]+", "", normal)


def scripted_reply(body: dict[str, Any]) -> str:
    """Play a model: a quotation, a paraphrase, a sentence without a mark and an invented mark."""
    evidence = evidence_in(body)
    rng = random.Random(len(str(body)))
    chosen = rng.sample(range(len(evidence)), min(3, len(evidence)))
    said = []
    for turn, index in enumerate(chosen):
        sentence = rng.choice(split_sentences(evidence[index])).text.replace("\n", " ")
        if turn == 1:
            words = sentence.split(" ")
            sentence = " ".join(word for i, word in enumerate(words) if i % 6 != 5) or sentence
        said.append(f"{sentence} [{index + 1}]" if turn != 2 else sentence)
    return " ".join([*said, "This was known to everybody [99]."])


if __name__ == "__main__":
    main()
