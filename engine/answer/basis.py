"""What an answer is made from: whether a table or a text answers better, and the answer that a table alone gives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.answer.check.locate import BORDER
from engine.answer.evidence.judging import Judged
from engine.answer.evidence.units import is_short_line, same_section, titles_of
from engine.answer.phrases import Phrases
from engine.answer.tables.answering import TableAnswer, TableHit
from engine.answer.tables.cite import rows_as_evidence
from engine.answer.tables.vocabulary import CHANGES, cues
from engine.answer.understand import Question
from engine.answer.understand.kinds import MEASURED, holds_kind
from engine.answer.understand.terms import content_terms, coverage
from engine.index.tokenize import query_terms, tokens
from engine.model import Answer, Evidence, Statement, StatementState
from engine.providers.llm import estimate_tokens
from engine.retrieve.pack import cut_table, header_line
from engine.retrieve.snippet import Sought
from engine.structure.sentences import is_fragment

# Of a reading that explains less of the question a table answers only where no text does.
SURE, MAY = 0.9, 0.8
# These operations of a table give the names of its rows, or a cell of one.
_NAMING = frozenset({"lookup", "filter", "max", "min", "rank"})
_NAMED = frozenset({"person", "place", "organisation"})
_PROSE = frozenset({"reason", "manner", "definition", "yes_no"})
# A reading that explains all of a question in a table is seldom wrong: a text must be this sure to go before it.
_TEXT_SURE = 0.9
# So many places nearly as likely as the likeliest are shown whatever they stand in, and a table that holds so much of
# what any evidence holds of the question; one of so many tokens by some of its rows, once a model was asked for a query
# of it; of which it is asked stands among so many of the best passages.
_LIKELY, _NEARLY, _MUCH, _WHOLE, _NEAR = 5, 0.5, 0.6, 600, 6
# What is asked of several rows at once.
_OF_MANY = CHANGES | {"sum", "average", "min", "max", "rank", "share", "diff", "percent_change"}


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer is made from: the question, the evidence with its judgement, and what its tables give."""

    question: Question
    evidence: list[Evidence]
    judged: Judged
    tables: list[TableHit]
    table: TableAnswer | None
    asked: bool = False  # a model was asked for a query of the tables, and said that they do not tell

    @property
    def by_table(self) -> TableAnswer | None:
        """What the tables give, where that answers better than the texts."""
        return self.table if table_answers(self.question, self.judged, self.table) else None

    @property
    def may_table(self) -> TableAnswer | None:
        """What a table may answer where no text does, though the reading leaves words of the question out."""
        table = self.table
        if table is None or self.sufficient or self.judged.missing or not table.mostly_explains:
            return None
        return table if fits(self.question, table) else None

    @property
    def pointed(self) -> list[bool]:
        """For each piece of evidence, whether the question or what was found points at it.

        At a table where it answers, likely does, or, no table being the answer, stands where most was found or holds
        much of the question; at a line of a form or a page's foot where it, or one beside it, holds some of that. At no
        page's number and no table's header alone.
        """
        asked = content_terms(self.question.standalone)
        held = [coverage(asked, frozenset(tokens(f"{titles_of(one)} {one.text}"))) for one in self.evidence]
        most = max(held, default=0.0)
        least = self.judged.probability * _NEARLY
        likely = {one.evidence for one in self.judged.spans[:_LIKELY] if one.probability >= least}
        near_best = [self.evidence[i] for i in sorted({0, *likely} if self.evidence else ())]
        own = _own_nodes(self.table) if self.table and self.table.score >= MAY else frozenset()
        some = {(one.hit.document_id, one.position) for i, one in enumerate(self.evidence) if held[i]}

        def told(index: int, item: Evidence) -> bool:
            if index in likely or item.hit.node_id in own:
                return True
            text = item.text.strip()
            if text == str(item.hit.page) or (item.table is not None and text == header_line(item.table)):
                return False
            if item.table is not None:
                found = any(same_section(item, one) for one in near_best) or held[index] >= _MUCH * most > 0
                return self.by_table is None and found
            near = {(item.hit.document_id, item.position + step) for step in (-1, 0, 1)}
            lean = len(text) < 2 or (is_short_line(item) and is_fragment(text))
            return not (most and lean) or bool(near & some)

        return [told(index, item) for index, item in enumerate(self.evidence)]

    def shown(self) -> list[Evidence]:
        """Return what a model is shown: what is pointed at, of a long table the rows that answer, else some."""
        told = [item for item, pointed in zip(self.evidence, self.pointed, strict=True) if pointed]
        if (table := self.by_table) is None:
            return [_cut(item, self.question) for item in told] if self.asked else told
        own = _own_nodes(table)
        whole = [item for item in told if item.hit.node_id in own]
        if sum(estimate_tokens(item.text) for item in whole) > _WHOLE:
            whole = []
        rows: list[Evidence] = []
        for one in table.all:
            rows += rows_as_evidence(one.result.cells, one.table.linked.relation, one.table.hit, [*whole, *rows])
        return [*whole, *rows, *(item for item in told if item.hit.node_id not in own)]

    def asked_tables(self, small: bool) -> list[TableHit]:
        """Return the tables that a model may be asked for a query of, the one that was read first; none for prose.

        Those that carry more of the numbers asked with, a year say, go before. The call is one more to wait for: of a
        ``small`` machine only for one that was found before any text, or read.
        """
        if self.question.expects in _PROSE:
            return []
        read = [self.table.table] if self.table and self.table.score >= MAY else []
        near = self.evidence[: 1 if small else _NEAR]
        told = {item.hit.node_id for item, pointed in zip(near, self.pointed, strict=False) if pointed}
        chosen = [*read, *(one for one in self.tables if one not in read and _node_ids(one) & told)]
        asked = frozenset(term for term in content_terms(self.question.standalone) if any(map(str.isdigit, term)))
        documents = {one.hit.document_id for one in chosen}

        def carried(one: TableHit) -> int:
            return len(asked & one.linked.named)

        most = max(map(carried, chosen), default=0)
        beside = (one for one in self.tables if one.hit.document_id in documents and one not in chosen)
        return sorted([*chosen, *(one for one in beside if carried(one) > most)], key=lambda one: -carried(one))

    @property
    def sufficient(self) -> bool:
        """True where the evidence answers the question."""
        return self.judged.state == "answered" or self.by_table is not None


