"""How Chinese questions ask for a column without its name: 几点发车 for 发车时间, 多重 for 重量, 赢了几场 for 胜."""

from __future__ import annotations

import re

from engine.answer.tables.aggregate_words import CLASSIFIERS

# What is said, and how the attribute may be called that it asks for, the likeliest names first ("||" parts them).
# The first that is said is meant.
CUES: tuple[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]], ...] = tuple(
    (re.compile(said), tuple(map(re.compile, called.split("||"))))
    for said, called in (
        (r"几点钟?|几时", r"时间|时刻"),
        (r"哪一?[天日]|几月几[日号]|什么日期", r"日期|日$||时间"),
        (r"什么时候|什么时间|何时", r"日期|时间|时刻|日$|年份"),
        (r"排?(?:名|在|列)?第几名?|名次是?多少", r"^(?:排名|名次|位次)$"),
        (r"多久|多长时间|几个?(?:小时|分钟|天|月)",
         r"历时|[时工]长|耗时|周期|[工学]期|期限|用时|寿命|保质期|有效期|年限|天数"),
        (r"(?:卖|要|花|付|收)?(?:多少钱|什么价钱?|多贵)", r"价|费|金额|租金|工资"),
        (r"有?多重", r"重量?$|重$"),
        (r"有?多高", r"高度?$|海拔|身高|层高"),
        (r"有?多远", r"距离|里程"),
        (r"有?多快", r"[速]度|时速"),
        (r"有?多长", r"长度?$|里程|长$"),
        (r"有?多大", r"面积|容量|大小|尺寸|体积|硬盘|内存|年龄"),
        (r"[赢胜]了?(?:多少|几)[场局次]?", r"^(?:胜|胜场|获胜)(?:场[数次])?$"),
        (r"[输负]了?(?:多少|几)[场局次]?", r"^(?:负|负场|败)(?:场[数次])?$"),
        (r"(?:打?平|战平)了?(?:多少|几)[场局次]?", r"^平局?(?:场[数次])?$"),
        (r"[丢失]了?(?:多少|几)[个粒]?球", r"^失球"),
        (r"(?:打?进|攻入)了?(?:多少|几)[个粒]?球", r"^(?:进球|入球)"),
        (r"[积得拿]?[到了]?(?:多少|几)分", r"^(?:积分|得分|总分|分数|成绩|总积分)$"),
        (r"(?:多少|几)个?[人名位]", r"人数|编制"),
        (r"一共|总共|总计|合计", r"^(?:总数|合计|总计|总[^分]?|小计)$"),
        (r"住在?哪[里儿]?|在(?:哪(?:[里儿]|$)|什么地方)|位于(?:哪[里儿]?|何处)", r"地[址点]|位置|所在|住址"),
    )
)  # fmt: skip
# What is most of all, and how its measure may be called.
EXTREMES: tuple[tuple[re.Pattern[str], re.Pattern[str] | None, bool], ...] = tuple(
    (re.compile(said), re.compile(called) if called else None, least)
    for said, called, least in (
        (r"最早", r"日期|时间|时刻|年份", True),
        (r"最晚", r"日期|时间|时刻|年份", False),
        (r"最贵", r"价|费|金额|租金|原值", False),
        (r"最便宜", r"价|费|金额|租金|原值", True),
        (r"最重", r"重量?$", False),
        (r"最轻", r"重量?$", True),
        (r"最远", r"距离|里程", False),
        (r"最近", r"距离|里程", True),
        (r"最长", r"长度?$|里程|历时|时长", False),
        (r"最短", r"长度?$|里程|历时|时长", True),
        (r"最[高多大]", None, False),
        (r"最[低少小]", None, True),
    )
)
WHICH = re.compile(rf"哪一?[{CLASSIFIERS}趟辆次班支]?")
WHO = re.compile(r"谁|哪一?[位个]人?")
IDLE = re.compile(
    rf"请问|请|谁|工作|上班|任职|上课|举行|举办|开始|进行|全程|获得|取得|得到|拥有|每[{CLASSIFIERS}天年月次人]?|一[{CLASSIFIERS}次天年]|一般|大概|大约|需要|可以"
    rf"|应该|是不是|什么|多少|哪一?[{CLASSIFIERS}趟辆次班支]?|[的是了在为有几要能会需到由被给拿得卖花付收用于呢吗啊吧这该其它他她你我们"
    rf"{CLASSIFIERS}枚张次元天年分人队共]|[?？。，,、\s]"
)
# What is more than reading a cell.
BEYOND = re.compile(
    r"最|比|平均|总和|之和|相差|占|增[长加减]|减少|下降|上升|变化|哪些|所有|以上|以下|超过|不足|至少|最[多少]|除了|不是|没有|之[前后]|以[前后]"
    r"|[和与及]|同比|环比|为什么|怎么|如何|吗|是否"
)
RANKED = re.compile(
    r"(?:排名|名列|位列|排在?|名次)(?:是|为)?第?(?P<a>[一二三四五六七八九十]|\d{1,3})[名位]?(?![\d一二三四五六七八九十])"
    r"|第(?P<b>[一二三四五六七八九十]|\d{1,3})名(?![\d一二三四五六七八九十])"
)
RANKS = re.compile(r"^(?:排名|名次|位次)$")
DIGITS = "一二三四五六七八九十"


def number_in(text: str) -> int:
    """Return a small number in digits or in one Chinese character."""
    return int(text) if text.isdigit() else DIGITS.index(text) + 1
