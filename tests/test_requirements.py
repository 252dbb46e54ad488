"""``requirements.txt`` (pip, Streamlit Community Cloud) stays in step with ``pyproject.toml``."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PINNED = {
    canonicalize_name(match[1]): match[2]
    for match in re.finditer(r"^([\w.-]+)==([\w.!+-]+)", (ROOT / "requirements.txt").read_text(), re.M)
}


def test_every_dependency_is_pinned_to_a_version_it_allows():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]  # the image and Streamlit Community Cloud have them all
    for line in [*project["dependencies"], *(line for lines in extras.values() for line in lines)]:
        requirement = Requirement(line)
        version = PINNED.get(canonicalize_name(requirement.name))
        assert version, f"{requirement.name} is missing; see CONTRIBUTING in README.md"
        assert requirement.specifier.contains(version), line


def test_every_pin_has_a_hash_and_no_index_is_named():
    text = (ROOT / "requirements.txt").read_text()
    assert text.count("--hash=sha256:") >= len(PINNED)
    assert not re.search(r"^--(extra-)?index-url", text, re.M)
