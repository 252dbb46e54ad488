"""Irregular English words in their other forms: a question asks how long it will "take" where a text says it "took".

The index knows words by their stems, which bring "training" and "trained" together, but not these. Where a question is
held against a text, one form stands for all of its word.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engine.index.tokenize import tokens

# One word a line: its forms that no stem brings together. Left out are forms that are more often another word.
_WORDS = """
arise arose arisen
become became
begin began begun
bend bent
bite bitten
blow blew blown
break broke broken
breed bred
bring brought
burn burnt
build built
buy bought
catch caught
choose chose chosen
come came
deal dealt
dig dug
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
fight fought
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
know knew known
lay laid
lead led
learn learnt
lend lent
lose lost
make made
mean meant
meet met
overcome overcame
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
undertake undertook undertaken
wake woke woken
wear wore worn
win won
withdraw withdrew withdrawn
write wrote written
man men
woman women
child children
person people
foot feet
tooth teeth
mouse mice
allergy allergic
birth born
death died
diagnosis diagnosed diagnose
analysis analyse analyze
payment paid
sale sold
flight flown
proof proved proven
"""


@lru_cache(maxsize=1)
def _forms() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _WORDS.split("\n"):
        forms = frozenset(token for word in line.split() for token in tokens(word))
        for form in forms:
            found[form] = found.get(form, frozenset()) | forms
    return found


def with_other_forms(terms: Iterable[str]) -> frozenset[str]:
    """Return the terms of a text with the other forms of its irregular words."""
    held, known = frozenset(terms), _forms()
    return held.union(*(known[term] for term in held & known.keys()))
