"""Tell the licences of what running needs, and its known weaknesses: ``uv run python benchmarks/package_audit.py``.

Weaknesses are looked up by pip-audit for the pinned versions of ``requirements.txt``. Where the list of them is out of
reach, or does not know a package, that is told and no more. Ends with 1 where a newer version mends a weakness.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

from package_sizes import PROJECT, installed, reachable

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements.txt"
AUDIT = (
    "uv",
    "tool",
    "run",
    "pip-audit>=2.10,<3",
    "--disable-pip",
    "--require-hashes",
    "--format=json",
    "-r",
)
PATIENCE_SECONDS = 300
# Longer ones are the text of a licence, not its name.
LONGEST_NAME = 60
UNTOLD = "not told"


def licence(told: Mapping[str, Any]) -> str:
    """Return the name of a package's licence, as its metadata give it."""
    kinds = [line.split(" :: ")[-1] for line in told.get("classifier", ()) if line.startswith("License")]
    free = str(told.get("license", "")).strip()
    name = told.get("license_expression") or " / ".join(kinds) or (free if len(free) <= LONGEST_NAME else "")
    return str(name) or UNTOLD


def by_licence(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the installed packages by licence, the commonest first."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        found[licence(metadata(name).json)].append(name)
    return dict(sorted(found.items(), key=lambda one: -len(one[1])))


def audit() -> tuple[dict[str, Any] | None, str]:
    """Return the report of pip-audit, None where it made none, and what it said besides."""
    try:
        done = subprocess.run([*AUDIT, str(REQUIREMENTS)], capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        return json.loads(done.stdout), done.stderr
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    except json.JSONDecodeError:
        return None, done.stderr


def told_of(report: Mapping[str, Any]) -> tuple[list[str], bool]:
    """Return what to tell of a report, and whether a newer version mends something."""
    packages = report["dependencies"]
    lines, mended = [], False
    for package in packages:
        for weakness in package.get("vulns", ()):
            fixes = ", ".join(weakness["fix_versions"])
            mended = mended or bool(fixes)
            lines.append(f"{package['name']} {package['version']}: {weakness['id']}, mended in {fixes or '-'}")
    known = sum("skip_reason" not in package for package in packages)
    reach = "" if known else ", the list is out of reach"
    lines.append(f"{known} of {len(packages)} packages were looked up{reach}")
    return lines, mended


def main() -> int:
    """Print the licences, then the weaknesses."""
    for name, packages in by_licence(reachable(installed(), [PROJECT])).items():
        print(f"{name}: {', '.join(packages)}")
    report, said = audit()
    if report is None:
        print(f"\nWeaknesses could not be looked up: {said.strip()[-300:]}")
        return 0
    lines, mended = told_of(report)
    print("\nKnown weaknesses:", *lines, sep="\n")
    return int(mended)


if __name__ == "__main__":
    sys.exit(main())
