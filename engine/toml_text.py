"""Settings as the text of a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def toml_text(values: Mapping[str, Any], prefix: str = "") -> str:
    """Return nested values as TOML; tables inside are named under ``prefix``."""
    lines = [
        f"{key} = {_toml_value(value)}" for key, value in values.items() if not isinstance(value, Mapping)
    ]
    text = "\n".join(lines) + ("\n" if lines else "")
    for key, value in values.items():
        if isinstance(value, Mapping):
            name = f"{prefix}{key}"
            text += f"\n[{name}]\n" + toml_text(value, f"{name}.")
    return text


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml_value(item) for item in value) + "]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    escaped = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped)
    return f'"{escaped}"'
