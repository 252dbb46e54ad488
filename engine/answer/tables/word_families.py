"""Words that questions and tables use for the same thing: "planes" asks for "Aircraft", "spent" for "expense"."""

from __future__ import annotations

from functools import lru_cache

from engine.enrich.synonyms import load_synonyms
from engine.index.tokenize import tokens

# One family a line; a word may be in several.
_FAMILIES = """
aircraft airplane aeroplane plane jet
employee staff worker personnel workforce headcount people work employ
expense cost spend spent expenditure outlay charge pay paid bill
salary wage remuneration compensation payroll
revenue sale turnover receipt
revenue earn
income earnings profit earn
loss deficit lose
departure depart leave
arrival arrive reach
screen display
ticket fare
weigh weight
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
height high elevation altitude
area size big
depth deep
width wide
distance far
price expensive
repurchase buyback
issue issuance raise proceeds
repay repayment
borrow borrowing proceeds
guest visitor tourist
pupil student enrolment enrollment
teacher instructor faculty
doctor physician
manufacturer maker
headquarters base based seat
department division
salary earn
phone telephone extension
address location
start begin began beginning commencement
open opened opening
hire hired joined join
nationality country citizenship
champion winner
runner-up second
runtime length duration
floor storey story
capital city
founder founded
operator operated
owner owned
builder built
designer designed architect
producer produced
publisher published
composer composed
scorer scored
host hosted
occupation profession job
degree qualification education
genre category type
model version
shipment delivery deliveries shipped delivered
output production produced
rainfall precipitation rain
electricity power energy
workforce staff
site plant factory facility
shop store outlet branch
manage manager run head
lead leader leads led
职位 职务 岗位 职称
工资 月薪 薪水 薪资 薪酬 年薪
电话 分机 手机 号码
部门 科室 处室
地址 地点 所在 位置 位于 坐落 哪里 产地 驻地
价格 单价 售价 定价 票价
员工 职工 人员 人数 雇员
成立 创立 创办 设立 建立 创建
开工 动工
完工 竣工 建成
出生 生日
学历 文凭 学位
全长 长度 里程
海拔 高度 身高
重量 体重
销量 销售
主管 负责
供应 厂商 厂家 供货
客户 顾客
时间 日期
成本 费用 花费 支出 开支
收入 营收
利润 盈利
库存 存货
产量 产出 生产
人口 居民
学生 在校
教师 老师
游客 旅客 乘客 客流
贷款 借款
作者 作家 著者
导演 执导
开业 开通 启用 投用 通车
面积 占地
床位 病床
任期 任职
飞往 开往 前往 目的 终点
出发 始发 起点
起飞 出发 离开
到达 抵达
票价 价格 单价
注册 登记
余额 结余
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
