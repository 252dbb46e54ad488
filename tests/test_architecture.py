"""The house stays in order: import directions, file sizes, broad excepts, private hosts."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [
    path for folder in ("engine", "storage", "pages", "benchmarks") for path in (ROOT / folder).rglob("*.py")
] + [ROOT / "app.py", ROOT / "asgi.py"]


def test_the_import_directions_are_kept():
    result = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout


def test_no_file_is_longer_than_500_lines():
    long = {str(path.relative_to(ROOT)): lines for path in SOURCES if (lines := path.read_text().count("\n")) > 500}
    assert not long


def test_pages_are_thin():
    thick = {path.name: n for path in (ROOT / "pages").glob("*.py") if (n := path.read_text().count("\n")) > 160}
    assert not thick


def test_parts_of_pages_are_made_by_what_keeps_them_on_their_page():
    made = {p.name for p in (ROOT / "pages").rglob("*.py") if re.search(r"\bst\.fragment\b", p.read_text())}
    assert made == {"fragments.py"}


def test_everything_is_caught_only_at_named_boundaries():
    broad = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SOURCES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"except( \(?(Base)?Exception|:)", line)
    ]
    assert len(broad) <= 12, broad


def test_no_package_index_is_named():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    hosts = re.compile(r"pythonhos" + r"ted\.org|py" + r"pi\.org|registry\.npm" + r"js|deb\.deb" + r"ian")
    naming = [
        name
        for name in tracked
        if name and (path := ROOT / name).is_file() and path.stat().st_size < 2_000_000
        and hosts.search(path.read_text("utf-8", errors="ignore"))
    ]  # fmt: skip
    assert not naming
