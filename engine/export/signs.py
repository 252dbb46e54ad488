"""Where the statements of an answer that its text alone does not tell of are to be told: a mark behind each."""

from collections.abc import Sequence

from engine.model import Statement

# Numbers from here on stand for statements among the marks of a text; no answer has so many sources.
FIRST = 500
_MOST = 400


def with_signs(text: str, statements: Sequence[Statement]) -> str:
    """Return an answer's text with a mark of its own, from :data:`FIRST` on, behind each statement to be told."""
    for number, one in reversed(list(enumerate(statements[:_MOST]))):
        if not told(text, one):
            continue
        said = text[one.start : one.end].rstrip()
        at = one.start + len(said)
        if said.endswith("|"):  # the last cell of a table's row
            at -= 1
        text = f"{text[:at]} [{FIRST + number}]{text[at:]}"
    return text


def told(text: str, one: Statement) -> bool:
    """True for a statement that its text alone does not tell of: not supported, or supported without a mark."""
    if one.state != "supported":
        return True
    said = text[one.start : one.end + 1]
    return bool(one.sources) and not any(f"[{n}]" in said for n in one.sources)
