"""Two small documents that many tests ask about, one in each language."""

REPORT = """# Annual report 2023

## Revenue

Revenue rose to 412 million dollars in 2023. The cloud segment grew by 31 percent.

## Risks

Two foundries supply 83 percent of the chips. The company holds eleven weeks of buffer inventory.
"""

REGULATIONS = """# 员工手册

## 第一章 考勤

员工每天上午九点上班，下午六点下班。迟到三次记警告一次。

## 第二章 年假

入职满一年的员工每年享有十五天带薪年假，未休完的年假可以结转到次年三月底。
"""
