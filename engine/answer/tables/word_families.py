"""Words that questions and tables use for the same thing: "planes" asks for "Aircraft", "spent" for "expense"."""

from __future__ import annotations

from functools import lru_cache

from engine.enrich.synonyms import load_synonyms
from engine.index.tokenize import tokens

# One family a line; a word may be in several.
_FAMILIES = """
aircraft airplane aeroplane plane jet
employee staff worker personnel workforce headcount people work employ
expense cost spend spent expenditure outlay charge pay paid
salary wage remuneration compensation payroll
revenue sale turnover receipt
revenue earn
income earnings profit earn
loss deficit
purchase buy bought acquire acquisition
sell sold sale disposal dispose
borrowing debt loan
interest
rent rental lease
shareholder stockholder
stock share
property premise
consume consumption use
dividend distribution
vehicle car
customer client
supplier vendor
order commitment backlog
mature maturity due
expire expiration expiry
forecast guidance outlook
fee commission
gain profit
country nation
city town municipality
attendance crowd spectator attend
opponent rival versus
venue stadium arena ground
location place where
victory win won winner
defeat loss lost
draw tie tied drawn
director directed
male man men
female woman women
author writer written wrote
language spoken
inhabitant population resident people live
born birth birthdate
die died death
height tall
length long
weight heavy
area large size
age old
finish position place rank
position job role title post
role character part
appearance app cap match game play
passenger traveller traveler
movie film
song track single
show series programme program
club team side
manager coach
seat constituency
vote ballot
party affiliation
medal award
station stop
route line
mountain peak summit
built constructed construction completed completion opened
founded established establishment foundation
price cost
duration length time
speed fast
"""
_ROOT = 4
_LONGEST_ENDING = 4


@lru_cache(maxsize=1)
def _families() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _FAMILIES.split("\n"):
        family = frozenset(token for word in line.split() for token in tokens(word))
        for token in family:
            found[token] = found.get(token, frozenset()) | family
    for forms in load_synonyms().units.values():
        written = (tokens(form) for form in forms if form.isascii())
        single = frozenset(found_tokens[0] for found_tokens in written if len(found_tokens) == 1)
        for token in single:
            found[token] = found.get(token, frozenset()) | single
    return found


def alike(feature: str) -> frozenset[str]:
    """Return the other words of a feature's families."""
    return _families().get(feature, frozenset()) - {feature}


def same_root(a: str, b: str) -> bool:
    """True for stems of one word: "consum" and "consumpt", "rent" and "rental"."""
    short, long = sorted((a, b), key=len)
    alphabetic = short.isascii() and long.isalpha()
    return (
        alphabetic
        and len(short) >= _ROOT
        and long.startswith(short)
        and len(long) - len(short) <= _LONGEST_ENDING
    )
