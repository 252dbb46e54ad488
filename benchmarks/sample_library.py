"""Write the documents of the sample library: ``uv run benchmarks/sample_library.py [--out static/samples]``.

All of their text is made up here.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from sample_report import write_report

HANDBOOK = """# 北辰能源员工手册

## 第一章 总则

本手册适用于公司全体正式员工和试用期员工。试用期为三个月，试用期满由部门负责人考核。

## 第二章 考勤

员工每天上午九点上班，下午六点下班，午休一小时。一个月内迟到三次记警告一次，累计三次警告的，取消当年评优资格。

因天气原因无法按时到岗的，应在九点前通知部门负责人，不计迟到。

## 第三章 休假

### 3.1 年假

入职满一年的员工每年享有十五天带薪年假，满五年的享有二十天。未休完的年假可以结转到次年三月底，逾期作废。

### 3.2 病假

病假须提供医院证明。全年累计不超过三十天的，工资按百分之八十发放。

## 第四章 差旅

出差须提前三天提交申请。费用标准如下：

| 城市 | 住宿（元/晚） | 餐补（元/天） |
| --- | --- | --- |
| 北京、上海、深圳 | 600 | 120 |
| 省会城市 | 450 | 100 |
| 其他城市 | 350 | 80 |

超出标准的部分由部门负责人审批，并在报销单上注明原因。

## 第五章 信息安全

1. 电脑离开视线时必须锁屏。
2. 客户资料不得通过私人邮箱发送。
3. 设备丢失应在两小时内报告信息安全组。
"""
GUIDE: list[tuple[int, str | list[str] | list[list[str]]]] = [
    (1, "Before the visit"),
    (0, "Check the wind forecast for the whole day. Work in the nacelle stops at fourteen metres per second, and the "
        "ladder is not climbed above eighteen."),
    (0, "Tell the control room who goes up, and when they mean to be back. Two people climb together, never one."),
    (0, ["Harness, helmet and two lanyards, inspected within the last twelve months",
         "Radio with a charged spare battery",
         "Lockout tags for the rotor and the yaw drive"]),
    (1, "Gearbox"),
    (2, "Oil"),
    (0, "Change the oil every 36 months or after 20,000 hours, whichever comes first. Take a sample before draining "
        "and send it to the laboratory with the serial number of the gearbox."),
    (2, "Filter"),
    (0, "The filter is changed every twelve months. A pressure difference above 2.5 bar is a reason to change it "
        "sooner."),
    (1, "Brakes"),
    (0, "Pads thinner than six millimetres are replaced in pairs. After the change the rotor is stopped three times "
        "from idle, and the disc is checked for blue marks."),
    (0, [["Part", "Interval", "Hours of work"], ["Oil filter", "12 months", "2"], ["Brake pads", "24 months", "5"],
         ["Gear oil", "36 months", "9"], ["Main bearing grease", "6 months", "1"]]),
    (1, "After the visit"),
    (0, "Remove the lockout tags in the reverse order, report to the control room, and write the protocol on the "
        "same day. Photographs of damage belong to the protocol."),
]  # fmt: skip
RULES: list[tuple[int, str | list[str] | list[list[str]]]] = [
    (1, "一、适用范围"),
    (0, "本规程适用于公司所属储能电站的日常巡检，不适用于故障抢修。"),
    (1, "二、巡检周期"),
    (0, "电池舱每周巡检两次，变流器每周一次，消防系统每月一次。环境温度超过三十五摄氏度时，电池舱改为每天巡检。"),
    (0, [["设备", "周期", "责任班组"], ["电池舱", "每周两次", "运行一班"], ["变流器", "每周一次", "运行二班"],
         ["消防系统", "每月一次", "安全组"]]),
    (1, "三、巡检要求"),
    (0, ["进入电池舱前先通风十分钟，并确认氢气浓度低于百分之零点四。",
         "单体电池温差超过五摄氏度的，立即上报值班长。",
         "巡检记录当天录入系统，保存期限为三年。"]),
    (1, "四、异常处理"),
    (0, "发现冒烟、异味或者温度骤升，立即撤离并按下急停按钮，不得自行开舱。值班长应在五分钟内通知消防部门。"),
]  # fmt: skip
PARTS = [
    ["Part", "Turbine type", "In stock", "Price (EUR)", "Lead time (weeks)"],
    ["Main bearing", "NL-120", 1, 48200, 26],
    ["Main bearing", "NL-150", 0, 61500, 34],
    ["Gearbox oil filter", "all", 38, 164, 2],
    ["Brake pad, pair", "all", 22, 310, 3],
    ["Pitch motor", "NL-120", 4, 5750, 9],
    ["Pitch motor", "NL-150", 3, 6900, 11],
    ["Yaw drive", "NL-150", 1, 12400, 16],
    ["Blade bolt, set of 72", "all", 5, 2280, 6],
]
INSPECTIONS = [
    ["Site", "Turbines", "Spring 2025", None, "Autumn 2025", None],
    [None, None, "Inspected", "Defects", "Inspected", "Defects"],
    ["Grimsund", 24, 24, 3, 23, 5],
    ["Holm Bank", 40, 38, 7, 40, 4],
    ["Vestfjell", 18, 18, 1, 18, 2],
    ["白沙湾", 32, 30, 6, 32, 3],
]


def main() -> None:
    """Write all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("static/samples"))
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    (out / "员工手册.md").write_text(HANDBOOK, "utf-8")
    write_report(out / "northlight-annual-report-2025.pdf")
    _docx(out / "turbine-service-guide.docx", "Turbine service guide", GUIDE)
    _docx(out / "储能电站巡检规程.docx", "储能电站巡检规程", RULES)
    _xlsx(out / "turbine-spare-parts.xlsx")


def _docx(path: Path, title: str, contents: Sequence[tuple[int, str | list[str] | list[list[str]]]]) -> None:
    import docx

    document = docx.Document()
    document.core_properties.title = title
    document.add_heading(title, 0)
    for level, content in contents:
        if level:
            document.add_heading(str(content), level)
        elif isinstance(content, str):
            document.add_paragraph(content)
        elif isinstance(content[0], str):
            for item in content:
                document.add_paragraph(str(item), style="List Bullet")
        else:
            table = document.add_table(len(content), len(content[0]), style="Table Grid")
            for row, cells in zip(table.rows, content, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
    document.save(str(path))


def _xlsx(path: Path) -> None:
    import openpyxl
    from openpyxl.styles import Font

    book = openpyxl.Workbook()
    parts = book.active
    parts.title = "Spare parts"
    inspections = book.create_sheet("Inspections")
    for sheet, rows, heads in ((parts, PARTS, 1), (inspections, INSPECTIONS, 2)):
        for row in rows:
            sheet.append(row)
        for row in sheet.iter_rows(max_row=heads):
            for cell in row:
                cell.font = Font(bold=True)
        for column in "ABCDEF":
            sheet.column_dimensions[column].width = 20
    for merged in ("A1:A2", "B1:B2", "C1:D1", "E1:F1"):
        inspections.merge_cells(merged)
    book.save(path)


if __name__ == "__main__":
    main()
