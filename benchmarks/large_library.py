"""A large library of made-up documents: ``python benchmarks/large_library.py FOLDER [--documents 1000]``.

Two thirds are in English, one third in Chinese: reports, manuals, minutes and regulations of many sites, of 300
nodes each, with sections, paragraphs, lists and tables. Originals, trees, indexes and topics are stored as ingestion
stores them; vectors are random unit vectors of the model's name, so no model computes anything.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.index.affordances import facets_of
from engine.index.graph_edges import graph_edges
from engine.index.strategies import records
from engine.library import Library
from engine.model import Node, NodeIds, Tree, document_id_for
from engine.topics.profile import state_of
from storage.base import VersionWrite
from storage.topics import StoredTopic, TopicLink, TopicProfile

NODES, CHAPTERS, TOPICS = 300, 9, 120
IN_A_COMMIT = 25
KINDS = {
    "en": (
        "Annual report",
        "Maintenance manual",
        "Minutes of the board",
        "Safety regulation",
        "Audit findings",
    ),
    "zh": ("年度报告", "维护手册", "董事会会议纪要", "安全管理办法", "审计意见"),
}
SITES = {
    "en": (
        "Northfield",
        "Ashgrove",
        "Lakeside",
        "Port Calder",
        "Hillcrest",
        "Redmoor",
        "Stonebridge",
        "Fairhaven",
    ),
    "zh": ("北川", "青石", "临江", "望湖", "东岭", "白沙", "金桥", "海宁"),
}
SUBJECTS = {
    "en": (
        "pump inspection", "staff training", "energy use", "water quality", "spare parts", "travel expenses",
        "fire protection", "supplier contracts", "data backup", "vehicle fleet", "building repairs", "noise control",
        "customer complaints", "waste disposal", "budget planning", "shift schedules", "pressure vessels",
        "insurance claims", "laboratory tests", "network outages",
    ),
    "zh": (
        "水泵检修", "员工培训", "能源消耗", "水质监测", "备品备件", "差旅费用", "消防安全", "供应商合同", "数据备份",
        "车辆管理", "房屋维修", "噪声控制", "客户投诉", "废物处理", "预算编制", "轮班安排", "压力容器", "保险理赔",
        "实验室检测", "网络故障",
    ),
}  # fmt: skip
SENTENCES = {
    "en": (
        "In {year} the team for {subject} at {site} recorded {n} cases, {m} of which were closed within {k} days.",
        "The cost of {subject} rose from {n},000 to {m},000 euros because {k} contracts ended early.",
        "Every supervisor signs the form for {subject} before work at unit {k} begins.",
        "Unit {k} in {site} was out of service for {m} hours; {subject} is checked there every {n} days.",
    ),
    "zh": (
        "{year}年，{site}基地{subject}小组共记录{n}起事项，其中{m}起在{k}天内办结。",
        "由于{k}份合同提前终止，{subject}的费用由{n}万元增加到{m}万元。",
        "第{k}号机组开工之前，由主管人员在{subject}表单上签字确认。",
        "{site}第{k}号机组停运{m}小时，此后每{n}天检查一次{subject}情况。",
    ),
}


def main() -> None:
    """Build a library, or go on with one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=1000)
    options = parser.parse_args()
    fill(options.folder, options.documents)


def fill(folder: Path, count: int) -> None:
    """Put ``count`` documents into a library; those that are there already stay."""
    started = time.process_time()
    with Library.open(folder, background=False) as library:
        there = {document.name for document in library.documents()}
        wanted = [(number, name) for number in range(count) if (name := name_of(number)) not in there]
        for start in range(0, len(wanted), IN_A_COMMIT):
            _add(library, wanted[start : start + IN_A_COMMIT])
        _embed(library)
        if library.topics.pending():
            _tell_topics(library)
        while library.storage.maintain():
            pass
        status = library.status()
        print(
            f"{status.documents:,} documents, {status.nodes:,} nodes, {status.embedded:,} vectors;"
            f" built in {time.process_time() - started:.0f} s of processor time",
            flush=True,
        )