def weighed(question: Question, judged: Judged, evidence: Sequence[Evidence], table: TableAnswer | None) -> Judged:
    """Return the judgement of the texts beside what the tables gave.

    What a row among others means, its columns say: the reading of the table answers from it, and no quotation.
    Of a label with its value one may answer, but no question for what many rows come to, or for which are of a kind.
    What the table names is not missing.
    """
    if table is not None:
        judged = replace(judged, missing=tuple(one for one in judged.missing if not table.names(one)))
    if judged.state != "answered" or table_answers(question, judged, table):
        return judged
    item = evidence[judged.spans[0].evidence]
    if item.hit.role != "table":
        return judged
    operations = {cue.kind for cue in cues(question.standalone, "operations")}
    of_many = question.expects == "list" or operations & _OF_MANY
    in_columns = any(line.count(BORDER) > 1 for line in item.text.split("\n"))
    return replace(judged, state="closest") if in_columns or of_many else judged


def from_table(table: TableAnswer) -> Answer:
    """Return what a table gives as an answer."""
    text, cited = table.text, table.citations
    read = all(one.computed.is_read for one in table.all)
    state: StatementState = "supported" if read else "computed"
    statement = Statement(0, len(text), state, "", [one.n for one in cited], [])
    sure = table.score >= SURE
    return Answer(text, "direct", "high" if sure else "medium", True, cited, statements=[statement])


def tentative(table: TableAnswer, phrases: Phrases) -> Answer:
    """Return what a table may answer, saying which words of the question the reading leaves out."""
    words = phrases.words_between.join(phrases.word_quoted.format(word=word) for word in table.left_out)
    lead = phrases.table_leaves_out.format(words=words) if words else phrases.table_unsure
    return Answer(f"{lead}\n\n{table.text}", "direct", "low", False, table.citations, state="closest")


def table_answers(question: Question, judged: Judged, table: TableAnswer | None) -> bool:
    """True where what a table gives is the answer, rather than what a text says."""
    if table is None or not any(fits(question, one) for one in table.all):
        return False
    if judged.state != "answered":
        return table.score >= MAY
    return table.score >= SURE and judged.probability < _TEXT_SURE


def fits(question: Question, table: TableAnswer) -> bool:
    """False where a table gives another kind of thing than is asked for: no number is a reason or a person."""
    operation = table.result.query.operation
    if table.result.empty:  # what a model asked of it, and it does not tell
        return True
    if question.expects in _PROSE:
        return operation in ("trend", "compare")
    values = [value for value in table.computed.values if value]
    if question.expects in _NAMED and operation in _NAMING:
        # "Who ordered the desk?" asks for no number of an order.
        return not values or not all(any(map(str.isdigit, value)) for value in values)
    if question.expects in MEASURED and operation in ("lookup", "filter"):
        return any(holds_kind(question.expects, value, question.standalone) for value in values)
    return True


def _cut(item: Evidence, question: Question) -> Evidence:
    """Return a long table's evidence with as many of its rows as show what it is of, other evidence as it is."""
    if item.table is None or estimate_tokens(item.text) <= _WHOLE:
        return item
    return replace(item, text=cut_table(item.table, _WHOLE // 2, Sought(query_terms(question.standalone))))


def _own_nodes(table: TableAnswer) -> frozenset[str]:
    return frozenset().union(*(_node_ids(one.table) for one in table.all))


def _node_ids(table: TableHit) -> frozenset[str]:
    return frozenset(node.node_id for node in table.linked.relation.nodes)
