"""A few small documents of our own, in both languages and several formats, to try DropQA with.

``benchmarks/sample_library.py`` writes them.
"""

from __future__ import annotations

from pathlib import Path

from engine.ingest import Source

FOLDER = Path(__file__).resolve().parent
SUFFIXES = (".pdf", ".docx", ".xlsx", ".md")
# What the documents can be asked, in English and Chinese; each is answered in the document it names.
QUESTIONS = {
    "northlight-annual-report-2025.pdf": (
        "What limits the growth of the storage segment?", "什么限制了储能业务的增长？"
    ),
    "turbine-spare-parts.xlsx": (
        "How long is the lead time for a main bearing?", "主轴承的交货期是多长？"
    ),
    "turbine-service-guide.docx": (
        "At what wind speed must work in the nacelle stop?", "风速达到多少时必须停止机舱作业？"
    ),
    "员工手册.md": (
        "How many days of paid leave does an employee have after one year?", "入职满一年的员工有几天年假？"
    ),
    "储能电站巡检规程.docx": (
        "How often are the battery containers inspected?", "电池舱多久巡检一次？"
    ),
}  # fmt: skip


def sample_sources() -> list[Source]:
    """Return the sample documents as files to add."""
    return [Source(path.name, path) for path in sorted(FOLDER.iterdir()) if path.suffix in SUFFIXES]
