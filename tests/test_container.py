"""The image and its example: every step refers to what there is, nothing runs with rights, health is asked for."""

import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
STAGES = [stage.strip() for stage in re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]]
LAST = dict(re.findall(r"^([A-Z]+) (.+(?:\\\n.*|\n    .*)*)", STAGES[-1], re.MULTILINE))
APP = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["dropqa"]


def test_the_image_has_a_python_that_the_project_takes_and_the_pinned_packages_as_they_stand():
    assert all(stage.startswith("python:3.11-slim") for stage in STAGES)
    assert "--no-deps -r /tmp/requirements.txt" in STAGES[0]


def test_the_linter_of_images_finds_nothing():
    hadolint = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([hadolint, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_runs_as_a_user_without_rights_that_is_a_number():
    assert re.fullmatch(r"[1-9]\d{3,}", LAST["USER"])
    assert f"--uid {LAST['USER']}" in STAGES[-1]


def test_what_it_starts_is_a_command_on_the_port_that_is_open():
    from engine.interfaces.cli import _parser

    options = _parser().parse_args(re.findall(r'"([^"]+)"', LAST["CMD"]))
    assert (options.command, options.no_browser, str(options.port)) == ("app", True, LAST["EXPOSE"])
    assert LAST["ENTRYPOINT"] == '["python", "-m", "engine.interfaces.cli"]'
    assert APP["ports"] == [f"127.0.0.1:{options.port}:{options.port}"]


def test_health_is_asked_for_at_an_address_that_is_served_before_signing_in():
    from engine.interfaces.gate import PROBES

    port, path = re.search(r"127\.0\.0\.1:(\d+)(/\w+)", LAST["HEALTHCHECK"]).groups()
    assert port == LAST["EXPOSE"] and path in PROBES


@pytest.mark.parametrize(
    "path",
    [
        "app.py",
        "asgi.py",
        "engine",
        "pages",
        "storage",
        "static",
        ".streamlit/config.toml",
        "requirements.txt",
    ],
)
def test_what_the_app_needs_is_let_through(path):
    assert (ROOT / path).exists() and not left_out(path)


@pytest.mark.parametrize("path", ["tests", ".git", "shared", ".venv", "dropqa.toml", ".streamlit/secrets.toml", "docs"])
def test_what_it_does_not_need_or_is_secret_is_left_out(path):
    assert left_out(path)


def left_out(path: str) -> bool:
    rules = (ROOT / ".dockerignore").read_text().split()
    out = False
    for rule in rules:  # the last that matches counts
        if fnmatch(path, rule.lstrip("!")):
            out = not rule.startswith("!")
    return out


def test_the_example_keeps_the_library_in_a_volume_and_gives_no_rights():
    library = re.search(r"DROPQA_LIBRARY=(\S+)", STAGES[-1]).group(1)
    assert f"library:{library}" in APP["volumes"] and f"VOLUME {library}" in STAGES[-1]
    assert APP["read_only"] and APP["cap_drop"] == ["ALL"] and "no-new-privileges:true" in APP["security_opt"]


def test_variables_that_the_example_passes_on_are_settings():
    from engine.settings_sources import _setting_of, load_settings

    values = {name: "localhost" if "HOSTS" in name else "" for name in APP["environment"]}
    assert all(_setting_of(name) for name in values)
    load_settings(environ=values)
