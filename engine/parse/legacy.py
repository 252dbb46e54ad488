"""Old Word and PowerPoint files (.doc, .ppt): LibreOffice, where it is installed, turns them into current ones.

It runs without a window, with a profile of its own in a folder that is thrown away, without macros, links or
network, and within the limit on time; the parsing worker watches its memory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from engine.config import ParsingSettings
from engine.errors import LimitExceededError, UnreadableFileError, UnsupportedFormatError
from engine.model import ParsedFile

if TYPE_CHECKING:
    import psutil

LegacyKind = Literal["doc", "ppt"]
MAX_SECONDS = 120.0
MAX_WRITTEN = 1024 * 1024 * 1024
_PROGRAMS = (
    "soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    "C:/Program Files/LibreOffice/program/soffice.exe",
)  # fmt: skip
# What it ends with once it has set up a new profile.
_START_AGAIN = 81
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9
# Nothing in a document may run, be loaded from elsewhere or reach the network: a proxy that is not there.
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{items}
</oor:items>
"""
_ITEM = '<item oor:path="/org.openoffice.{}"><prop oor:name="{}" oor:op="fuse"><value>{}</value></prop></item>'
_SCRIPTING, _PROXY = "Office.Common/Security/Scripting", "Inet/Settings"
_SETTINGS = (
    (_SCRIPTING, "MacroSecurityLevel", "3"),
    *((_SCRIPTING, f"Disable{what}", "true") for what in ("MacrosExecution", "ActiveContent")),
    (_SCRIPTING, "BlockUntrustedRefererLinks", "true"),
    ("Office.Writer/Content/Update", "Link", "0"),
    (_PROXY, "ooInetProxyType", "2"),
    *((_PROXY, f"ooInet{kind}ProxyName", "127.0.0.1") for kind in ("HTTP", "HTTPS")),
    *((_PROXY, f"ooInet{kind}ProxyPort", "9") for kind in ("HTTP", "HTTPS")),
)


# How people call an old format, and its media type; an x more names its successor.
FORMATS: dict[str, tuple[str, str]] = {
    "doc": ("an old Word (.doc) file", "application/msword"),
    "ppt": ("an old PowerPoint (.ppt) file", "application/vnd.ms-powerpoint"),
}


def libreoffice() -> str | None:
    """Return the path of LibreOffice's program, None where it is not installed."""
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if found is None:
        return None
    # The program itself, not the script that starts it, so that ending it leaves nothing behind.
    program = Path(found).resolve().with_name("soffice.bin")
    return str(program) if program.is_file() else found


def parse_legacy(
    path: Path, kind: str, name: str, settings: ParsingSettings, parse: Callable[[Path], ParsedFile],
    program: str | None,
) -> ParsedFile:  # fmt: skip
    """Return what ``parse`` makes of the file as ``program`` converts it. Raises as ``parse_file``."""
    called, media_type = FORMATS[kind]
    if program is None:
        raise UnsupportedFormatError(
            f"{name} is {called}. Save it as .{kind}x and add that, or install LibreOffice "
            "(libreoffice.org) on this computer: DropQA then reads such files itself."
        )
    with tempfile.TemporaryDirectory(prefix="dropqa-office-") as folder:
        converted = _converted(path, kind, name, settings, program, Path(folder))
        parsed = parse(converted)
    # Where a picture lies in the converted file, which is not kept, says nothing.
    blocks = [replace(b, metadata={k: v for k, v in b.metadata.items() if k != "source"}) for b in parsed.blocks]
    return replace(parsed, media_type=media_type, blocks=blocks)


def _converted(path: Path, kind: str, name: str, settings: ParsingSettings, program: str, folder: Path) -> Path:
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    items = "\n".join(_ITEM.format(*setting) for setting in _SETTINGS)
    user.joinpath("registrymodifications.xcu").write_text(_PROFILE.format(items=items), encoding="utf-8")
    shutil.copyfile(path, folder / f"file.{kind}")
    command = [
        program, "--headless", "--norestore", "--nolockcheck", "--nodefault", "--nofirststartwizard", "--nologo",
        f"-env:UserInstallation={user.parent.as_uri()}", "--convert-to", f"{kind}x",
        "--outdir", str(folder / "out"), str(folder / f"file.{kind}"),
    ]  # fmt: skip
    seconds = min(MAX_SECONDS, settings.timeout_seconds)
    if _run(command, folder, name, seconds) == _START_AGAIN:
        _run(command, folder, name, seconds)
    result = folder / "out" / f"file.{kind}x"
    if not result.is_file():
        raise UnreadableFileError(
            f"{name} is {FORMATS[kind][0]} that LibreOffice cannot open: it is damaged or protected by a password. "
            f"Open it in the program that made it, save it as .{kind}x and add that."
        )
    return result


def _run(command: list[str], folder: Path, name: str, seconds: float) -> int:
    """Run the program, return its exit code; end it with all it has started when its time is up."""
    home = {"HOME": str(folder), "TMPDIR": str(folder), "SAL_USE_VCLPLUGIN": "svp"}
    try:
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | home, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, preexec_fn=_bounded if sys.platform == "linux" else None,
        )  # fmt: skip
    except OSError as error:
        raise UnreadableFileError(f"{name} could not be converted: LibreOffice does not start ({error}).") from error
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired as error:
        raise LimitExceededError(
            f"{name} took LibreOffice longer than {seconds:g} seconds to convert. "
            "Save it in the current format and add that."
        ) from error
    finally:
        end_with_children(process.pid)
        process.wait()


def _bounded() -> None:
    """In the new process: die with the parser, write no file larger than a document can be."""
    import ctypes
    import resource

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_WRITTEN, MAX_WRITTEN))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def family_of(pid: int, with_children: bool = True) -> list[psutil.Process]:
    """Return a process, behind all that it has started, nothing when it is gone."""
    import psutil

    try:
        process = psutil.Process(pid)
        return [*(process.children(recursive=True) if with_children else ()), process]
    except psutil.Error:
        return []


def end_with_children(pid: int) -> None:
    """End a process and all that it has started."""
    import psutil

    for member in family_of(pid):
        with suppress(psutil.Error):
            member.kill()
