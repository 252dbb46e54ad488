"""What people and things of a country are called: "the Jamaican runners" are those of a list with "Jamaica" in a cell.

A question is written with the name of the country as the cells have it, where they have it and not the other word.
"""

from __future__ import annotations

import re

from engine.answer.tables.matching import plain
from engine.answer.tables.table_source import TableSource

# One country a line: what is said of it, and after the colon the names it may stand under.
_COUNTRIES = """
british briton: great britain, united kingdom, gbr, uk
english: england
scottish scot: scotland
welsh: wales
irish: ireland, republic of ireland
american: united states, usa, us, united states of america
canadian: canada
mexican: mexico
cuban: cuba
jamaican: jamaica
bahamian: bahamas, the bahamas
brazilian: brazil
argentine argentinian argentinean: argentina
chilean: chile
colombian: colombia
peruvian: peru
venezuelan: venezuela
uruguayan: uruguay
french: france
german: germany, west germany, east germany
dutch: netherlands, the netherlands, holland
belgian: belgium
swiss: switzerland
austrian: austria
italian: italy
spanish spaniard: spain
portuguese: portugal
greek: greece
turkish turk: turkey, türkiye
danish dane: denmark
swedish swede: sweden
norwegian: norway
finnish finn: finland
icelandic: iceland
polish pole: poland
czech: czech republic, czechoslovakia, czechia
slovak: slovakia
hungarian: hungary
romanian: romania
bulgarian: bulgaria
serbian serb: serbia
croatian croat: croatia
slovenian slovene: slovenia
ukrainian: ukraine
russian: russia, russian federation
soviet: soviet union, ussr
belarusian: belarus
estonian: estonia
latvian: latvia
lithuanian: lithuania
georgian: georgia
kazakh: kazakhstan
chinese: china, people's republic of china
japanese: japan
korean: south korea, korea, north korea
indian: india
pakistani: pakistan
indonesian: indonesia
malaysian: malaysia
thai: thailand
vietnamese: vietnam
filipino: philippines, the philippines
australian: australia
israeli: israel
iranian: iran
iraqi: iraq
saudi: saudi arabia
egyptian: egypt
moroccan: morocco
algerian: algeria
tunisian: tunisia
ethiopian: ethiopia
kenyan: kenya
ugandan: uganda
tanzanian: tanzania
nigerian: nigeria
ghanaian: ghana
senegalese: senegal
cameroonian: cameroon
"""
_NAMES = {
    word: [name.strip() for name in names.split(",")]
    for line in _COUNTRIES.strip().split("\n")
    for said, _, names in [line.partition(":")]
    for word in said.split()
}
_SAID = re.compile(
    rf"\b(?P<word>{'|'.join(sorted(_NAMES, key=len, reverse=True))})(?P<plural>s)?\b(?: (?P<noun>[a-z]{{3,}}))?",
    re.IGNORECASE,
)
_NO_NOUN = frozenset(
    "did does was were are has have had who that which ran swam made won lost finished competed".split()
)


def with_countries(question: str, source: TableSource) -> str:
    """Return a question with the country that it calls by its people as the cells of the table name it."""
    table = source.table
    texts = {plain(table.text(row.index, column.index)) for row in table.records for column in table.columns}

    def named(match: re.Match[str]) -> str:
        word = match["word"].casefold()
        country = next(
            (name for name in _NAMES[word] if name in texts or any(t.startswith(f"{name} (") for t in texts)),
            None,
        )
        if country is None or any(re.search(rf"\b{word}\b", text) for text in texts):
            return match[0]
        noun = match["noun"] or ""
        if match["plural"] or not noun or noun.casefold() in _NO_NOUN:
            return f"competitors from {country} {noun}".rstrip()
        return f"{noun} from {country}"

    return _SAID.sub(named, question)
