"""What sections of settings are made of (:mod:`engine.config`)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    """Base of all settings sections: frozen, and an unknown key is an error."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_default=True,
        hide_input_in_errors=True,  # it may be a key
    )


class AddressSettings(Section):
    """The address of a service, and the key that belongs to it."""

    api_base: str = ""
    api_key: str = Field("", repr=False)
