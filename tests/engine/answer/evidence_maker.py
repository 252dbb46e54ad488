"""Hand-made evidence for tests of answers."""

from engine.answer.answerer import Answerer
from engine.answer.understand import Question, understand
from engine.config import Settings
from engine.model import Evidence, Hit, SearchResult
from engine.retrieve.pack import Retrieved

BRIDGE = "The Harbour Bridge opened in 1932. It took eight years to build and cost 6.25 million pounds."
BRIDGE_ZH = "悉尼海港大桥于1932年3月19日通车。桥长1149米，宽48.8米。设计者是约翰·布拉德菲尔德。"
COSTS = "Item | Cost\nSteel | 4,500\nPaint | 300"


def evidence(number, text, *, document="bridge.pdf", path=("1 History",), page=1, role="paragraph", **more):
    """Return the ``number``-th found node."""
    hit = Hit(
        f"n{number:014x}", f"d{number}", document, 1, role, 1 / number, number, page, None, list(path), text[:40],
        signals={"dense": 0.85, "sparse": 5.0},
    )  # fmt: skip
    return Evidence(hit, text, **more)


def bridges():
    """Return three nodes: English prose, Chinese prose and a table."""
    return [
        evidence(1, BRIDGE),
        evidence(2, BRIDGE_ZH, document="大桥.docx", page=None),
        evidence(3, COSTS, role="table", page=3, path=("2 Costs",)),
    ]


def finder(items, queries=None):
    """Return a retrieve function that finds these nodes whatever is asked, and notes what was."""

    def retrieve(query):
        if queries is not None:
            queries.append(query)
        hits = [item.hit for item in items]
        return Retrieved(SearchResult(query, "hybrid", hits, {"total": 1.0}, ["dense", "sparse"]), list(items))

    return retrieve


def answer(question, history=(), settings=None, **more):
    """Return the answer to a question, read already or not."""
    asked = question if isinstance(question, Question) else understand(question, history)
    return Answerer(question=asked, history=history, settings=settings or Settings(), **more).answer()


def check_sources(answer, items):
    """Assert what holds for every answer: every mark has its source, snippets stand word for word."""
    import re

    texts = {item.hit.node_id: (item.text, item.title) for item in items}
    marks = {int(n) for n in re.findall(r"\[(\d+)\]", answer.answer)}
    assert marks <= {source.n for source in answer.sources}
    assert [source.n for source in answer.sources] == list(range(1, len(answer.sources) + 1))
    for source in answer.sources:
        assert source.snippet and any(source.snippet in text for text in texts[source.node_id])
