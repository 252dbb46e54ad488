"""What documents say of names in so many words: rows of lists, labelled lines, heads of mails, defined short forms.

A name is what a row of a list is called by, who a mail is from or to, and what a short form stands for; what is said
of it stands in the row's other cells, and wherever a cell or a label's value is the name. Only names are kept. What a
model read in texts (:mod:`engine.enrich.by_model`) stands beside it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.utils import getaddresses
from itertools import chain, filterfalse, islice, starmap

from engine.answer.tables.relation import Relation
from engine.answer.tables.vocabulary import is_total
from engine.enrich.aliases import abbreviations_in
from engine.enrich.cell_places import address_of
from engine.enrich.cell_values import parse_cell
from engine.index.tokenize import query_terms
from engine.model import PROSE, Filters, Node, Tree, Value
from engine.parse.mail import HEADERS
from engine.retrieve.query import is_unspaced
from engine.structure import terms
from engine.structure.terms import length_of
from engine.topics.names import fold
from storage.base import Snapshot

# So many names of a document are kept, of so many statements in it; so many nodes that hold a name are read.
MOST_NAMES, MOST_READ, MOST_NODES = 100, 20_000, 100
# What stands in so many places is more than a line of a list.
SEVERAL = 2
# Fewer rows may be no list. Nearly all of those of one are called by names.
FEWEST_ROWS, NAMES = 3, 0.8
LONGEST_NAME, LONGEST_LABEL, LONGEST_VALUE = 20, 24, 60
SHORT_FORM = "="
# Name, subject, label, value, cell.
_Told = tuple[str, str, str, str, str]
_LABELLED = re.compile(r"([^\W\d_][^:：]*)[:：]\s*(\S.*)")
_NO_NAME = re.compile(r"[。!?！？;；:：，、…|@]|,.*,")


@dataclass(frozen=True, slots=True)
class Statement(Value):
    """``label`` of ``subject`` is ``value``; an empty subject is the document itself, SHORT_FORM an abbreviation.

    ``name`` is the one that this makes known, empty for a line that may hold anything. ``cell`` is the address of the
    cell that says it, where one does, and ``by`` the model that read it in a text.
    """

    name: str
    subject: str
    label: str
    value: str
    document_id: str
    document: str
    node_id: str
    cell: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Named(Value):
    """A name, in how many documents it is known, how much they say of it, and in how many places it stands in them."""

    name: str
    documents: int
    statements: int
    places: int


def is_name(text: str) -> bool:
    """Tell whether a text can be a name: short, for the most part letters; no figure, date, address or sentence.

    Nor is one that says two words twice: "Player A vs Player A" tells what a row is on.
    """
    letters, written = sum(map(str.isalpha, text)), len(text.replace(" ", ""))
    again = sum(count > 1 for count in Counter(text.casefold().split()).values())
    plain = 1 < written < 2 * letters and length_of(text) <= LONGEST_NAME and again < 2
    return plain and not _NO_NAME.search(text) and parse_cell(text).dtype == "text"


def statements_in(node: Node, document_id: str = "", document: str = "") -> Iterator[Statement]:
    """Yield what a node of a document says of names, in its order; nothing where text recognition is in doubt."""
    text = node.text if node.role in PROSE and not node.doubtful else ""
    found = _of_rows(node) if node.role == "table" and not node.doubtful else _of_lines(text)
    for name, subject, label, value, cell in found:
        yield Statement(name, subject, label, value, document_id, document, node.node_id, cell)
    read = node.metadata.get("relations", {})
    for name, label, value in read.get("said", ()):
        if is_name(name):
            yield Statement(name, name, label, value, document_id, document, node.node_id, by=read["method"])


def _of_rows(node: Node) -> Iterator[_Told]:
    """Yield what the cells of a list say of what its rows are called by."""
    relation = Relation([node])
    key = _key_of(relation)
    if key is None:
        return
    # A running number in front says nothing of a thing.
    numbers = {key, *filter(relation.is_serial, range(key))}
    columns = [column for column in relation.columns if column.name and column.index not in numbers]
    # They may stand over each page's rows.
    heads = set(map(fold, chain.from_iterable(column.levels for column in relation.columns)))
    for place, row in enumerate(relation.rows):
        name = relation.text(place, key)
        for column in columns if _names_a_thing(name, heads) else ():
            if _is_told(value := relation.text(place, column.index), name):
                yield name, name, column.name, value, address_of(node, row.place, column.index)


def _names_a_thing(text: str, heads: Collection[str]) -> bool:
    return is_name(text) and not is_total(text) and fold(text) not in heads


def _is_told(value: str, name: str) -> bool:
    return value != name and length_of(value) <= LONGEST_VALUE and parse_cell(value).dtype != "empty"


def _key_of(relation: Relation) -> int | None:
    """Return the column that names things, if the rows are things, below headers that tell the other columns apart."""
    key = relation.key
    heads = [*filter(None, (column.name for column in relation.columns if column.index != key))]
    told_apart = len(set(heads)) == len(heads) > 0 and all(map(_is_label, heads))
    if key is None or not (told_apart and relation.is_list and relation.tells_apart(key) and _tells_facts(relation)):
        return None
    kinds = Counter(map(is_name, filterfalse(is_total, filter(None, relation.texts(key)))))
    return key if kinds[True] >= NAMES * kinds.total() else None


def _tells_facts(relation: Relation) -> bool:
    """Tell a table of figures, dates or short texts from a form that is printed as one, with its empty fields."""
    cells = (text for column in relation.columns for text in relation.texts(column.index))
    typed = any(column.dtype != "text" for column in relation.columns)
    full = typed or all(0 < length_of(text) <= LONGEST_NAME for text in cells)
    return full and len(relation.rows) >= FEWEST_ROWS


def _is_label(text: str) -> bool:
    return length_of(text) <= LONGEST_LABEL and any(map(str.isalpha, text))


def _of_lines(text: str) -> Iterator[_Told]:
    """Yield what labelled lines say, whom a mail is from and to, and which short forms a text defines."""
    for line in filter(None, map(_LABELLED.fullmatch, text.split("\n"))):
        label, value = line[1].strip(), line[2].strip()
        if label in HEADERS[:-1]:
            names = [name or address for name, address in getaddresses([value])]
            yield from ((name, "", label, name, "") for name in names if is_name(name))
        elif _is_label(label) and is_name(value):
            yield "", "", label, value, ""
    yield from _of_short_forms(text)


def _of_short_forms(text: str) -> Iterator[_Told]:
    for short, long in abbreviations_in(text):
        # "(June)" behind a journal is none, nor what a name is in another language.
        spelled = sum(map(str.isupper, short)) > 1 or is_unspaced(short)
        if is_name(long) and spelled and is_unspaced(long) == is_unspaced(short):
            yield long, long, SHORT_FORM, short, ""


def names_in(nodes: Iterable[Node]) -> dict[str, list[int]]:
    """Return the names that nodes make known, with how much they say of each and in how many places each stands.

    Several places are lists, cells of another's row, and a text that says who or what it is: it is more than a line of
    a list. If names are many those are kept, and of which most is said.
    """
    said = list(islice(chain.from_iterable(map(statements_in, nodes)), MOST_READ))
    counts = Counter(one.name for one in said if one.name)
    places: dict[str, set[tuple[str, str]]] = {fold(name): set() for name in counts}
    lists: dict[str, str] = {}  # a long one goes on in further nodes, below the same header
    for one in said:
        places.get(fold(one.value), set()).add((one.node_id, one.cell or one.label))
        head = lists.setdefault(one.node_id, one.label), ""
        if one.name:
            places[fold(one.name)] |= {head, head if one.cell else (one.node_id, one.label)}
    made = {name: [count, len(places[fold(name)])] for name, count in counts.items()}
    return dict(sorted(made.items(), key=lambda one: (one[1][1] < SEVERAL, -one[1][0]))[:MOST_NAMES])


def most_named(known: Iterable[Mapping[str, Sequence[int]]]) -> list[Named]:
    """Return the names in documents: those in most of them first, then in several places, then of each in turn."""
    found, first = dict[str, Named](), dict[str, int]()
    for names in known:
        for rank, (name, (said, places)) in enumerate(names.items()):
            one = found.get(key := terms.fold(name), Named(name, 0, 0, 0))
            found[key] = Named(one.name, one.documents + 1, one.statements + said, one.places + places)
            first[key] = min(rank, first.get(key, rank))

    def order(key: str) -> tuple[int, bool, int, int]:
        one = found[key]
        return -one.documents, one.places < SEVERAL, first[key], -one.statements

    return [found[key] for key in sorted(found, key=order)]


def said_of(name: str, snapshot: Snapshot, filters: Filters = Filters()) -> list[Statement]:
    """Return what the documents that filters leave say of a name where the index finds it. Raises NotFoundError."""
    best = snapshot.sparse_search(query_terms(name), MOST_NODES, snapshot.scope(filters))
    nodes = snapshot.nodes([one.key for one in best])
    return _of_name(name, ((one.node, one.document_id, one.document) for one in nodes))


def said_in(tree: Tree, name: str) -> list[Statement]:
    """Return what one document says of a name."""
    return _of_name(name, ((node, tree.document_id, tree.name) for node in tree.nodes))


def _of_name(name: str, places: Iterable[tuple[Node, str, str]]) -> list[Statement]:
    """Return the statements with a name as subject or value, each once."""
    wanted, found = fold(name), dict[tuple[str, ...], Statement]()
    for one in chain.from_iterable(starmap(statements_in, places)):
        if wanted and wanted in (fold(one.subject), fold(one.value)):
            found.setdefault((one.document_id, one.cell or one.value, one.subject, one.label), one)
    return list(found.values())
