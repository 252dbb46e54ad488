"""Print the installed packages by size, and by who needs them: ``uv run python benchmarks/package_sizes.py``.

``alone`` is what a package's removal would free: its own size and that of the packages that only it brings.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

PROJECT = "dropqa"
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package: its size in bytes and the names of the installed packages that it requires."""

    name: str
    version: str
    size: int
    needs: frozenset[str]


def installed() -> dict[str, Package]:
    """Return the packages of this environment by name."""
    found = {canonicalize_name(one.metadata["Name"]): one for one in distributions()}
    requirements = {name: _requirements(one) for name, one in found.items()}
    extras: set[tuple[str, str]] = set()  # that somebody asks for: of which package, which one
    while True:
        active = {
            name: [one for one in some if _holds(one, {extra for package, extra in extras if package == name})]
            for name, some in requirements.items()
        }
        asked = {
            (canonicalize_name(one.name), extra) for some in active.values() for one in some for extra in one.extras
        }
        if asked <= extras:
            break
        extras |= asked
    return {
        name: Package(
            name,
            one.version,
            _size(one),
            frozenset(canonicalize_name(wanted.name) for wanted in active[name]) & found.keys() - {name},
        )
        for name, one in found.items()
    }


def reachable(packages: Mapping[str, Package], start: Iterable[str], without: str = "") -> set[str]:
    """Return what installing ``start`` brings, itself included, with ``without`` left out."""
    seen: set[str] = set()
    waiting = [name for name in start if name != without and name in packages]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += [needed for needed in packages[name].needs if needed != without]
    return seen


def needed_by(packages: Mapping[str, Package], name: str) -> list[str]:
    """Return the packages that require ``name`` themselves, in alphabetical order."""
    return sorted(other.name for other in packages.values() if name in other.needs)


def freed_without(packages: Mapping[str, Package], name: str) -> int:
    """Return the bytes that the project would weigh less if nothing required ``name`` any more."""
    kept = reachable(packages, [PROJECT], without=name)
    return sum(packages[one].size for one in reachable(packages, [PROJECT]) - kept)


def _requirements(distribution: Distribution) -> list[Requirement]:
    requirements = []
    for line in distribution.requires or []:
        with contextlib.suppress(InvalidRequirement):
            requirements.append(Requirement(line))
    return requirements


def _holds(wanted: Requirement, extras: Iterable[str]) -> bool:
    """Tell whether a requirement holds on this machine, for the extras that somebody asked for."""
    return wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *extras))


def _size(distribution: Distribution) -> int:
    """Return the bytes of the files that the package installed and that are there."""
    total = 0
    for file in distribution.files or []:
        try:
            total += file.locate().stat().st_size  # type: ignore[attr-defined]
        except OSError:
            continue  # byte code that was never written
    return total


def main() -> None:
    """Print a table, the largest first, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--least", type=float, default=1.0, help="leave out smaller ones (MB)")
    least = parser.parse_args().least * MEGABYTE
    packages = installed()
    run = reachable(packages, [PROJECT])
    print(f"{'package':34}{'MB':>8}{'alone':>8}  needed by")
    for one in sorted(packages.values(), key=lambda package: -package.size):
        if one.size >= least:
            users = ", ".join(needed_by(packages, one.name)) or ("-" if one.name in run else "tests")
            alone = freed_without(packages, one.name) / MEGABYTE
            print(f"{one.name + ' ' + one.version:34}{one.size / MEGABYTE:8.1f}{alone:8.1f}  {users}")
    weight = sum(packages[name].size for name in run) / MEGABYTE
    everything = sum(one.size for one in packages.values()) / MEGABYTE
    print(f"\n{len(run)} packages, {weight:.0f} MB, are what running needs; "
          f"{len(packages)} packages, {everything:.0f} MB, are installed.")  # fmt: skip


if __name__ == "__main__":
    main()
