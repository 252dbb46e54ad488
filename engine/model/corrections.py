"""What people say of a document against what was read in it."""

from dataclasses import dataclass
from typing import Literal

from engine.model.values import Value

CorrectionKind = Literal["heading", "text", "title", "header_rows"]
TITLE = "title"


@dataclass(frozen=True, slots=True)
class Correction(Value):
    """A correction by hand: something is a heading (of a ``level``, with another ``text`` where that is given), or is
    none ("text"); the document has this title; the first ``rows`` of a table are its header.

    ``place`` finds it in any version of the file by what stands there (see ``engine.structure.corrections``); of a
    document there is one for each place. ``said`` is what stood there, for people.
    """

    kind: CorrectionKind
    place: str = TITLE
    text: str = ""
    level: int = 1
    rows: int = 0
    said: str = ""
