"""Four made workbooks in Chinese: orders, companies by year, a budget with two header rows, staff and funding."""

from __future__ import annotations

import datetime
import random
from pathlib import Path
from typing import Any

from workbooks.sheets import Sheet, write
from workbooks.tables import ListTable

_SYLLABLES = "恒瑞达安泰和盛金华信远宏图新力方正海润丰嘉联通博雅康宁世纪东升明德鼎立卓越启航天元"
_TRADES = ("科技", "电子", "医药", "能源", "环保", "食品", "机械", "新材料")
_SURNAMES, _GIVEN = "王李张刘陈杨赵黄周吴徐孙马朱胡林", "伟芳娜敏静丽强磊洋艳勇杰涛明超霞平刚桂英"


def _company(drawn: random.Random) -> str:
    return "".join(drawn.sample(_SYLLABLES, 2)) + drawn.choice(_TRADES)


def _names(drawn: random.Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[_company(drawn)] = None
    return list(found)


def _day(drawn: random.Random, first: datetime.date, days: int) -> Any:
    day = first + datetime.timedelta(drawn.randrange(days))
    ways = (datetime.datetime(day.year, day.month, day.day), f"{day:%Y-%m-%d}", f"{day:%Y/%m/%d}",
            f"{day.year}年{day.month}月{day.day}日", f"{day.year}.{day.month}.{day.day}")  # fmt: skip
    return drawn.choice(ways)


def orders(path: Path, _long: int) -> list[ListTable]:
    """Orders under title lines, with amounts as text, empty cells and a total at the end."""
    drawn = random.Random("orders")
    customers = _names(drawn, 40)
    codes = {name: f"C{1000 + place}" for place, name in enumerate(customers)}
    products = ("离心泵", "控制柜", "变频器", "压力传感器", "电磁阀", "减速机", "滤芯")
    rows = []
    for place in range(600):
        customer = drawn.choice(customers)
        quantity, price = drawn.randint(1, 80), drawn.randint(200, 90_000) / 10
        rows.append([
            f"XS2024{place + 1:05d}", _day(drawn, datetime.date(2024, 1, 2), 360), codes[customer], customer,
            drawn.choice(("华东", "华南", "华北", "西南", "东北")), drawn.choice(products), quantity,
            f"{price:,.2f}", round(quantity * price / 1e4, 2),
            None if drawn.random() < 0.15 else drawn.choice(("已发货", "待发货", "已签收", "已取消")),
        ])  # fmt: skip
    total = [
        "合计",
        None,
        None,
        None,
        None,
        None,
        sum(r[6] for r in rows),
        None,
        round(sum(r[8] for r in rows), 2),
        None,
    ]
    sheet = Sheet(
        "订单", ("订单编号", "下单日期", "客户编码", "客户名称", "销售区域", "产品", "数量（台）",
                 "单价（元）", "金额（万元）", "状态"),
        rows, "订单编号", "订单", above=("2024年度销售订单明细表", "制表：销售部    单位：见各列"), totals={599: total},
        aliases={"金额（万元）": ("订单金额",), "销售区域": ("地区", "区域"), "客户名称": ("客户",),
                 "下单日期": ("订单日期",)},
    )  # fmt: skip
    return write(path, [sheet])


def companies(path: Path, _long: int) -> list[ListTable]:
    """Companies by year: the years as text, two columns of codes, losses in brackets, shares as text."""
    drawn = random.Random("companies")
    rows = []
    for place, name in enumerate(_names(drawn, 150)):
        code, income = f"{600000 + 7 * place}", drawn.uniform(2, 300)
        industry = drawn.choice(("医药生物", "电子", "机械设备", "环保", "食品饮料", "电力设备"))
        for year in ("2020年", "2021年", "2022年", "2023年"):
            income *= drawn.uniform(0.8, 1.35)
            profit = income * drawn.uniform(-0.05, 0.2)
            rows.append([
                code, f"{code}.SH", name, f"{name}股份有限公司", industry, year, year.replace("年", "-12-31"),
                f"{income:,.2f}", f"({-profit:,.2f})" if profit < 0 else f"{profit:,.2f}",
                f"{drawn.uniform(5, 60):.1f}%", None if drawn.random() < 0.1 else drawn.randint(120, 30_000),
            ])  # fmt: skip
    sheet = Sheet(
        "财务指标", ("证券代码", "完整代码", "证券简称", "公司全称", "所属行业", "报告年度", "截止日期",
                 "营业收入（亿元）",
                 "净利润（亿元）", "毛利率", "员工人数（人）"),
        rows, "证券简称", "记录",
        aliases={"营业收入（亿元）": ("营收", "收入"), "净利润（亿元）": ("净利",), "员工人数（人）": ("员工数",)},
    )  # fmt: skip
    return write(path, [sheet])


def budget(path: Path, _long: int) -> list[ListTable]:
    """A budget of departments: years over plan and actual in two header rows, subtotals among the rows."""
    drawn = random.Random("budget")
    groups = {
        "研发中心": ("基础平台部", "应用开发部", "测试部", "算法部"),
        "营销中心": ("品牌部", "渠道部", "大客户部", "售后服务部"),
        "职能中心": ("财务部", "人力资源部", "行政部", "法务部"),
    }
    rows: list[list[Any]] = []
    totals: dict[int, list[Any]] = {}
    for centre, departments in groups.items():
        own = [
            [
                centre,
                name,
                *(round(drawn.uniform(80, 2000), 1) for _ in range(6)),
                drawn.choice(("三成", "五成", "七成五", "八成", "九成")),
            ]
            for name in departments
        ]
        rows += own
        totals[len(rows) - 1] = [
            f"{centre}小计",
            None,
            *(round(sum(float(r[c]) for r in own), 1) for c in range(2, 8)),
            None,
        ]
    sheet = Sheet(
        "预算执行", ("中心", "部门", "预算", "实际", "预算", "实际", "预算", "实际", "完成率"), rows, "部门", "部门",
        above=("各部门预算执行情况（单位：万元）",),
        groups=(("", 2), ("2022年", 2), ("2023年", 2), ("2024年", 2), ("", 1)), totals=totals, merge=(0,),
        aliases={"完成率": ("完成比例",)},
    )  # fmt: skip
    return write(path, [sheet])


def staff(path: Path, _long: int) -> list[ListTable]:
    """Staff, some of one name, and rounds of funding with amounts such as 1.2亿, on two sheets."""
    drawn = random.Random("staff")
    people = list(dict.fromkeys(drawn.choice(_SURNAMES) + "".join(drawn.sample(_GIVEN, 2)) for _ in range(140)))
    people = people[:118] + people[:2]
    rows = sorted(
        (
            [
                drawn.choice(("生产部", "质量部", "采购部", "仓储部", "技术部")), f"{place + 10001}", name,
                drawn.choice(("男", "女")), drawn.choice(("本科", "硕士", "大专", "博士")),
                _day(drawn, datetime.date(2012, 3, 1), 4300), drawn.randint(50, 420) * 100,
                f"{drawn.randint(60, 100)}%",
            ]
            for place, name in enumerate(people)
        ),
        key=lambda row: str(row[0]),
    )  # fmt: skip
    people_sheet = Sheet(
        "员工名册", ("部门", "工号", "姓名", "性别", "学历", "入职日期", "月薪（元）", "出勤率"), rows, "姓名", "员工",
        above=("员工名册",), merge=(0,), aliases={"月薪（元）": ("工资", "每月薪水"), "学历": ("教育程度",)},
    )  # fmt: skip
    rounds = [
        [
            name, drawn.choice(("天使轮", "A轮", "B轮", "C轮")),
            drawn.choice((f"{drawn.randint(11, 90) / 10}亿", f"{drawn.randint(300, 9800):,}万")),
            drawn.choice(("北京", "上海", "深圳", "杭州", "成都")), _day(drawn, datetime.date(2019, 1, 1), 2000),
            drawn.choice(("领投：红杉", "领投：高瓴", "领投：经纬", None)),
        ]
        for name in _names(drawn, 60)
    ]  # fmt: skip
    funding = Sheet(
        "融资事件", ("公司", "轮次", "融资金额", "城市", "披露日期", "备注"), rounds, "公司", "公司",
        aliases={"融资金额": ("融资额",), "城市": ("所在城市",)}, first=2,
    )  # fmt: skip
    return write(path, [people_sheet, funding])
