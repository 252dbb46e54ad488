"""Questions over lists in the words of their columns: "which record" of a list with "Album", "where was it staged" of
one with "Theatre", "who was she in" of a filmography with "Role", 在哪儿上演 of one with 剧院.

A question is rewritten only where the list has a column of such things and none that is called as the question does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.tables.matching import features, plain
from engine.answer.tables.table_source import TableSource
from engine.answer.tables.typed_table import Column

_ROLES = features("role roles character characters 角色 饰演")
_THEATRES = features("theatre theater venue stage hall house location place 剧院 剧场 场馆 地点")
_ALBUMS = features("album albums 专辑")
_AWARDEES = features(
    "awardee awardees recipient recipients laureate laureates honoree honorees winner winners 获奖者 得主"
)
_APPEARANCES = features("apps appearances caps matches games played 出场 场次")
_CAPACITIES = features("capacity seats seating 座位 座位数 容量 载客量")
_RESULTS = features("result results outcome status 结果")
_PRONOUNS = frozenset("he she they it".split())
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()

_WHO_WAS = re.compile(
    r"^\W*who (?:was|is|were) (?P<who>[^?]+?) in (?P<work>[^?]+?)\W*$"
    r"|(?P<who_zh>[^，。？?]+?)在(?P<work_zh>[^，。？?]+?)"
    r"(?:中|里)(?:演|饰演|扮演)(?:的是|了)?谁",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b(?:character|part|person)\b(?P<between>[^?]*?) (?:called|named)\b", re.IGNORECASE)
_PART = re.compile(r"\b(?:character|part)\b", re.IGNORECASE)
_STAGED = re.compile(
    r"^\W*where (?P<be>was|were|is|are|did) (?P<work>[^?]+?) (?P<verb>staged|performed|put on|shown|produced|played"
    r"|given|open|run)"
    r"\b|(?P<work_zh>[^，。？?]+?)(?:是)?在(?:哪里|哪儿|什么地方)(?P<verb_zh>上演|演出|公演)",
    re.IGNORECASE,
)
_RECORD = re.compile(
    r"\b(?P<ask>which|what) (?:record|disc|lp|cd)\b(?!s? ?(?:label|company|time|holder))|哪张(?:唱片|碟)",
    re.IGNORECASE,
)
_BEST_PLACE = re.compile(
    r"\b(?:best|highest|top) (?:place|position|rank(?:ing)?|spot|number(?! of))(?: (?:reached|achieved"
    r"|attained))?\b(?: by"
    r"| of| for)?"
    r"|\bhow high did (?P<work>[^?]+?) (?:get|climb|go|rise|reach)\b(?: (?:on|in|to))?|最高(?:排名|名次)",
    re.IGNORECASE,
)
_PUT_FORWARD = re.compile(
    r"\b(?:put forward|put up|shortlisted|in the running|up)(?= (?:as|for)\b)|被提名", re.IGNORECASE
)
_GOT_PRIZE = re.compile(
    r"^\W*who (?:got|won|received|took(?: home)?|was (?:given|awarded)|picked up) (?:the |an? )?"
    r"(?:prize|award|honou?r|trophy|medal)s?\b(?P<rest>[^?]*)|^谁(?:拿|得|获)了?(?P<rest_zh>[^，。？?]+?)奖",
    re.IGNORECASE,
)
_TURNED_OUT = re.compile(
    r"\bhow (?:often|many times) (?:did|has|had) (?P<who>[^?]+?) (?:turn(?:ed)? out|appear(?:ed)?|play(?:ed)?"
    r"|tak(?:e|en) the"
    r" field|line(?:d)? up)\b|(?P<who_zh>[^，。？?]+?)(?:踢|打|出场|上场)了?(?:多少|几)[场次]",
    re.IGNORECASE,
)
_DATE_FROM = re.compile(r"\bdates?(?: back)?(?= (?:from|to) (?:1[5-9]|20)\d\d\b)", re.IGNORECASE)
_ROOM = re.compile(
    r"\b(?:has|have|had|offers?|provides?) (?:the )?(?P<how>most|least|fewest)? ?(?:room|space|seats|places)"
    r"(?: for (?:the )?(?P<how2>most|fewest)? ?(?:passengers|people|guests|spectators|fans|visitors))?|能坐最多人"
    r"|\b(?:holds?|seats?|carr(?:y|ies)|takes?) (?:the )?(?P<how3>most|fewest) (?:passengers|people|guests"
    r"|spectators|fans)",
    re.IGNORECASE,
)
_WON_OR_NOMINATED = re.compile(
    r"^\W*did (?P<who>[^?]+?) (?:win|get it|lose),? or (?:was|were|did) (?:\w+ ){1,3}?(?:just |only |merely )?(?:be )?"
    r"(?:nominated|lose|shortlisted)(?P<rest>[^?]*)|(?P<what_zh>[^，。？?]+?)(?:是)?获奖了?还是(?:只"
    r"|仅)?(?:是)?(?:获得?)?提名",
    re.IGNORECASE,
)
_TWO = re.compile(r"\b(?:which|who|what) of the (?:two|2)\b", re.IGNORECASE)
_COMPARATIVE = re.compile(
    r"\b(?:the )?(?P<word>better|worse|more|less|fewer|(?P<stem>(?:fast|slow|old|young|tall|short|long|high|low|larg"
    r"|bigg|small|heavi"
    r"|light|lat|earli|cheap|deep|wid)(?=er))er)\b(?! than)",
    re.IGNORECASE,
)
_IRREGULAR = {"better": "best", "worse": "worst", "more": "most", "less": "least", "fewer": "fewest"}
_FARED = re.compile(
    r"^\W*how did (?P<who>[^?]+?) (?:get on|fare|do|finish|end up) (?:in|at|on) (?:the )?(?P<what>[^?]+)|"
    r"(?P<who_zh>[^，。？?]+?)在(?P<what_zh>[^，。？?]+?)(?:中|里|上)?(?:表现|成绩)(?:如何|怎么样|怎样)",
    re.IGNORECASE,
)
_ORDINAL_NAME = re.compile(
    rf"\b(?:the )?(?P<word>{'|'.join(_ORDINALS)}) (?P<name>[^\W\d_]{{3,}})", re.IGNORECASE
)


def in_words_of_list(question: str, source: TableSource) -> str:
    """Return a question with what it asks for called as the columns of a list are."""
    table = source.table
    if not table.header_rows or len(table.columns) < 2:
        return question
    columns = [column for column in table.columns if column.name]
    for rewrite in (
        _role, _staged, _record, _peak, _nominated, _awardee, _appearances, _dated, _room, _fared,
        _of_two,
    ):  # fmt: skip
        question = rewrite(question, columns, source)
    return question


def as_column_asked(question: str, source: TableSource) -> str:
    """Return a question that would be misread as it is written with the column or row that it means.

    "Who was she in X" is her role there, where the list is hers; "did she win or was she only nominated" the result;
    "the first Otto" Otto I.
    """
    question = _numbered_name(question, source)
    role = _as_role(question, source)
    return role if role != question else _outcome(question, source.table.columns)


def _as_role(question: str, source: TableSource) -> str:
    role = _called(source.table.columns, _ROLES)
    match = _WHO_WAS.search(question)
    who = (match["who"] or match["who_zh"]) if match else None
    if role is None or match is None or not who or not _is_subject(who, source):
        return question
    work = match["work"] or match["work_zh"]
    return (
        f"{who}在{work}中的{_leaf(role)}是什么"
        if match["who_zh"]
        else f"what was the {_leaf(role)} in {work}?"
    )


def _is_subject(who: str, source: TableSource) -> bool:
    """True for whom the list is about: named by its title or the headings above it, or by a pronoun."""
    if who.casefold() in _PRONOUNS:
        return True
    above = frozenset().union(
        *(features(text) for text in (source.title, *source.path, source.table.caption))
    )
    return bool(features(who)) and features(who) <= above


def _called(columns: Sequence[Column], names: frozenset[str]) -> Column | None:
    """Return the one column that is called by one of these names."""
    found = [column for column in columns if features(column.name) & names]
    return found[0] if len(found) == 1 else None


def _leaf(column: Column) -> str:
    return re.sub(r"\W*\(s\)$", "", column.name.rsplit(" / ", 1)[-1])


def _says(columns: Sequence[Column], word: str) -> bool:
    return any(word in plain(column.name).split() for column in columns)


def _role(question: str, columns: Sequence[Column], source: TableSource) -> str:
    """ "What was her character called in X": of a column "Role" that is her role in X."""
    role = _called(columns, _ROLES)
    if role is None:
        return question
    question = _CALLED.sub(lambda match: f"{_leaf(role)}{match['between']}", question)
    return (
        question
        if _says(columns, "character") or _says(columns, "part")
        else _PART.sub(_leaf(role), question)
    )


def _staged(question: str, columns: Sequence[Column], source: TableSource) -> str:
    match, theatre = _STAGED.search(question), _called(columns, _THEATRES)
    if match is None or theatre is None:
        return question
    if match["work_zh"]:
        return f"{match['work_zh']}的{_leaf(theatre)}是什么？"
    return f"what was the {_leaf(theatre)} of {match['work']}{question[match.end() :]}"


def _record(question: str, columns: Sequence[Column], source: TableSource) -> str:
    album = _called(columns, _ALBUMS)
    if album is None or any(_says(columns, word) for word in ("record", "disc", "lp", "cd")):
        return question
    return _RECORD.sub(
        lambda m: f"{m['ask']} {_leaf(album)}" if m["ask"] else f"哪张{_leaf(album)}", question
    )


def _peak(question: str, columns: Sequence[Column], source: TableSource) -> str:
    """ "The best place reached" of columns of peak positions."""
    if not any("peak" in plain(column.name).split() for column in columns):
        return question
    return _BEST_PLACE.sub(
        lambda m: f"what was the peak position of {m['work']} on" if m["work"] else "peak position of",
        question,
    )


def _nominated(question: str, columns: Sequence[Column], source: TableSource) -> str:
    texts = (source.table.text(row.index, column.index) for row in source.table.rows for column in columns)
    cell = next((text for text in texts if text.casefold().startswith(("nominat", "提名"))), None)
    return _PUT_FORWARD.sub(cell.split()[0].casefold(), question) if cell else question


def _awardee(question: str, columns: Sequence[Column], source: TableSource) -> str:
    match, awardee = _GOT_PRIZE.search(question), _called(columns, _AWARDEES)
    if match is None or awardee is None:
        return question
    texts = (source.table.text(row.index, column.index) for row in source.table.rows for column in columns)
    if any(text and text in awardee.name for text in texts):
        return question  # 获奖 of 获奖者 would be read as what a cell says
    if match["rest_zh"]:
        return f"{match['rest_zh']}奖的{_leaf(awardee)}是谁？"
    return f"who was the {_leaf(awardee)}{match['rest']}{question[match.end() :]}"


def _appearances(question: str, columns: Sequence[Column], source: TableSource) -> str:
    """ "How often did he turn out": the columns of appearances, in whichever competition."""
    match = _TURNED_OUT.search(question)
    found = {_leaf(column) for column in columns if features(_leaf(column)) & _APPEARANCES}
    if match is None or len(found) != 1:
        return question
    name = found.pop()
    if match["who_zh"]:
        return f"{match['who_zh']}的{name}是多少{question[match.end() :]}"
    return f"how many {name} did {match['who']} have{question[match.end() :]}"


def _dated(question: str, columns: Sequence[Column], source: TableSource) -> str:
    return _DATE_FROM.sub("", question)


def _room(question: str, columns: Sequence[Column], source: TableSource) -> str:
    match, capacity = _ROOM.search(question), _called(columns, _CAPACITIES)
    if match is None or capacity is None:
        return question
    how = match["how"] or match["how2"] or match["how3"] or ("most" if "最多" in match[0] else "")
    if not how:
        return question
    extreme = "highest" if how == "most" else "lowest"
    return f"{question[: match.start()]}has the {extreme} {_leaf(capacity)}{question[match.end() :]}"


def _fared(question: str, columns: Sequence[Column], source: TableSource) -> str:
    """ "How did she get on in the marathon" asks for the cell, where cells are results in words: "4th (heats)"."""
    match = _FARED.search(question)
    values = source.table.value_columns
    if match is None or 2 * sum(column.dtype == "text" for column in values) < len(values):
        return question
    if match["who_zh"]:
        return f"{match['who_zh']}的{match['what_zh']}是什么"
    return f"what was {match['who']}'s {match['what']}?"


def _outcome(question: str, columns: Sequence[Column]) -> str:
    """ "Did she win or was she only nominated for X" asks for the cell of the column of results."""
    match, result = _WON_OR_NOMINATED.search(question), _called(columns, _RESULTS)
    if match is None or result is None:
        return question
    return (
        f"{match['what_zh']}的{_leaf(result)}是什么"
        if match["what_zh"]
        else f"what was the {_leaf(result)}{match['rest']}?"
    )


def _of_two(question: str, columns: Sequence[Column], source: TableSource) -> str:
    """ "Which of the two was faster" asks for the fastest of these rows."""
    if _TWO.search(question) is None:
        return question
    return _COMPARATIVE.sub(
        lambda m: f"the {_IRREGULAR.get(m['word'].casefold()) or m['stem'] + 'est'}", question, count=1
    )


def _numbered_name(question: str, source: TableSource) -> str:
    """ "The first Otto" is "Otto I" where a cell begins so."""
    table = source.table
    texts = [table.text(row.index, column.index) for row in table.rows for column in table.columns]

    def roman(match: re.Match[str]) -> str:
        number = _ROMAN[_ORDINALS.index(match["word"].casefold())]
        name = re.compile(rf"\b{re.escape(match['name'])} {number}\b(?! *\.)", re.IGNORECASE)
        return next((found[0] for text in texts if (found := name.search(text))), match[0])

    return _ORDINAL_NAME.sub(roman, question)
