"""What sections of settings are made of (:mod:`engine.config`)."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _listed(given: object) -> object:
    """Part a text at its commas: variables of the environment have lists in that form."""
    return [part.strip() for part in given.split(",")] if isinstance(given, str) else given


Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class Section(BaseModel):
    """Base of all settings sections: frozen, and an unknown key is an error."""

    # What is given may be a key: errors do not repeat it.
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, hide_input_in_errors=True)


class AddressSettings(Section):
    """The address of a service, and the key that belongs to it."""

    api_base: str = ""
    api_key: str = Field("", repr=False)
