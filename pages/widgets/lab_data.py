"""A search taken apart, as plain values that the lab's drawings take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.retrieve.fusion import TERMS
from pages.widgets.document_view import page_kind
from pages.widgets.places import document_address
from pages.widgets.texts import named, short, t

if TYPE_CHECKING:
    from engine.model import Hit
    from engine.retrieve.inspect import Inspection, Ranked

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
                    "text": label(one.text, one.path), "where": _where(one.document, one.page),
                }
                for one in stage.nodes
            ],
        }
        for stage in inspection.stages
    ]  # fmt: skip
    more, fewer = t("lab.stage.more"), t("lab.stage.fewer")
    return {"columns": columns, "chosen": chosen or "", "more": more, "fewer": fewer}


def scores_data(inspection: Inspection, chosen: str | None) -> dict[str, Any]:
    """Return the hits with their scores taken apart; shares are of the longest bar."""
    rows: list[dict[str, Any]] = []
    used: set[str] = set()
    gains = [sum(value for value in parts.values() if value > 0) for parts in inspection.parts.values()]
    longest = max(gains, default=0) or 1
    judging = next((stage.nodes for stage in inspection.stages if stage.name == "rerank_model"), ())
    judged = {one.node_id: t("lab.judged", score=f"{one.score:.2f}") for one in judging}
    for hit in inspection.hits:
        parts = inspection.parts.get(hit.node_id) or {}
        used |= parts.keys()
        rows.append(
            {
                "id": hit.node_id,
                "rank": hit.rank,
                "score": f"{hit.score:.3f}",
                "text": label(hit.snippet, hit.path, TEXT_CHARACTERS),
                "where": _where(hit.document, hit.page),
                "path": " › ".join(hit.path),
                "href": address_of(hit),
                "parts": [
                    _part(name) | {"value": f"{value:+.3f}", "share": max(0.0, value) / longest}
                    for name, value in sorted(parts.items(), key=lambda item: _place(item[0]))
                ],
                "judged": judged.get(hit.node_id, ""),
            }
        )  # fmt: skip
    legend = [_part(name) for name in sorted(used, key=_place)]
    says = {"expected": t("lab.expected"), "open": t("lab.open")}
    return {"rows": rows, "legend": legend, "chosen": chosen or "", "says": says}


def walk_data(inspection: Inspection, origins: dict[str, str], chosen: str | None) -> dict[str, Any]:
    """Return the walk by the node it began at; ``origins`` are labels of those nodes."""
    ranks = {hit.node_id: hit.rank for hit in inspection.hits}
    groups: dict[str, list[dict[str, Any]]] = {}
    for step in inspection.walk:
        groups.setdefault(step.origin, []).append(
            {"id": step.node_id, "label": step.label, "kind": step.kind,
             "named": named(f"lab.kind.{step.kind}", step.kind), "hit": _hit(ranks.get(step.node_id))}
        )  # fmt: skip
    drawn = [
        {"id": one, "label": origins.get(one, one), "hit": _hit(ranks.get(one)), "steps": steps}
        for one, steps in groups.items()
    ]
    return {"groups": drawn, "chosen": chosen or "", "label": t("lab.view.walk")}


def changes_data(first: Inspection, second: Inspection, chosen: str | None) -> dict[str, Any]:
    """Return the hits under two settings: those of the second in order, then those that are gone."""
    before = {hit.node_id: hit.rank for hit in first.hits}
    after = {hit.node_id: hit.rank for hit in second.hits}
    rows = [_change(hit, before.get(hit.node_id), hit.rank) for hit in second.hits]
    rows += [_change(hit, hit.rank, None) for hit in first.hits if hit.node_id not in after]
    kinds = [row["kind"] for row in rows]
    summary = t(
        "compare.summary", new=kinds.count("new"), gone=kinds.count("gone"),
        moved=kinds.count("up") + kinds.count("down"), same=kinds.count("same"),
    )  # fmt: skip
    return {
        "rows": rows, "summary": summary, "label": t("compare.label"), "chosen": chosen or "",
        "first": t("compare.first"), "second": t("compare.second"),
    }  # fmt: skip


def address_of(hit: Hit) -> str:
    """Return the address of the Document page at a hit, relative to any page."""
    return document_address(doc=hit.document_id, version=hit.version, node=hit.node_id, page=hit.page)


def origins_of(inspection: Inspection) -> dict[str, str]:
    """Return a label for every node that stands in one of the rankings."""
    nodes: Sequence[Ranked] = [node for stage in inspection.stages for node in stage.nodes]
    return {node.node_id: label(node.text, node.path) for node in nodes}


def label(text: str, path: Sequence[str], characters: int = LABEL_CHARACTERS) -> str:
    """Return a line that stands for a node: its text, or its section's title where it has none."""
    return short(" ".join(text.split()) or (path[-1] if path else ""), characters)


def _part(name: str) -> dict[str, str]:
    return {"name": name if name in TERMS else "other", "label": named(f"lab.part.{name}", name)}


def _place(name: str) -> int:
    return TERMS.index(name) if name in TERMS else len(TERMS)


def _change(hit: Hit, before: int | None, after: int | None) -> dict[str, Any]:
    if before is None or after is None:
        kind = "new" if before is None else "gone"
        told = t(f"compare.{kind}")
    else:
        kind = "same" if before == after else "up" if after < before else "down"
        told = t(f"compare.{kind}") if kind == "same" else t(f"compare.{kind}", count=abs(before - after))
    return {
        "id": hit.node_id, "before": before, "after": after, "kind": kind, "told": told,
        "text": label(hit.snippet, hit.path), "where": _where(hit.document, hit.page), "href": address_of(hit),
    }  # fmt: skip


def _hit(rank: int | None) -> str:
    return t("lab.walk.hit", rank=rank) if rank else ""


def _where(document: str, page: int | None) -> str:
    return f"{document} · {t(f'answer.{page_kind(document)}', page=page)}" if page else document


def _nodes(count: int | None) -> str:
    return "" if count is None else t("lab.count", count=count)
