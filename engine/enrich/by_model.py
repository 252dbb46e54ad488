"""What a language model adds to a document: texts for the index, relations, summaries,
descriptions of pictures.

For the index it is asked passage by passage (seed 004, 3.2). That never changes what is shown or cited: it stands in a
node's metadata under "indexed", from which the indexing strategy makes the texts that are matched. A passage for which
there is none is indexed as without a model. The model is told what the passage stands in. Contextual: a short document
is given whole; of a long one its summary, the titles above the passage and the summary of its section. Sliding: what
was said of the passage before it.

Relations are what texts say of names: who or what, in which relation, to whom or what (seed 003, 10). One counts only
where the passage holds its value, and the passage or a title above it what it is said of; it stands beside what tables
and forms say by themselves (:mod:`engine.topics.entities`).

Summaries are made bottom-up (seed 003, 5.2.2): texts -> section -> document. A section's is made of its own texts and
the summaries of its subsections. Only nodes that are long enough to deserve one are sent; where there is none, the
extractive summary stays.

Each function tells ``on_progress`` the share done, raises CancelledError, and has failures counted by ``asking``.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.config import Strategy
from engine.enrich.asking import Asking, OnShare, instruction
from engine.enrich.summary import summarize
from engine.errors import NotFoundError, UnreadableFileError
from engine.model import Node, Tree, children_of, down_to, section_path
from engine.providers.cancelling import Cancelled
from engine.providers.llm import Llm, estimate_tokens
from engine.providers.vision import message_with
from engine.structure.terms import fold, length_of

# Changed whenever what is sent changes: earlier replies no longer count.
PROMPT_VERSION = "1"
# The prompt of each strategy that asks a model, and the most tokens of a reply.
ASKED: dict[Strategy, tuple[str, int]] = {
    "sliding": ("passage_summary", 150),
    "contextual": ("passage_context", 150),
    "questions": ("passage_questions", 250),
}
# A document of so many tokens is given whole with each of its passages.
SHORT_TOKENS = 2000
PASSAGE_TOKENS, SUMMARY_TOKENS, PREVIOUS_TOKENS = 1000, 300, 60
_ASKED = ("paragraph", "list", "table", "code")
LEAST_TOKENS = 8
MOST_QUESTIONS, LONGEST_QUESTION = 5, 300
_QUESTION = re.compile(r"[^?？]+[?？]")
_NUMBERING = re.compile(r"^\W*(?:\d{1,2}[.)、．:：]\s*)?")
RELATION_TOKENS = 400
MOST_RELATIONS, LONGEST_LABEL, LONGEST_VALUE = 12, 24, 60
Relation = tuple[str, str, str]
_BETWEEN, _PARTS = re.compile(r"[;；\n]"), re.compile(r"\s*[|｜]\s*")
_EDGES = " \"'“”‘’「」()（）[].。-*"
LEAST_SUMMARISED, MOST_TOKENS, MOST_SUMMARIES, LONGEST_TABLE = 150, 3000, 200, 600
SECTION_TOKENS, DOCUMENT_TOKENS = 200, 300
_CONTENT = ("paragraph", "list", "code", "table", "image", "equation")
MOST_PICTURES, DESCRIPTION_TOKENS, LEAST_SIDE, _LONGEST_CONTEXT = 200, 400, 100, 1500
_CONTEXT = {"Caption": "caption", "Alternative text": "alt", "Text in it": "ocr_text"}


def needs_summaries(tree: Tree, strategy: Strategy) -> bool:
    """Tell whether the summaries of document and sections are wanted first: those of a long document."""
    return strategy == "contextual" and not Passages(tree).short


def index_texts_by_model(
    tree: Tree, strategy: Strategy, llm: Llm, asking: Asking, on_progress: OnShare, cancelled: Cancelled
) -> dict[str, dict[str, Any]]:
    """Return by node id what the model made for the index: a "context" or "questions"; failures are left out."""
    passages = Passages(tree)
    made: dict[str, dict[str, Any]] = {}
    before = ""
    for done, node in enumerate(passages.nodes, 1):
        prompt, most = ASKED[strategy]
        system, message = instruction(prompt, node.text), passages.message(strategy, node, before)
        reply = asking.complete(llm, f"{strategy} {PROMPT_VERSION}", system, message, most, cancelled)
        before = reply or gist(node)
        if what := _what(strategy, reply):
            made[node.node_id] = {"strategy": strategy, "method": asking.how} | what
        on_progress(done / len(passages.nodes))
    return made


def _what(strategy: Strategy, reply: str | None) -> dict[str, Any]:
    made = {"questions": questions_in(reply or "")} if strategy == "questions" else {"context": reply}
    return made if any(made.values()) else {}


def questions_in(reply: str) -> list[str]:
    """Return the questions of a reply, without numbering; text behind the last question mark is none."""
    found = (_NUMBERING.sub("", question).strip() for question in _QUESTION.findall(reply))
    unique = dict.fromkeys(question for question in found if 4 < len(question) <= LONGEST_QUESTION)
    return list(unique)[:MOST_QUESTIONS]


class Passages:
    """A tree's passages that a model is asked about, in reading order; ``short``: the tree is given whole."""

    def __init__(self, tree: Tree) -> None:
        self._by_id = {node.node_id: node for node in tree.nodes}
        self._root = tree.nodes[0]
        self.nodes = [node for node in tree.nodes if node.role in _ASKED and estimate_tokens(node.text) >= LEAST_TOKENS]
        texts = [node.title if node.role in ("document", "section") else node.text for node in tree.nodes]
        self._whole = "\n".join(filter(None, texts))
        self.short = estimate_tokens(self._whole) <= SHORT_TOKENS

    def message(self, strategy: Strategy, node: Node, before: str) -> str:
        """Return what a model is told of a passage; ``before`` is what was said of the one before it."""
        titles = [self._root.title, *section_path(node.node_id, self._by_id)]
        above = " > ".join(dict.fromkeys(title for title in titles if title))
        passage = f"<passage>\n{_start(node.text, PASSAGE_TOKENS)}\n</passage>"
        if strategy == "contextual" and self.short:
            return f"<document>\n{self._whole}\n</document>\n{passage}"
        if strategy == "contextual":
            document = _start(self._root.summary, SUMMARY_TOKENS)
            section = f"{above}\n{_start(self._section(node), SUMMARY_TOKENS)}"
            return f"<document>\n{document}\n</document>\n<section>\n{section}\n</section>\n{passage}"
        titled = f"<titles>\n{above}\n</titles>\n{passage}"
        return f"<before>\n{before}\n</before>\n{titled}" if strategy == "sliding" else titled

    def _section(self, node: Node) -> str:
        above = reversed(down_to(node.parent_id or "", self._by_id))
        return next((one.summary for one in above if one.role == "section" and one.summary), "")


