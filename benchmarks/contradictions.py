"""Measure verify_consistency on pairs of statements made from the documents of any folder.

    python benchmarks/contradictions.py FOLDER… [--pairs 12] [--half develop|test|all] [--show]

A folder holds documents of any format, or a ``corpus.jsonl`` of passages. Sentences are drawn from them; of each
a second one is made by script: copied; its figures written in another form; a number, a date or a name changed;
or said of another scope (a year, region, set of accounts, half of the year or segment) once each. The pair is put into
two nodes of two documents between other sentences of theirs. A verdict is right when it is the kind of the change.
Documents are halved by a hash of their names: rules are made on one half and measured on the other. Printed are
the share of right verdicts and of pairs with both quotes located word for word, by kind and language; and how many
contradictions are found (and told) among the untouched sentences of different documents, where hardly any are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.answer.check.contradictions import statements_of, verify
from engine.answer.check.locate import sentences_of
from engine.config import ParsingSettings
from engine.errors import UnreadableFileError
from engine.model import Evidence, Hit
from engine.parse.dispatch import parse_file
from engine.providers.entailment import open_judge
from engine.structure.sentences import is_cjk

EN_NUMBER = re.compile(
    r"(?<![\w.,$-])(\d{1,3}(?:,\d{3})+|\d{2,6})(?:\.\d+)?(?=\s(?!January|March)[a-z]|%|\s?(?:km|kg|m)\b)"
)
ZH_NUMBER = re.compile(
    r"(?<![\d.,，第\w])(\d{1,3}(?:,\d{3})+|\d{2,8})(?:\.\d+)?(?=[\u4e00-\u9fff%])(?![年月日号章条节世])"
)
EN_DATE = re.compile(
    r"\b(?:January|February|April|June|July|August|September|October|November|December) \d{1,2}, (1\d{3}|20\d\d)\b"
    r"|\b(?:opened|founded|born|built|established|died|published|released|signed|held|completed|created) (?:on|in)"
    r" (1[5-9]\d\d|20[0-2]\d)\b"
)
ZH_DATE = re.compile(
    r"(1[5-9]\d\d|20[0-2]\d)年\d{1,2}月(?:\d{1,2}日)?|于(1[5-9]\d\d|20[0-2]\d)年|(1[5-9]\d\d|20[0-2]\d)年(?=出生|成立|建)"
)
EN_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)+(?=[ ,.])")
ZH_NAME = re.compile(
    r"(?:(?![这该一三几多家的是各本个有在和为些及与所了于由被从两])[\u4e00-\u9fff]){2,4}(?:大学|公司|银行|医院)|(?<=[在于由和])(?:北京|上海|广州|深圳|天津|重庆|南京|杭州|武汉|成都|西安|香港|台湾|英国|法国"
    r"|德国|美国|日本|中国|俄罗斯|印度)"
)
OTHER_NAMES_EN = ("Helena Marquez", "Port Albany", "Gordon Whitfield", "Lake Ardmore", "Martin Kessler")
OTHER_NAMES_ZH = {
    "大学": "临江大学",
    "公司": "恒远公司",
    "银行": "广源银行",
    "医院": "康宁医院",
    "": "墨西哥",
}
SCOPES_EN = (
    ("In fiscal year 2019, ", "In fiscal year 2020, "), ("In the Asian market, ", "In the European market, "),
    ("On a consolidated basis, ", "For the parent company, "),
    ("In the first half of the year, ", "In the second half of the year, "),
    ("For the cloud segment, ", "For the retail segment, "), ("In 2016, ", "In 2018, "),
)  # fmt: skip
SCOPES_ZH = (
    ("2019年度，", "2020年度，"), ("华东地区，", "华南地区，"), ("合并口径下，", "母公司口径下，"),
    ("上半年，", "下半年，"),
    ("云计算业务方面，", "零售业务方面，"), ("截至2016年末，", "截至2018年末，"),
)  # fmt: skip
KINDS = ("copy", "form", "number", "date", "entity", "scope")
EXPECTED = {"copy": "agree", "form": "agree"}


def main() -> None:
    """Make the pairs, compare them and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pairs", type=int, default=12, help="pairs a kind")
    parser.add_argument("--half", choices=("develop", "test", "all"), default="all")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--show", action="store_true", help="print every wrong verdict")
    options = parser.parse_args()
    for folder in options.folders:
        texts = {name: text for name, text in texts_of(folder) if options.half in ("all", half_of(name))}
        rng = random.Random(options.seed)
        print(json.dumps({"folder": folder.name, **measure(texts, options.pairs, rng, options.show)}))


def half_of(name: str) -> str:
    """Return which half of the documents one belongs to."""
    return ("develop", "test")[hashlib.sha256(name.encode()).digest()[0] % 2]


