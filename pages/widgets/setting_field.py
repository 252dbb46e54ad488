"""One setting as a field: drawn by its type, and saved as soon as it is changed; what is wrong with it is told."""

import os
from collections.abc import Mapping
from typing import Any, get_args

import streamlit as st
from pydantic.fields import FieldInfo

from engine.config import Settings
from engine.export.harmless import plain
from engine.settings_section import Section
from engine.settings_sources import ALIASES
from pages.widgets.buttons import tell_next, tried
from pages.widgets.services import library
from pages.widgets.texts import named, t

_LIMITS = (("min_value", "ge"), ("min_value", "gt"), ("max_value", "le"))
# Numbers that are small where they matter; all others have two decimals.
_FINE = {"llm.answer_cost": (0.01, "%.4f")}


def field(name: str) -> None:
    """Draw the setting with this dotted name, such as "retrieval.top_k"."""
    value = value_of(library().settings, name)
    variables = overriding(name, os.environ)
    key = f"setting.{name}.{value}"
    with st.container(gap="xxsmall"):
        entry(name, value, key, disabled=bool(variables), on_change=_save, args=(name, key))
        if variables:
            st.caption(f":material/lock: {t('set.variable', name=plain(variables[0]))}")


def entry(name: str, value: Any, key: str, **look: Any) -> Any:
    """Draw the field of a setting, by its type, and return what stands in it; ``look`` is for Streamlit."""
    label = t(f"set.{name}")
    look |= {"key": key, "help": named(f"set.{name}.help", "") or None}
    if isinstance(value, bool):
        return st.toggle(label, value, **look)
    if options := get_args(info_of(name).annotation):
        names = {option: t(f"set.{name}.{option}") for option in options}
        return st.selectbox(label, options, options.index(value), format_func=names.__getitem__, **look)
    if isinstance(value, int):
        return st.number_input(label, value=value, step=1, **_bounds(name, int), **look)
    if isinstance(value, float):
        step, shown = _FINE.get(name, (0.05 if value <= 1 else 1.0, "%.2f"))
        return st.number_input(label, value=value, step=step, format=shown, **_bounds(name, float), **look)
    return st.text_input(label, value, **look)


def _save(name: str, key: str) -> None:
    if tried(lambda: library().update_settings({name: st.session_state[key]})):
        tell_next(t("settings.saved"))


def _bounds(name: str, kind: type[int] | type[float]) -> dict[str, Any]:
    limits = [(place, getattr(limit, at, None)) for limit in info_of(name).metadata for place, at in _LIMITS]
    return {place: kind(limit) for place, limit in limits if limit is not None}


def info_of(name: str) -> FieldInfo:
    """Return what is known of a setting: its type and bounds. Raises KeyError for one that does not exist."""
    section: type[Section] = Settings
    *parents, last = name.split(".")
    for parent in parents:
        section = section.model_fields[parent].annotation  # type: ignore[assignment]
    return section.model_fields[last]


def value_of(settings: Settings, name: str) -> Any:
    """Return the value of a setting by its dotted name."""
    value: Any = settings
    for part in name.split("."):
        value = getattr(value, part)
    return value


def overriding(name: str, environ: Mapping[str, str]) -> list[str]:
    """Return the environment variables that decide a setting whatever is saved."""
    names = [alias for alias, setting in ALIASES.items() if setting == name]
    names.append(f"DROPQA_{name.replace('.', '__').upper()}")
    return [variable for variable in names if environ.get(variable)]


def fields(*names: str) -> None:
    """Draw settings beside each other, as many as fit."""
    with st.grid(2, min_column_width=230, gap="small"):
        for name in names:
            field(name)


def advanced(*names: str) -> None:
    """Draw what few people change, folded."""
    with st.expander(t("set.advanced"), type="compact"):
        fields(*names)
