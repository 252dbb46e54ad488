"""The tables that every backend has (``tables.sql``); each backend adds what is its own.

Keys of nodes and ids of versions are never reused: the counters of ``meta`` see to it.
"""

from pathlib import Path

_FOLDER = Path(__file__).parent
# They came later than the tables.
CORRECTIONS = (_FOLDER / "corrections.sql").read_text("utf-8")
CHOICES = (_FOLDER / "choices.sql").read_text("utf-8")


def tables(*, version_id: str, of_version: str, facet_value: str) -> str:
    """Return the statements that make the tables.

    ``version_id`` is how the id of a version is declared, ``of_version`` are the columns that only this backend has of
    one, and ``facet_value`` is the type by which the values of facets come in their order.
    """
    shared = (_FOLDER / "tables.sql").read_text("utf-8")
    return shared.format(version_id=version_id, of_version=of_version, facet_value=facet_value)