def name_of(number: int) -> str:
    """Return the name of a document, as files are called."""
    language = _language(number)
    kind, site = KINDS[language][number % 5], SITES[language][number // 5 % 8]
    year = 1985 + number // 40
    return f"{site}{year}年{kind}.md" if language == "zh" else f"{site} {kind.lower()} {year}.md"


def _language(number: int) -> str:
    return "zh" if number % 3 == 2 else "en"


def _add(library: Library, wanted: list[tuple[int, str]]) -> None:
    made = [tree_of(number, name) for number, name in wanted]
    hashes = library.storage.files.put_many([text for _, text in made])
    with library.storage.unit_of_work() as unit:
        for (tree, text), sha256 in zip(made, hashes, strict=True):
            unit.write(VersionWrite(
                tree.document_id, tree.name, tree.media_type, sha256, len(text), tree.pages, [], tree.nodes,
                graph_edges(tree), records(tree, library.settings),
                facets=facets_of(tree.nodes),
            ))  # fmt: skip
        unit.commit()


def tree_of(number: int, name: str) -> tuple[Tree, bytes]:
    """Return the tree of a document, and the file that reads so."""
    tree = _tree(number, name)
    return tree, "\n\n".join(_markdown(tree)).encode()


def _tree(number: int, name: str) -> Tree:
    """Return a document: nine chapters of four sections, paragraphs, now and then a list or a table."""
    chance = np.random.default_rng(number)
    language = _language(number)
    subjects, site = SUBJECTS[language], SITES[language][number // 5 % 8]
    ids = NodeIds(hashlib.sha256(name.encode()).hexdigest())
    title = name.removesuffix(".md")
    nodes = [Node(ids.next("document", title), None, "document", title)]
    places: dict[str, int] = {}

    def add(parent: Node, role: str, title: str = "", text: str = "", **more: object) -> Node:
        position = places[parent.node_id] = places.get(parent.node_id, -1) + 1
        node = Node(
            ids.next(role, title + text), parent.node_id, role, title, text, depth=parent.depth + 1,  # type: ignore[arg-type]
            position=position, level=parent.depth + 1 if role == "section" else None, metadata=dict(more),
        )  # fmt: skip
        nodes.append(node)
        return node

    for chapter in range(1, CHAPTERS + 1):
        subject = subjects[(number * 7 + chapter) % len(subjects)]
        head = f"第{chapter}章 {subject}" if language == "zh" else f"{chapter} {subject.capitalize()}"
        above = add(nodes[0], "section", head)
        for part in range(1, 5):
            other = subjects[int(chance.integers(len(subjects)))]
            head = (
                f"{chapter}.{part} {other}与{subject}"
                if language == "zh"
                else f"{chapter}.{part} {other.capitalize()} and {subject}"
            )
            section = add(above, "section", head)
            for place in range(8 if chapter > 1 else 5):
                text = " ".join(_sentences(chance, language, subject, site))
                if place == 4 and part == 2:
                    rows = [["Unit", "2024", "2025"]] + [
                        [f"U{row}", *map(str, chance.integers(100, 999, 2))] for row in range(1, 5)
                    ]
                    add(section, "table", text="\n".join(map(" | ".join, rows)), rows=rows)
                elif len(nodes) < NODES:
                    add(section, "list" if place == 6 else "paragraph", text=text)
    return Tree(document_id_for(name), name, "text/markdown", 1, 12, nodes)


def _sentences(chance: np.random.Generator, language: str, subject: str, site: str) -> Iterator[str]:
    for _ in range(int(chance.integers(1, 4))):
        form = SENTENCES[language][int(chance.integers(4))]
        n, m, k = map(int, chance.integers((100, 20, 2), (900, 99, 19)))
        yield form.format(year=int(chance.integers(2001, 2026)), subject=subject, site=site, n=n, m=m, k=k)


def _markdown(tree: Tree) -> Iterator[str]:
    for node in tree.nodes:
        if node.role in ("document", "section"):
            yield "#" * (node.depth + 1) + " " + node.title
        elif node.role == "table":
            first, *rest = [f"| {line} |" for line in node.text.split("\n")]
            yield "\n".join([first, "|" + " --- |" * first.count(" | ") + " --- |", *rest])
        else:
            yield ("- " if node.role == "list" else "") + node.text


def _embed(library: Library) -> None:
    embedder = library.embedder
    assert embedder is not None
    chance = np.random.default_rng(5)
    while pending := library.storage.nodes_without_vector(embedder.name, 5_000):
        vectors = chance.standard_normal((len(pending), embedder.dimension), np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        keys, texts = [key for key, _ in pending], [text for _, text in pending]
        library.storage.add_vectors(embedder.name, keys, texts, vectors)


def _tell_topics(library: Library) -> None:
    """Put every document into three or four topics, and tell that it was looked at."""
    embedder = library.embedder
    assert embedder is not None
    chance = np.random.default_rng(3)
    names = [
        f"{site} {subject}" if language == "en" else f"{site}{subject}"
        for language in SUBJECTS
        for subject in SUBJECTS[language]
        for site in SITES[language]
    ]
    names = [names[int(place)] for place in chance.permutation(len(names))[:TOPICS]]
    topics = [StoredTopic(f"t{number:04}", name, forms=(name,)) for number, name in enumerate(names)]
    links, profiles = {}, []
    for document in library.documents():
        chosen = np.minimum(chance.zipf(1.3, size=4) - 1, TOPICS - 1)
        links[document.document_id] = [
            TopicLink(document.document_id, topics[int(place)].topic_id, round(0.9 - 0.1 * rank, 2))
            for rank, place in enumerate(dict.fromkeys(chosen.tolist()))
        ]
        vector = chance.standard_normal(embedder.dimension, np.float32)
        profiles.append(TopicProfile(
            document.document_id, state_of(document, embedder.name), document.name, document.name * 8, embedder.name,
            vector / np.linalg.norm(vector),
        ))  # fmt: skip
    library.storage.topics.save(topics, links, profiles)


if __name__ == "__main__":
    main()
