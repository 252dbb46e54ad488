"""Words that unrelated documents have in common, for ``engine/language/general_words.toml``.

    python -m benchmarks.general_words COLLECTION... > engine/language/general_words.toml

A COLLECTION is a folder of documents on one subject or by one author: Markdown files, PDF files (of which the bookmarks
are read) and lines of JSON with a "text". A word of headings is general when it stands in those of several documents
out of several collections. A Chinese heading that comes again in one collection is its form, as 总则 is of laws, and so
is the word that its titles end with, as 条例. A word of texts is general when several collections have it in one
document of a hundred.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pymupdf

from engine.structure.numbering import without_number
from engine.structure.terms import HAN, singular
from engine.topics.given_names import lexicon

HEADED_DOCUMENTS, HEADED_COLLECTIONS = 6, 3
FORM_DOCUMENTS, FORM_SHARE, LONGEST_FORM = 4, 0.03, 8
# English texts are most of what there is to count.
TEXT_SHARE, TEXT_DOCUMENTS, TEXT_COLLECTIONS = 0.01, 4, {True: 3, False: 4}
MOST_DOCUMENTS = 2000
_CODE = re.compile(r"```.*?```", re.DOTALL)
_HEADING = re.compile(r"^#{1,4}\s+(.+?)\s*#*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_WORD = re.compile(r"[a-z][a-z'-]+")


def main() -> None:
    """Print the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", type=Path, nargs="+")
    headed, headed_in, said_in = Counter[str](), Counter[str](), Counter[str]()
    forms: set[str] = set()
    for folder in parser.parse_args().collections:
        read = itertools.chain.from_iterable(map(_documents, sorted(folder.rglob("*"))))
        documents = list(itertools.islice(read, MOST_DOCUMENTS))
        words, whole, ends, said = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
        for headings, text in documents:
            words.update({word for heading in headings for word in _pairs_and_words(heading)})
            whole.update({heading for heading in headings if HAN.fullmatch(heading)})
            ends.update({lexicon().parted(heading)[-1] for heading in headings[:1] if HAN.fullmatch(heading)})
            said.update(set(_words(text)))
        headed += words
        headed_in.update(words.keys())
        least = max(FORM_DOCUMENTS, FORM_SHARE * sum(bool(headings) for headings, _ in documents))
        forms |= {text for text, count in (whole + ends).items() if count >= least and 1 < len(text) <= LONGEST_FORM}
        least = max(TEXT_DOCUMENTS, TEXT_SHARE * len(documents))
        said_in.update(word for word, count in said.items() if count >= least)
    lists = {
        "headings": {
            word
            for word, count in headed.items()
            if count >= HEADED_DOCUMENTS and headed_in[word] >= HEADED_COLLECTIONS
        },
        "forms": forms,
        "texts": {word for word, count in said_in.items() if count >= TEXT_COLLECTIONS[bool(HAN.match(word))]},
    }
    lines = ["# Made by `python -m benchmarks.general_words`, which says what the lists are."]
    for name, found in lists.items():
        lines += [f'{name} = """', *_wrapped(sorted(found)), '"""']
    print("\n".join(lines))


def _documents(path: Path) -> Iterator[tuple[list[str], str]]:
    """Yield the headings and the text, in lower case, of each document in a file."""
    if path.suffix == ".md":
        text = _CODE.sub("", path.read_text("utf-8", "replace"))
        yield list(map(_plain, _HEADING.findall(text))), text.casefold()
    elif path.suffix == ".pdf":
        with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]
            yield [_plain(str(entry[1])) for entry in document.get_toc()], ""
    elif path.suffix == ".jsonl":
        for line in path.read_text("utf-8").splitlines():
            yield [], str(json.loads(line).get("text", "")).casefold()


def _plain(heading: str) -> str:
    plain = without_number(_LINK.sub(r"\1", heading))
    return " ".join(re.sub(r"[^\w'’&-]+", " ", plain).casefold().split())


def _pairs_and_words(heading: str) -> Iterator[str]:
    """Yield the words of a heading; Chinese, which marks none, by pairs of characters."""
    for run in HAN.findall(heading):
        yield from map("".join, itertools.pairwise(run))
    yield from map(singular, _WORD.findall(HAN.sub(" ", heading)))


def _words(text: str) -> Iterator[str]:
    for run in HAN.findall(text):
        yield from (word for word in lexicon().parted(run) if len(word) > 1)
    yield from map(singular, _WORD.findall(HAN.sub(" ", text)))


def _wrapped(words: list[str], width: int = 110) -> Iterator[str]:
    line = ""
    for word in words:
        if len(line) + len(word) >= width:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    yield line


if __name__ == "__main__":
    main()
