"""Ways in which people ask: several a kind of question and language.

{k} a row's name, {K} the column of names, {Ks} its plural, {V} the measure, {C} and {c} a column and its value,
{p} and {q} periods, {x} a number, {d} a day, {noun} what a row is, {D} the column of days.
"""

PHRASES: dict[str, dict[str, tuple[str, ...]]] = {
    "look-up by one key": {
        "en": ("What is the {V} of {k}?", "{k}: what is the {V}?", "Tell me the {V} for {k}.", "{V} of {k}?"),
        "zh": ("{k}的{V}是多少？", "请问{k}的{V}是什么？", "{k}的{V}", "帮我查一下{k}的{V}。"),
    },
    "look-up by two keys": {
        "en": ("What is the {V} of {k} for {C} {c}?", "For {C} {c}, what is the {V} of {k}?",
               "What {V} does {k} have where {C} is {c}?"),
        "zh": ("{C}为{c}时，{k}的{V}是多少？", "{k}（{C}：{c}）的{V}是多少？", "{C}是{c}的{k}，{V}是多少？"),
    },
    "look-up by key and period": {
        "en": ("What was the {V} of {k} in {p}?", "What was {k}'s {V} in {p}?", "In {p}, what was the {V} of {k}?"),
        "zh": ("{k}{p}的{V}是多少？", "{p}{k}的{V}是多少？", "请问{k}在{p}的{V}为多少？"),
    },
    "look-up by key and period, one measure": {
        "en": ("What was {k} in {p}?", "How much was {k} in {p}?", "{k}, {p}: how much?"),
        "zh": ("{k}{p}是多少？", "{p}的{k}是多少？", "{k}在{p}为多少？"),
    },
    "filter": {
        "en": ("Which {Ks} have the {C} {c}?", "List the {Ks} of all {noun} where {C} is {c}.",
               "Which {noun} have {c} as {C}? Give the {K}."),
        "zh": ("{C}为{c}的有哪些{K}？", "哪些{noun}的{C}是{c}？列出{K}。", "列出{C}是{c}的所有{K}。"),
    },
    "filter by number": {
        "en": ("Which {Ks} have a {V} of more than {x}?", "Which {Ks} have a {V} above {x}?"),
        "zh": ("哪些{K}的{V}超过{x}？", "{V}大于{x}的{K}有哪些？"),
    },
    "count with condition": {
        "en": ("How many {noun} have the {C} {c}?", "How many {noun} are there with {C} {c}?",
               "Count the {noun} whose {C} is {c}."),
        "zh": ("{C}为{c}的{noun}有多少？", "有多少{noun}的{C}是{c}？", "{C}是{c}的一共有几条？"),
    },
    "count by number": {
        "en": ("How many {noun} have a {V} of more than {x}?", "In how many {noun} is the {V} above {x}?"),
        "zh": ("{V}超过{x}的{noun}有多少？", "有多少{noun}的{V}大于{x}？"),
    },
    "distinct values": {
        "en": ("Which different values of {C} are there?", "What {C} values occur in the list?",
               "List all distinct {C}."),
        "zh": ("{C}有哪些？", "一共有哪些不同的{C}？", "列出所有的{C}。"),
    },
    "number of distinct values": {
        "en": ("How many different {C} are there?", "How many distinct values does {C} have?"),
        "zh": ("一共有多少个不同的{C}？", "{C}有几种？"),
    },
    "sum": {
        "en": ("What is the total {V}?", "What is the sum of {V} over all {noun}?", "How much is {V} in total?"),
        "zh": ("{V}合计是多少？", "所有{noun}的{V}总和是多少？", "{V}总共多少？"),
    },
    "sum with condition": {
        "en": ("What is the total {V} for {C} {c}?", "How much {V} do {noun} with {C} {c} have in total?",
               "Sum of {V} where {C} is {c}?"),
        "zh": ("{C}为{c}的{V}合计是多少？", "{c}的{V}总额是多少？", "{C}是{c}的{noun}，{V}一共多少？"),
    },
    "average": {
        "en": ("What is the average {V}?", "What is the mean {V} of all {noun}?"),
        "zh": ("{V}的平均值是多少？", "平均{V}是多少？", "所有{noun}的{V}平均是多少？"),
    },
    "average with condition": {
        "en": ("What is the average {V} for {C} {c}?", "On average, what is the {V} of {noun} whose {C} is {c}?"),
        "zh": ("{C}为{c}的平均{V}是多少？", "{C}是{c}的{noun}，{V}平均是多少？"),
    },
    "maximum": {
        "en": ("Which {K} has the highest {V}, and how much is it?", "What is the highest {V} and which {K} has it?"),
        "zh": ("{V}最高的是哪个{K}？是多少？", "哪个{K}的{V}最大，为多少？"),
    },
    "maximum, only which": {
        "en": ("Which {K} has the highest {V}?", "Who or what has the largest {V}?"),
        "zh": ("哪个{K}的{V}最高？", "{V}最大的{K}是哪个？"),
    },
    "minimum": {
        "en": ("Which {K} has the lowest {V}, and how much is it?", "What is the lowest {V} and which {K} has it?"),
        "zh": ("{V}最低的是哪个{K}？是多少？", "哪个{K}的{V}最小，为多少？"),
    },
    "ranking": {
        "en": ("Which three {Ks} have the highest {V}?", "What are the top 3 {Ks} by {V}?",
               "Give me the three {Ks} with the largest {V}."),
        "zh": ("{V}排名前三的{K}是哪些？", "{V}最高的三个{K}是什么？", "按{V}排序，前3名的{K}有哪些？"),
    },
    "difference of two rows": {
        "en": ("What is the difference in {V} between {k} and {k2}?",
               "How much higher is the {V} of {k} than that of {k2}?"),
        "zh": ("{k}的{V}比{k2}多多少？", "{k}和{k2}的{V}相差多少？"),
    },
    "share of the total": {
        "en": ("What share of the total {V} does {k} have?", "What percentage of the total {V} is {k}?"),
        "zh": ("{k}的{V}占总额的比例是多少？", "{k}占全部{V}的百分之几？"),
    },
    "ratio of two rows": {
        "en": ("What is the ratio of the {V} of {k} to that of {k2}?",
               "How many times the {V} of {k2} is that of {k}?"),
        "zh": ("{k}的{V}是{k2}的多少倍？", "{k}与{k2}的{V}之比是多少？"),
    },
    "growth": {
        "en": ("By what percentage did the {V} of {k} change from {p} to {q}?",
               "What was the growth rate of {k}'s {V} between {p} and {q}?"),
        "zh": ("{k}的{V}从{p}到{q}的增长率是多少？", "{k}{q}的{V}比{p}增长了百分之几？"),
    },
    "growth, one measure": {
        "en": ("By what percentage did {k} change from {p} to {q}?",
               "What was the growth rate of {k} from {p} to {q}?"),
        "zh": ("{k}从{p}到{q}的增长率是多少？", "{k}{q}比{p}增长了百分之几？"),
    },
    "group-by, which most": {
        "en": ("Which {C} has the highest total {V}?", "By total {V}, which {C} comes first?"),
        "zh": ("哪个{C}的{V}合计最高？", "按{C}汇总，{V}总额最大的是哪个？"),
    },
    "group-by": {
        "en": ("What is the total {V} by {C}?", "Give the total {V} for each {C}."),
        "zh": ("各{C}的{V}合计分别是多少？", "按{C}统计{V}总和。"),
    },
    "group-by, count": {
        "en": ("How many {noun} are there for each {C}?", "Count the {noun} by {C}."),
        "zh": ("每个{C}各有多少{noun}？", "按{C}统计{noun}的数量。"),
    },
    "dates, count": {
        "en": ("How many {noun} have a {D} after {d}?", "How many {noun} have a {D} later than {d}?"),
        "zh": ("{D}在{d}之后的{noun}有多少？", "有多少{noun}的{D}晚于{d}？"),
    },
    "dates, list": {
        "en": ("Which {Ks} have a {D} after {d}?", "List the {Ks} with a {D} later than {d}."),
        "zh": ("{D}在{d}之后的{K}有哪些？", "哪些{K}的{D}晚于{d}？"),
    },
    "dates, before": {
        "en": ("Which {Ks} have a {D} before {d}?", "List the {Ks} with a {D} earlier than {d}."),
        "zh": ("{D}在{d}之前的{K}有哪些？", "哪些{K}的{D}早于{d}？"),
    },
    "trend": {
        "en": ("How did the {V} of {k} develop from {p} to {q}?", "What is the trend of {k}'s {V} from {p} to {q}?"),
        "zh": ("{k}的{V}从{p}到{q}的变化趋势如何？", "{p}至{q}{k}的{V}怎么变化？"),
    },
    "trend, one measure": {
        "en": ("How did {k} develop from {p} to {q}?", "What is the trend of {k} from {p} to {q}?"),
        "zh": ("{k}从{p}到{q}的变化趋势如何？", "{p}至{q}{k}怎么变化？"),
    },
}  # fmt: skip

ON_SHEET = {"en": "On the sheet {sheet}: {text}", "zh": "在工作表“{sheet}”中，{text}"}
ROWS = {"en": "entries", "zh": "记录"}
NAMES = {"en": "item", "zh": "项目"}
