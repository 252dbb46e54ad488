"""Words that were cut at line ends, put together again."""

import re
from collections.abc import Iterable, Sequence
from functools import partial

from simplemma import is_known

from engine.parse.encoding import is_common
from engine.parse.pdf_text import Line, spaced

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_in_dictionary = partial(is_known, lang="en")


class Vocabulary:
    """The words of a document in lower case, and the dictionary for those that it has nowhere else."""

    def __init__(self, pages: Iterable[Iterable[Line]] = ()) -> None:
        self.words: set[str] = set()
        for text in (line.text.casefold() for lines in pages for line in lines):
            cut = text.rpartition(" ")[0] if text.endswith(("-", "\xad")) else text
            self.words.update(WORD.findall(cut))

    def keeps_hyphen(self, head: str, tail: str) -> bool:
        """Tell whether a word that ends a line in a hyphen keeps it: "well-known", not "compres-sor"."""
        capitals, tail = tail.isupper(), tail.casefold()
        whole, apart = head + tail, f"{head}-{tail}"
        if whole in self.words or apart in self.words:
            return whole not in self.words
        if _in_dictionary(apart):
            return not (_in_dictionary(whole) and is_common(whole))
        if _in_dictionary(whole):
            return False
        # What is no word may be a name: IBM-PC.
        return capitals or (min(len(head), len(tail)) > 2 and _in_dictionary(head) and _in_dictionary(tail))


def text_of(lines: Sequence[Line], vocabulary: Vocabulary) -> str:
    """Return the lines' text as one string, words that were hyphenated at line ends put together."""
    text = ""
    for line in lines:
        if len(text) < 2 or text[-1] not in "-\xad" or not (text[-2].isalnum() and line.text[0].isalnum()):
            text = spaced(text, line.text, True)
            continue
        head, tail = WORD.findall(text[-40:].rstrip("-\xad")), WORD.match(line.text)
        alike = text[-2].isalpha() and (line.text[0].islower() or (tail is not None and tail[0].isupper()))
        joined = alike and head and tail and not vocabulary.keeps_hyphen(head[-1].casefold(), tail[0])
        text = (text[:-1] if joined or text[-1] == "\xad" else text) + line.text
    return text.replace("\xad", "")