def texts_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (document, text of one node) for the passages or documents of a folder."""
    corpus = folder / "corpus.jsonl"
    if corpus.exists():
        for line in corpus.read_text("utf-8").splitlines():
            row = json.loads(line)
            yield str(row["id"]), row["text"]
        return
    settings = ParsingSettings()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and 200 < p.stat().st_size < 1_500_000):
        try:
            blocks = parse_file(path, path.name, settings).blocks
        except UnreadableFileError:
            continue
        yield (
            str(path.relative_to(folder)),
            "\n\n".join(b.text for b in blocks if b.kind in ("paragraph", "list_item")),
        )


def measure(texts: dict[str, str], pairs: int, rng: random.Random, show: bool) -> dict[str, object]:
    """Return the figures over pairs made from these documents."""
    right: dict[str, Counter[str]] = defaultdict(Counter)
    seconds = 0.0
    for kind, first, second, around in made_pairs(texts, pairs, rng):
        evidence = [node(0, around[0].format(first)), node(1, around[1].format(second))]
        started = time.process_time()
        statements = statements_of(evidence)
        found = [f for f in verify(statements, judge=open_judge()) if first in f.a.quote and second in f.b.quote]
        located = all(
            any(s.index == i and text in s.quote and evidence[i].text[s.start : s.end] == s.quote for s in statements)
            for i, text in enumerate((first, second))
        )
        verdict = found[0].verdict if found else "not_comparable"
        seconds += time.process_time() - started
        expected = EXPECTED.get(kind, kind)
        language = "zh" if is_cjk(first) else "en"
        for group in (kind, language, "all"):
            right[group].update(pairs=1, right=verdict == expected, located=located)
        if show and verdict != expected:
            print(f"{kind}: {verdict}\n  {first}\n  {second}")
    contradictions, told, total = untouched(texts, rng, show)
    return {
        "pairs": right["all"]["pairs"],
        "verdicts_right": share(right["all"], "right"),
        "both_located": share(right["all"], "located"),
        "by_kind": {name: [counts["right"], counts["pairs"]] for name, counts in right.items() if name != "all"},
        "milliseconds_a_pair": round(seconds * 1000 / max(1, right["all"]["pairs"]), 2),
        "untouched": {"sentences": total, "contradictions": contradictions, "told": told},
    }


def share(counts: Counter[str], name: str) -> float:
    """Return a share of a group's pairs."""
    return round(counts[name] / max(1, counts["pairs"]), 3)


def made_pairs(
    texts: dict[str, str], pairs: int, rng: random.Random
) -> Iterator[tuple[str, str, str, tuple[str, str]]]:
    """Yield (kind, sentence, changed sentence, what stands around each)."""
    pool = [(name, s.text) for name, text in texts.items() for s in sentences_of(text, "paragraph") if plain(s.text)]
    rng.shuffle(pool)
    neighbours = [text for _, text in pool if len(text) < 160] or [""]
    for kind in KINDS:
        count: Counter[bool] = Counter()
        chinese = sum(is_cjk(text) for _, text in pool)
        both = 0 < chinese < len(pool)
        for _, sentence in pool:
            most = pairs // 2 if both else pairs
            if count[is_cjk(sentence)] >= most:
                continue
            changed = CHANGES[kind](sentence, rng)
            if changed is None:
                continue
            count[is_cjk(sentence)] += 1
            first, second = changed
            around = tuple(
                rng.choice(neighbours).replace("{", "(").replace("}", ")") + "\n\n{}\n\n"
                + rng.choice(neighbours).replace("{", "(").replace("}", ")")
                for _ in range(2)
            )  # fmt: skip
            yield kind, first, second, (around[0], around[1])


def plain(sentence: str) -> bool:
    """True for a sentence of prose that is neither short nor endless."""
    if "\n" in sentence or not 25 <= len(sentence) <= 300 or sentence.endswith(("?", "？", ":", "：")):
        return False
    if is_cjk(sentence):
        return sentence.endswith("。") and not re.search(r"[|…]", sentence)
    return sentence.endswith(".") and sentence[0].isupper() and sentence.count(" ") >= 6 and "|" not in sentence


def copied(sentence: str, _: random.Random) -> tuple[str, str] | None:
    """Return the sentence twice."""
    return sentence, sentence


def reformed(sentence: str, rng: random.Random) -> tuple[str, str] | None:
    """Write a number or date of the sentence in another form of the same value."""
    if match := re.search(r"(\d{4})年(\d{1,2})月(\d{1,2})日", sentence):
        return replaced(sentence, match, f"{match[1]}-{int(match[2]):02d}-{int(match[3]):02d}")
    if match := re.search(r"\b([A-Z][a-z]+) (\d{1,2}), (\d{4})\b", sentence):
        return replaced(sentence, match, f"{match[2]} {match[1]} {match[3]}") if EN_DATE.search(match[0]) else None
    if match := re.search(r"(?<![\w.,$-])(\d{1,3}(?:,\d{3})+)(?![\d,.]\d|%)", sentence):
        return replaced(sentence, match, match[0].replace(",", ""))
    if match := re.search(r"(?<![\w.,])(\d+)(?:\.(\d))? million\b", sentence):
        return replaced(sentence, match, f"{match[1]}{match[2] or '0'}00 thousand")
    if match := re.search(r"(?<![\w.,])(\d+)(?:\.(\d))?万(?!亿)", sentence):
        return replaced(sentence, match, f"{match[1]}{match[2] or '0'}000")
    if match := re.search(r"(?<![\d.])(\d+(?:\.\d+)?)%", sentence):
        return replaced(sentence, match, f"百分之{in_words(match[1])}" if is_cjk(sentence) else f"{match[1]} percent")
    return None


