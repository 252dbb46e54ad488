"""A few small documents of our own, in both languages, to try DropQA with: by ``benchmarks/sample_library.py``."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "static" / "samples"
# What each can be asked, in its own language.
QUESTIONS = {
    "northlight-annual-report-2025.pdf": "How much revenue does one percent less wind cost?",
    "turbine-spare-parts.xlsx": "What is the lead time of the main bearing for the NL-150?",
    "turbine-service-guide.docx": "At what wind speed does work in the nacelle stop?",
    "员工手册.md": "入职满一年的员工有几天年假？",
    "储能电站巡检规程.docx": "进入电池舱前要先做什么？",
}
