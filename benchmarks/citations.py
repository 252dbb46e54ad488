"""Measure whether citations stand where they say, and whether a model's inventions are caught.

    python benchmarks/citations.py FOLDER [--documents 6] [--answers 200] [--no-vectors]

FOLDER holds ``pdfs/`` and ``queries.jsonl`` (``text`` and ``doc``, a PDF's name without its ending). Every
question is asked without a model, and again and again of a scripted one (a real HTTP server) until there are
enough answers. It quotes and paraphrases the evidence it is given, forgets marks, and in every answer invents: a
source, a node, a quotation, a number in a true sentence, a whole sentence, or it gives a true sentence another
source. A citation is right when its snippet is a stretch of its node's text, and stands on the cited page of the
PDF as another library reads it. An invention is caught when it is no longer in the answer, or the answer's
warnings name it, or its sentence is told as not verified or contradicted.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import unicodedata
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from inventions import Inventor

from engine.config import Settings
from engine.ingest import Source
from engine.library import Library
from engine.model import Answer, Citation
from tests.openai_server import OpenAiServer

GRAM = 8


def main() -> None:
    """Build the library, ask everything twice and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=6)
    parser.add_argument("--answers", type=int, default=200, help="answers of the scripted model")
    parser.add_argument("--no-vectors", action="store_true")
    parser.add_argument("--show", action="store_true", help="print every wrong citation and what was not caught")
    options = parser.parse_args()
    rows = [json.loads(line) for line in (options.folder / "queries.jsonl").read_text("utf-8").splitlines()]
    files = sorted((options.folder / "pdfs").glob("*.pdf"), key=lambda path: path.stat().st_size)
    asked = {str(row["doc"]) for row in rows}
    files = [path for path in files if path.stem in asked][: options.documents]
    questions = [row["text"] for row in rows if row["doc"] in {path.stem for path in files}]
    plain: dict[str, Any] = {"embedding": {"enabled": not options.no_vectors}}
    with tempfile.TemporaryDirectory() as temporary, OpenAiServer() as server:
        folder = Path(temporary) / "library"
        with Library.open(folder, settings=Settings.model_validate(plain), background=False) as library:
            added = library.add([Source(path.name, path) for path in files])
            library.embed_pending()
        inventor = Inventor()
        server.default = inventor.reply
        model = {"llm": {"api_base": server.base_url, "api_key": server.key}}
        many = [questions[i % len(questions)] for i in range(options.answers)]
        for name, more, asks in (("without", {}, questions[: options.answers]), ("scripted", model, many)):
            settings = Settings.model_validate({**plain, **more})
            with Library.open(folder, settings=settings, background=False) as library:
                answers = []
                for question in asks:
                    inventor.next_answer()
                    answers.append(library.ask(question, path="direct"))
                    if more:
                        inventor.hold(answers[-1], options.show)
                figures = judge(answers, library, {path.name: path for path in files}, options.show)
            told = {"caught": inventor.figures()} if more else {}
            pages = sum(result.pages or 0 for result in added)
            print(json.dumps({"model": name, "pages": pages, **figures, **told}, ensure_ascii=False))


def judge(answers: list[Answer], library: Library, files: dict[str, Path], show: bool) -> dict[str, Any]:
    """Count what holds of the answers' citations."""
    counts: Counter[str] = Counter()
    for answer in answers:
        counts[f"by_{answer.engine}"] += 1
        counts["answered"] += answer.answered
        marks = {int(n) for n in re.findall(r"\[(\d+)\]", answer.answer)}
        counts["marks_agree"] += marks <= {source.n for source in answer.sources}
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
        **{name: counts[name] for name in ("answered", "by_llm", "by_extractive", "marks_agree", "citations")},
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


if __name__ == "__main__":
    main()