def in_words(digits: str) -> str:
    """Return a number below a hundred, or the digits of another one, as Chinese says it."""
    whole, _, part = digits.partition(".")
    names = "零一二三四五六七八九"
    tens, ones = divmod(int(whole), 10)
    said = (f"{names[tens] if tens > 1 else ''}十{names[ones] if ones else ''}") if 0 < tens < 10 else names[ones]
    said = said if tens < 10 else {100: "一百"}.get(int(whole), "".join(names[int(d)] for d in whole))
    return said + ("点" + "".join(names[int(d)] for d in part) if part else "")


def other_number(sentence: str, rng: random.Random) -> tuple[str, str] | None:
    """Change a number that counts or measures something."""
    found = list((ZH_NUMBER if is_cjk(sentence) else EN_NUMBER).finditer(sentence))
    found = [
        m
        for m in found
        if not (re.fullmatch(r"1\d{3}|20\d\d", m[1]) or EN_DATE.search(sentence[max(0, m.start() - 12) : m.end() + 8]))
    ]
    if not found:
        return None
    match = rng.choice(found)
    digits = match[1].replace(",", "")
    value = int(digits) + max(3, int(int(digits) * rng.choice((0.1, 0.25, 0.5))))
    return replaced(sentence, match, f"{value:,}" if "," in match[1] else str(value), span=1)


def other_date(sentence: str, rng: random.Random) -> tuple[str, str] | None:
    """Change the year of a date."""
    match = (ZH_DATE if is_cjk(sentence) else EN_DATE).search(sentence)
    if match is None:
        return None
    group = next(i for i, value in enumerate(match.groups(), 1) if value)
    return replaced(sentence, match, str(int(match[group]) - rng.randint(1, 9)), span=group)


def other_name(sentence: str, rng: random.Random) -> tuple[str, str] | None:
    """Put another name in the place of one."""
    if is_cjk(sentence):
        match = ZH_NAME.search(sentence)
        if match is None:
            return None
        ending = next((e for e in OTHER_NAMES_ZH if e and match[0].endswith(e)), "")
        return replaced(sentence, match, OTHER_NAMES_ZH[ending])
    match = EN_NAME.search(sentence)
    return replaced(sentence, match, rng.choice(OTHER_NAMES_EN)) if match else None


def other_scope(sentence: str, rng: random.Random) -> tuple[str, str] | None:
    """Say the sentence of two scopes; it holds an amount and names no time of its own."""
    chinese = is_cjk(sentence)
    if not (ZH_NUMBER if chinese else EN_NUMBER).search(sentence) or re.search(r"\b(?:1\d|20)\d\d\b|\d年", sentence):
        return None
    first, second = rng.choice(SCOPES_ZH if chinese else SCOPES_EN)
    rest = (
        sentence
        if chinese or not re.match(r"(?:The|A|An|In|It|This|These|There|Some)\b", sentence)
        else sentence[0].lower() + sentence[1:]
    )
    return first + rest, second + rest


def replaced(sentence: str, match: re.Match[str], by: str, span: int = 0) -> tuple[str, str] | None:
    """Return the sentence and the one with a group of the match replaced; None where nothing changes."""
    changed = sentence[: match.start(span)] + by + sentence[match.end(span) :]
    return None if changed == sentence else (sentence, changed)


CHANGES: dict[str, Callable[[str, random.Random], tuple[str, str] | None]] = {
    "copy": copied, "form": reformed, "number": other_number, "date": other_date, "entity": other_name,
    "scope": other_scope,
}  # fmt: skip


def untouched(texts: dict[str, str], rng: random.Random, show: bool) -> tuple[int, int, int]:
    """Return contradictions among the sentences as they are, those clear enough to be told, and all sentences.

    Documents are taken twenty at a time, as an answer's evidence is.
    """
    names = sorted(texts)
    rng.shuffle(names)
    found = told = total = 0
    for start in range(0, min(len(names), 400), 20):
        evidence = [node(i, texts[name][:4000]) for i, name in enumerate(names[start : start + 20])]
        statements = statements_of(evidence)
        total += len(statements)
        for one in verify(statements, judge=open_judge()):
            if one.contradicts and not one.a.same_source(one.b):
                found += 1
                told += one.clear
                if show:
                    print(f"untouched {one.verdict} {one.clear}:\n  {one.a.quote}\n  {one.b.quote}")
    return found, told, total


def node(number: int, text: str) -> Evidence:
    """Return a node of its own document."""
    hit = Hit(
        f"n{number:014x}",
        f"d{number}",
        f"document {number}",
        1,
        "paragraph",
        1.0,
        number + 1,
        None,
        None,
        [],
        "",
    )
    return Evidence(hit, text)


if __name__ == "__main__":
    main()