def gist(node: Node) -> str:
    """Return the sentence that says most of a passage: what stands in where a model has not summarised it."""
    return summarize(node.text, title=node.title, k=1, budget=PREVIOUS_TOKENS)


def _start(text: str, tokens: int) -> str:
    """Return the start of a text of about so many tokens."""
    return text[: len(text) * tokens // max(tokens, estimate_tokens(text))]


def relations_by_model(
    tree: Tree, llm: Llm, asking: Asking, on_progress: OnShare, cancelled: Cancelled
) -> dict[str, list[Relation]]:
    """Return by node id what its text says of names; tables tell it by themselves, and doubtful readings nothing."""
    passages, made = Passages(tree), dict[str, list[Relation]]()
    asked = [node for node in passages.nodes if node.role in ("paragraph", "list") and not node.doubtful]
    for done, node in enumerate(asked, 1):
        system, message = instruction("relations", node.text), passages.message("questions", node, "")
        kind = f"relations {PROMPT_VERSION}"
        reply = asking.complete(llm, kind, system, message, RELATION_TOKENS, cancelled) or ""
        if found := relations_in(reply, message, node.text):
            made[node.node_id] = found
        on_progress(done / len(asked))
    return made


def relations_in(reply: str, told: str, text: str) -> list[Relation]:
    """Return the relations of a reply whose subject stands in what the model was told, and the value in the text."""
    lines = ([part.strip(_EDGES) for part in _PARTS.split(line)] for line in _BETWEEN.split(reply))
    known, held = fold(told), fold(text)
    found: dict[Relation, None] = {}
    for line in lines:
        if len(line) == 3 and all(line) and fold(line[0]) in known and fold(line[2]) in held and _is_short(*line):
            found[line[0], line[1], line[2]] = None
    return list(found)[:MOST_RELATIONS]


def _is_short(subject: str, label: str, value: str) -> bool:
    return subject != value and length_of(label) <= LONGEST_LABEL and length_of(value) <= LONGEST_VALUE


def summaries_by_model(
    tree: Tree, llm: Llm, asking: Asking, on_progress: OnShare, cancelled: Cancelled
) -> dict[str, str]:
    """Return the model's summaries by node id, of the root and of sections; failures are left out."""
    made: dict[str, str] = {}
    children = children_of(tree.nodes)
    chosen = {node.node_id for node in _deserving(tree, children)}
    for done, node in enumerate((node for node in reversed(tree.nodes) if node.node_id in chosen), 1):
        below = children.get(node.node_id, [])
        if len(below) == 1 and below[0].node_id in made:
            made[node.node_id] = made[below[0].node_id]  # it only wraps that one
            continue
        text = _fitted(list(_parts(node, children, made)))
        whole = node.role == "document"
        tokens = DOCUMENT_TOKENS if whole else SECTION_TOKENS
        system = instruction("summary", text).replace("{sentences}", "two or three" if whole else "one or two")
        user = f"Title: {node.title}\n<text>\n{text}\n</text>"
        if reply := asking.complete(llm, f"summary {PROMPT_VERSION}", system, user, tokens, cancelled):
            made[node.node_id] = reply
        on_progress(done / len(chosen))
    return made


def _deserving(tree: Tree, children: dict[str | None, list[Node]]) -> list[Node]:
    """Return the sections that hold enough to be summarised, and the root: the upper ones if they are many."""
    held: dict[str, int] = {}
    for node in reversed(tree.nodes):
        own = estimate_tokens(_content(node)) if node.role in _CONTENT else 0
        held[node.node_id] = own + sum(held[child.node_id] for child in children.get(node.node_id, []))
    coarse = sorted((n for n in tree.nodes if n.role in ("section", "document")), key=lambda node: node.depth)
    return [node for node in coarse if held[node.node_id] >= LEAST_SUMMARISED][:MOST_SUMMARIES]


def _parts(node: Node, children: dict[str | None, list[Node]], made: dict[str, str]) -> Iterator[str]:
    """Yield what a node's summary is made of: texts, and the summaries of subsections that have one."""
    for child in children.get(node.node_id, []):
        if child.role != "section":
            if content := _content(child):
                yield content
        elif summary := made.get(child.node_id):
            yield f"- {child.title}: {summary}"
        else:
            yield child.title
            yield from _parts(child, children, made)


def _content(node: Node) -> str:
    if node.role == "table":
        caption = str(node.metadata.get("caption") or "")
        return "\n".join(part for part in (caption, node.text[:LONGEST_TABLE]) if part)
    if node.role == "image":
        return str(node.metadata.get("description") or "")
    return node.text


def _fitted(parts: Sequence[str]) -> str:
    """Return the parts as one text of at most MOST_TOKENS: the start of each when that is too much."""
    sizes = [estimate_tokens(part) for part in parts]
    if sum(sizes) <= MOST_TOKENS:
        return "\n".join(parts)
    share = MOST_TOKENS / sum(sizes)
    return "\n".join(filter(None, (part[: int(len(part) * share)] for part in parts)))


def pictures_to_describe(tree: Tree) -> list[Node]:
    """Return the image nodes of a tree that may deserve a description."""
    images = [node for node in tree.nodes if node.role == "image" and not node.metadata.get("whole_page")]
    return images[:MOST_PICTURES]


def descriptions_by_model(
    nodes: Sequence[Node], picture_of: Callable[[Node], tuple[bytes, int]], vision: Llm, asking: Asking,
    on_progress: OnShare, cancelled: Cancelled,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return by node id what to add to the metadata of image nodes.

    That is ``description`` and ``description_method`` ("model:<name>"), or ``description_error`` with the reason.
    ``picture_of`` gives a node's picture as PNG or JPEG and the length of its shorter side in pixels; icons
    are left out.
    """
    found: dict[str, dict[str, Any]] = {}
    for done, node in enumerate(nodes, 1):
        try:
            picture, side = picture_of(node)
        except NotFoundError:
            continue  # only an address is known
        except UnreadableFileError as error:
            found[node.node_id] = {"description_error": str(error)}
            continue
        if side >= LEAST_SIDE:
            found[node.node_id] = _described(node, picture, vision, asking, cancelled)
        on_progress(done / len(nodes))
    return {node_id: facts for node_id, facts in found.items() if facts}


def _described(node: Node, picture: bytes, vision: Llm, asking: Asking, cancelled: Cancelled) -> dict[str, Any]:
    told = {name: str(node.metadata.get(key) or "")[:_LONGEST_CONTEXT] for name, key in _CONTEXT.items()}
    known = "\n".join(f"{name}: {text}" for name, text in told.items() if text)
    system = instruction("picture", known or node.text)
    shown = message_with(known or "There is no caption.", [("", picture)])
    messages = [{"role": "system", "content": system}, shown]
    failures = asking.failed
    reply = asking.ask(
        f"picture {PROMPT_VERSION}\0{system}\0{known}\0{hashlib.sha256(picture).hexdigest()}",
        lambda: vision.complete(messages, max_tokens=DESCRIPTION_TOKENS, cancelled=cancelled).text,
    )
    if reply:
        return {"description": reply, "description_method": asking.how, "description_error": None}
    return {"description_error": asking.error} if asking.failed > failures else {}
