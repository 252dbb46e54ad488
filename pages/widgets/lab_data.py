"""A search taken apart, as plain values that the lab's drawings take."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.model import Hit
from engine.retrieve.fusion import TERMS
from engine.retrieve.inspect import Inspection
from pages.widgets.document_view import page_kind
from pages.widgets.places import document_address
from pages.widgets.texts import around, named, short, t

# In the order of the search; "nodes" is when the fused ranking is made.
STAGES = (
    "scope", "keyword", "embed", "dense", "sparse", "named", "nodes", "expand", "rerank", "reading",
    "rerank_model",
)  # fmt: skip
LABEL_CHARACTERS = 90
TEXT_CHARACTERS = 240


def stages_data(inspection: Inspection) -> dict[str, Any]:
    """Return the strip of stages: name, what it does, milliseconds, how many nodes came out."""
    counts: dict[str, int | None] = {stage.name: stage.count for stage in inspection.stages}
    counts |= {"nodes": counts.get("fused"), "expand": len(inspection.walk), "keyword": counts.get("fused")}
    if inspection.mode == "keyword":
        counts.pop("nodes")
    times = inspection.timings_ms
    longest = max(times.values(), default=0) or 1
    shown = [name for name in STAGES if name in times]
    rows = [_stage(name, times[name], times[name] / longest, counts.get(name)) for name in shown]
    rows.append(_stage("hits", times.get("total", sum(times.values())), 1.0, len(inspection.hits)))
    return {"label": t("lab.stages"), "rows": rows}


def _stage(name: str, ms: float, share: float, count: int | None) -> dict[str, Any]:
    told = {"name": t(f"lab.stage.{name}"), "about": t(f"lab.about.{name}")}
    time = t("lab.ms", ms=f"{ms:,.0f}" if ms >= 10 else f"{ms:.1f}")
    return told | {"ms": time, "share": share, "count": _nodes(count)}


def views_data(inspection: Inspection, chosen: str | None) -> dict[str, Any]:
    """Return the rankings side by side; ``chosen`` is the node that is marked in all of them."""
    shown = {hit.node_id for hit in inspection.hits}
    columns = [
        {
            "name": t(f"lab.stage.{stage.name}"),
            "count": _nodes(stage.count),
            "rows": [
                {
                    "id": one.node_id, "rank": one.rank, "score": f"{one.score:.3f}", "hit": one.node_id in shown,
                    "text": label(around(one.text, inspection.query, LABEL_CHARACTERS), one.path),
                    "where": _where(one.document, one.page),
                }
                for one in stage.nodes
            ],
        }
        for stage in inspection.stages
    ]  # fmt: skip
    more, fewer = t("lab.stage.more"), t("lab.stage.fewer")
    return {"columns": columns, "chosen": chosen or "", "more": more, "fewer": fewer}


def scores_data(inspection: Inspection, chosen: str | None, moved: Mapping[str, str]) -> dict[str, Any]:
    """Return the hits with their scores taken apart; shares are of the longest bar, ``moved`` as of :func:`moved`."""
    gains = [sum(value for value in parts.values() if value > 0) for parts in inspection.parts.values()]
    longest = max(gains, default=0) or 1
    parts, notes = inspection.parts, (_judged(inspection), moved)
    rows = [_score_row(hit, parts.get(hit.node_id, {}), longest, notes) for hit in inspection.hits]
    used = set[str]().union(*inspection.parts.values())
    legend = [_part(name) for name in sorted(used, key=_place)]
    says = {"expected": t("lab.expected"), "open": t("lab.open")}
    return {"rows": rows, "legend": legend, "chosen": chosen or "", "says": says}


def _judged(inspection: Inspection) -> dict[str, str]:
    judging = next((stage.nodes for stage in inspection.stages if stage.name == "rerank_model"), ())
    return {one.node_id: t("lab.judged", score=f"{one.score:.2f}") for one in judging}


def _score_row(
    hit: Hit, parts: Mapping[str, float], longest: float, notes: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    return {
        "id": hit.node_id, "rank": hit.rank, "score": f"{hit.score:.3f}",
        "text": label(hit.snippet, hit.path, TEXT_CHARACTERS) or t(f"role.{hit.role}"),
        "where": _where(hit.document, hit.page),
        "path": " › ".join(hit.path),
        "href": document_address(doc=hit.document_id, version=hit.version, node=hit.node_id, page=hit.page),
        "parts": [
            _part(name) | {"value": f"{value:+.3f}", "share": max(0.0, value) / longest}
            for name, value in sorted(parts.items(), key=lambda item: _place(item[0]))
        ],
        "notes": [told[hit.node_id] for told in notes if hit.node_id in told],
    }  # fmt: skip


def moved(first: Inspection, second: Inspection) -> dict[str, str]:
    """Return what became of each hit of the second search, by its id, against where it stood in the first."""
    before = {hit.node_id: hit.rank for hit in first.hits}
    told = {}
    for hit in second.hits:
        if (rank := before.get(hit.node_id)) is None:
            told[hit.node_id] = t("compare.new")
        elif rank == hit.rank:
            told[hit.node_id] = t("compare.same")
        else:
            told[hit.node_id] = t("compare.up" if hit.rank < rank else "compare.down", count=abs(rank - hit.rank))
    return told


def label(text: str, path: Sequence[str], characters: int = LABEL_CHARACTERS) -> str:
    """Return a line that stands for a node: its text, or its section's title where it has none."""
    return short(" ".join(text.split()) or (path[-1] if path else ""), characters)


def _part(name: str) -> dict[str, str]:
    return {"name": name if name in TERMS else "other", "label": named(f"lab.part.{name}", name)}


def _place(name: str) -> int:
    return TERMS.index(name) if name in TERMS else len(TERMS)


def _where(document: str, page: int | None) -> str:
    return f"{document} · {t(f'answer.{page_kind(document)}', page=page)}" if page else document


def _nodes(count: int | None) -> str:
    return "" if count is None else t("lab.count", count=count)
