"""What an answer is made from: whether a table or a text answers better, and the answer that a table alone gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.answer.check.cells import BORDER
from engine.answer.evidence.judging import Judged
from engine.answer.phrases import Phrases
from engine.answer.tables.answering import TableAnswer, TableHit
from engine.answer.tables.cite import rows_as_evidence
from engine.answer.tables.vocabulary import CHANGES, cues
from engine.answer.understand import Question
from engine.answer.understand.kinds import MEASURED, holds_kind
from engine.model import Answer, Evidence, Statement

# Of a reading that explains less of the question a table answers only where no text does.
SURE, MAY = 0.9, 0.8
# These operations of a table give the names of its rows, or a cell of one.
_NAMING = frozenset({"lookup", "filter", "max", "min", "rank"})
_NAMED = frozenset({"person", "place", "organisation"})
_PROSE = frozenset({"reason", "manner", "definition", "yes_no"})
# A reading that explains all of a question in a table is seldom wrong: a text must be this sure to go before it.
_TEXT_SURE = 0.9
# So many of the best passages are looked at for a table to ask a model about.
_NEAR = 6
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

    def with_rows(self) -> Basis:
        """Return it with the rows that its table's answer rests on among the evidence, behind what was found."""
        if (table := self.by_table) is None:
            return self
        rows = rows_as_evidence(
            table.result.cells, table.table.linked.relation, table.table.hit, self.evidence
        )
        return replace(self, evidence=[*self.evidence, *rows])

    @property
    def sufficient(self) -> bool:
        """True where the evidence answers the question."""
        return self.judged.state == "answered" or self.by_table is not None


def weighed(
    question: Question, judged: Judged, evidence: Sequence[Evidence], table: TableAnswer | None
) -> Judged:
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
    statement = Statement(0, len(text), "computed", "", [one.n for one in cited], [])
    sure = table.score >= SURE
    return Answer(text, "direct", "high" if sure else "medium", True, cited, statements=[statement])


def tentative(table: TableAnswer, phrases: Phrases) -> Answer:
    """Return what a table may answer, saying which words of the question the reading leaves out."""
    words = phrases.words_between.join(phrases.word_quoted.format(word=word) for word in table.left_out)
    lead = phrases.table_leaves_out.format(words=words) if words else phrases.table_unsure
    return Answer(f"{lead}\n\n{table.text}", "direct", "low", False, table.citations, state="closest")


def table_answers(question: Question, judged: Judged, table: TableAnswer | None) -> bool:
    """True where what a table gives is the answer, rather than what a text says."""
    if table is None or not fits(question, table):
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
    if question.expects in MEASURED and operation == "lookup":
        return any(holds_kind(question.expects, value, question.standalone) for value in values)
    return True


def asks_tables(basis: Basis, small: bool) -> bool:
    """True where a model may be asked for a query: a value or a list is wanted, and a table was found early.

    The call is one more to wait for: a model of a ``small`` machine is asked where a table was found before any text,
    or the question can be read as one for it; others also where a figure is asked for that any table may hold.
    """
    expects = basis.question.expects
    near = _NEAR if basis.table or not small else 1
    found = any(item.table is not None for item in basis.evidence[:near])
    return expects not in _PROSE and (found or (expects == "number" and not small))
