"""Labels of figures, tables, equations, sections: reading them, and one key for all ways of writing one.

"Fig. 3b", "Figure 3b" and 图3b have the key "figure 3b"; 1, 1a and 1b stay apart. Chinese numerals, Roman
numerals and full-width forms are brought to digits: 第三章 is "chapter 3", 表２－１ is "table 2-1".
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from engine.language import patterns
from engine.structure.numbering import CHINESE, value_of

KIND_OF: dict[str, str] = {word: kind for kind, words in patterns("labels").items() for word in words}
# A node of one of these kinds may be called by another of them: 图表 3 by 图 3, "Chart 2" by "Figure 2".
RELATED = {
    "figure": ("chart", "scheme", "plate", "map"), "chart": ("figure", "table"), "table": ("chart", "exhibit"),
    "scheme": ("figure",), "exhibit": ("table", "figure"), "section": ("chapter",),
    "chapter": ("section",), "appendix": ("section",),
}  # fmt: skip
NUMBER = (
    r"(?:[A-Z]{1,2}[.\-]?)?\d{1,4}(?:[.\-]\d{1,3}){0,4}(?:\s?\([a-z]\)|[a-z](?![a-z]))?"
    r"|(?-i:[IVX]{1,5})(?![A-Za-z])"
)
_CAPTION = re.compile(
    r"^\W{0,3}(?P<label>(?:(?P<word>(?:(?:extended data|supplementary) )?(?:fig(?:ure)?s?|table|tab|chart|graph|"
    r"diagram|scheme|exhibit|box|algorithm|listing|plate|map|abbildung|tabelle|equation))\b\.?\s*)"
    rf"(?P<number>{NUMBER}|(?-i:[A-Z])(?![A-Za-z]))"
    rf"|续?(?P<zh>图表|圖表|附图|附表|图|圖|表|专栏|式)\s?(?P<zhnumber>{NUMBER}|[{CHINESE}]{{1,4}}(?![{CHINESE}\w])))",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"^\s*(?:[:.：|︱。、]|[—–-]\s)?\s*(?:\(?(?:continued|cont\.?|续表?|續表?)\)?)?\s*[:：]?\s*", re.IGNORECASE
)
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−－﹣", "-"))


@dataclass(frozen=True, slots=True)
class Label:
    """A label as printed ("Fig. 3b"), its kind ("figure") and number ("3b")."""

    printed: str
    kind: str
    number: str

    @property
    def key(self) -> str:
        """The one form of all labels that mean the same place."""
        return f"{self.kind} {self.number}"


@lru_cache(maxsize=4096)
def label_of(text: str) -> Label | None:
    """Return the label that a caption, or a label by itself, begins with; None where there is none."""
    plain = plain_text(text[:120])
    match = _CAPTION.match(plain)
    if match is None:
        return None
    word = (match["word"] or match["zh"]).casefold().strip(". ")
    prefix = "s" if word.startswith("supplementary ") else "extended " if word.startswith("extended") else ""
    kind = KIND_OF[word.split()[-1]]
    number = prefix + number_key(match["number"] or match["zhnumber"])
    return Label(" ".join(match["label"].split()), kind, number)


def label_key(text: str) -> str:
    """Return the key of a label in any way of writing ("Fig. 3b" -> "figure 3b"), or "" when it is none."""
    label = label_of(text)
    return label.key if label else ""


def split_caption(text: str) -> tuple[Label | None, str]:
    """Return a caption's label and what follows it: "Table 3b. Costs" is (Table 3b, "Costs")."""
    match = _CAPTION.match(plain_text(text))
    rest = _SEPARATOR.sub("", text[match.end() :], count=1) if match else text
    return label_of(text), rest.strip()


def number_key(number: str) -> str:
    """Return one form of a number: "3(b)" is "3b", "２－１" is "2-1", "IV" and 四 are "4", "A.1" is "a.1"."""
    plain = plain_text(number).strip(" .")
    if re.fullmatch(rf"[{CHINESE}]+|[IVXLC]{{2,6}}|[IVX]", plain):
        return str(value_of(plain))
    return re.sub(r"[\s()]", "", plain).casefold()


def plain_text(text: str) -> str:
    """Return a text of the same length with full-width letters, digits, dashes and spaces made plain."""
    if text.isascii():
        return text
    return "".join(_plain_character(character) for character in text).translate(_DASHES)


@lru_cache(maxsize=8192)
def _plain_character(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character
