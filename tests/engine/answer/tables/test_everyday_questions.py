"""What is asked of ordinary workbooks in everyday words, and what must not be answered from them."""

import openpyxl
import pytest
from read_tables import table_of, tables_in

from engine.answer.basis import MAY
from engine.answer.tables.answering import answer_from_tables

TEA = [
    ["单号", "日期", "门店", "城市", "杯型", "单价", "实收金额", "支付方式"],
    ["XS001", "2024-01-03", "西湖店", "杭州", "大杯", 20, 18.5, "现金"],
    ["XS002", "2024-01-09", "滨江店", "杭州", "中杯", 15, 15, "微信"],
    ["XS003", "2024-02-11", "西湖店", "杭州", "大杯", 22, 40, "微信"],
    ["XS004", "2024-02-20", "观前店", "苏州", "大杯", 21, 21, "现金"],
    ["XS005", "2024-02-21", "观前店", "苏州", "中杯", 16, 16, "现金"],
]
METROS = [
    ["MMSA", "icu_beds", "hospitals"],
    ["Manhattan, KS", 8, 4],
    ["Rochester, MN", 218, 9],
    ["Chicago, IL", 900, 84],
]
FIGURES = [
    ["指标", "2022年", "2023年", "2024年"],
    ["净利润（万元）", "4,120", "3,865", "4,638"],
    ["客户投诉（件）", "2,310", "1,954", "1,602"],
    ["供水总量（万立方米）", "15,820", "16,240", "16,905"],
]
ORDERS = [
    ["Work order", "Vehicle", "Opened", "Status", "Cost (£)"],
    ["WO-1", "Van 3", "2024-01-05", "open", 120],
    ["WO-2", "Van 4", "2024-02-05", "closed", 80],
    ["WO-3", "Van 3", "2024-03-05", "open", 60],
]
ENERGY = [
    ["Site", "Region", "Gas (MWh)", "Gas (MWh)", "Power (MWh)", "Power (MWh)"],
    ["", "", "Q1", "Q2", "Q1", "Q2"],
    ["Canal Works", "North", 10, 50, 30, 30],
    ["Mill Lane", "North", 40, 5, 20, 20],
    ["Harbour", "South", 30, 25, 50, 50],
]
CREDIT = [
    ["序号", "金融机构名称", "授信总额", "剩余额度"],
    ["1", "工商银行", "330,435.30", "95,585.30"],
    ["2", "兴业银行", "300,000.00", "192,000.00"],
    ["3", "杭州银行", "100,000.00", "20,000.00"],
]
PARTS = [
    ["Part", "Type", "In stock", "Price (EUR)"],
    ["Main bearing", "NL-120", 2, 900],
    ["Main bearing", "NL-150", 1, 800],
    ["Pitch motor", "NL-120", 9, 1500],
]
SERVICE = [["Part", "Interval (months)", "Hours of work"], ["Oil filter", 12, 2], ["Brake pads", 24, 5]]
GRANTS = [
    ["Grant ID", "Organisation", "Theme", "Awarded (£)", "Officer"],
    ["G-101", "Food Bank", "Food", 13800, "S. Brandt"],
    ["G-102", "Youth Theatre", "Arts", 16000, "J. Whelan"],
    ["G-103", "Copper Band", "Arts", 8000, "S. Brandt"],
]

SHIFTS = [
    ["Date", "Nurse", "Ward", "Room", "Hours", "Pay (EUR)"],
    ["2025-08-30", "Ola Berg", "A", 3, 8, 160],
    ["2025-09-01", "Tom Hale", "B", 4, 10, 210],
    ["2025-09-09", "Mia Kerr", "A", 3, 10, 200],
    ["2025-10-03", "Tom Hale", "A", 12, 12, 250],
    ["2025-10-05", "Tom Hale", "B", 4, 8, 170],
]
VOLUNTEERS = [
    ["Date", "Volunteer", "Role", "Hours", "Notes"],
    ["2025-03-02", "Evan Pryce", "Driver", 3, "first shift"],
    ["2025-04-09", "Aisha Khan", "Driver", 2.5, None],
    ["2025-04-15", "Evan Pryce", "Kitchen", 2.5, None],
    ["2025-05-03", "Evan Pryce", "Driver", 4, None],
]
RECEIPTS = [
    ["日期", "品名", "数量", "供应商", "经手人"],
    ["2024-07-02", "玉米", 300, "北丰", "赵强"],
    ["2024-08-11", "大豆", 120, "北丰", "李红"],
    ["2024-08-20", "玉米", 60, "建平", "赵强"],
]
CLIENTS = [
    ["客户", "级别", "城市", "年销售额（万元）"],
    ["海川", "A", "上海", 120],
    ["鼎新", "B", "杭州", 107],
    ["安远", "A", "宁波", 94],
]

STOCK = [
    ["SKU", "Item", "Category", "Price (£)", "On hand", "Reorder level", "Last counted"],
    ["P-101", "A4 paper", "Paper", 18.5, 42, 20, "2025-10-03"],
    ["P-102", "Envelopes", "Paper", 7.25, 12, 25, "2025-06-30"],
    ["F-301", "Desk lamp", "Furniture", 29.9, 15, 5, "2025-08-01"],
    ["F-302", "Office chair", "Furniture", 149, 4, 2, "2025-08-01"],
]
TASKS = [
    ["Task", "Owner", "Due", "Status", "Estimated hours", "Actual hours", "Completed on"],
    ["Paint hall", "Rosa", "2025-03-10", "done", 12, 15, "2025-03-09"],
    ["Fix gate", "Imran", "2025-03-15", "in progress", 5, 3, None],
    ["Order bulbs", "Rosa", "2025-04-01", "not started", 1, 0, None],
    ["Clean gutters", "Pete", "2025-02-20", "done", 6, 4, "2025-02-25"],
]
MARKS = [
    ["Pupil", "Class", "Maths", "English", "Absences"],
    ["Ada Bell", "7A", 78, 85, 0],
    ["Ben Cole", "7B", 62, 58, 4],
    ["Cara Diaz", "7A", 91, 74, 2],
    ["Dev Patel", "7C", 55, 69, 0],
]
FLIGHTS = [
    ["Flight", "From", "To", "Departs", "Arrives"],
    ["BT101", "Riga", "Oslo", "07:10", "08:20"],
    ["BT204", "Oslo", "Riga", "09:30", "12:35"],
    ["BT411", "Riga", "Berlin", "18:20", "19:05"],
]
SELLERS = [
    ["Rep", "Region", "Target", "Sales", "Bonus paid"],
    ["Kim", "East", 50000, 61200, "yes"],
    ["Lars", "West", 60000, 48000, "no"],
    ["Mona", "East", 45000, 45000, "yes"],
]
FLATS = [
    ["Flat", "Tenant", "Rent (£/month)", "Deposit (£)", "Lease end", "Pets allowed", "Cleaner"],
    ["1A", "M. Osei", 850, 850, "2025-05-31", "No", "Ben"],
    ["1B", "K. Nowak", 910, 900, "2026-01-31", "Yes", None],
    ["2A", "P. Silva", 990, 990, "2025-10-31", "Yes", "Ben"],
]
COURSES = [
    ["课程", "教师", "学分", "选课人数", "是否考试"],
    ["高等数学", "陈老师", 5, 118, "是"],
    ["羽毛球", "周老师", 1, 35, "否"],
    ["书法", "吴老师", 1, 12, "否"],
]
MENU = [
    ["Dish", "Course", "Price", "Vegetarian", "Allergens"],
    ["Leek soup", "Starter", "£6.50", "yes", "milk, celery"],
    ["Mushroom risotto", "Main", "£14.00", "yes", "milk"],
    ["Lamb shank", "Main", "£19.50", "no", None],
]
DELIVERIES = [
    ["No.", "Depot", "Article", "Unit", "Price", "Quantity", "Checked"],
    [1, "North", "Maize", "kg", 0.8, 300, "yes"],
    [2, "North", "Barley", "kg", 0.7, 120, "yes"],
    [3, "North", "Maize meal", "bag", 9, 40, "no"],
    [4, "South", "Rye", "kg", 0.6, 60, "no"],
]
MARGINS = [
    ["公司", "年度", "毛利率"],
    ["恒达", "2022年", "30.0%"], ["恒达", "2023年", "31.0%"], ["盛恒", "2023年", "45.0%"], ["盛恒", "2022年", "12.0%"],
]  # fmt: skip
ROOMS = [
    ["編號", "名稱", "教室"],
    ["E-01", "筆電", "A303"],
    ["E-02", "投影機", "A303"],
    ["E-03", "印表機", "教務處"],
]
BOOKS = [
    ["ISBN", "book_title", "category", "rental_price"],
    ["978-0-1", "Moby Dick", "Classic", 6.5],
    ["978-0-2", "Emma", "Classic", 5.5],
    ["978-0-3", "Dune", "Fiction", 7],
]

BUDGETS = [
    ["部门", "项目", "预算（万元）", "实际支出（万元）", "是否验收"],
    ["市场部", "广告投放", 120, 135, "是"],
    ["市场部", "展会", 60, 52, "否"],
    ["研发部", "服务器", 200, 230, "否"],
]

CONTACTS = [
    ["姓名", "部门", "手机号"],
    ["刘洋", "生产部", 13800001],
    ["赵敏", "生产部", None],
    ["孙浩", "质检部", 13900003],
]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("everyday")
    rows = {
        "tea": TEA,
        "metros": METROS,
        "figures": FIGURES,
        "grants": GRANTS,
        "orders": ORDERS,
        "energy": ENERGY,
        "credit": CREDIT,
        "parts": PARTS,
        "service": SERVICE,
        "shifts": SHIFTS,
        "stock": STOCK,
        "foodbank volunteers": VOLUNTEERS,
        "receipts": RECEIPTS,
        "clients": CLIENTS,
        "tasks": TASKS,
        "marks": MARKS,
        "flights": FLIGHTS,
        "sellers": SELLERS,
        "flats": FLATS,
        "courses": COURSES,
        "deliveries": DELIVERIES,
        "margins": MARGINS,
        "rooms": ROOMS,
        "books": BOOKS,
        "menu": MENU,
        "contacts": CONTACTS,
        "budgets": BUDGETS,
    }
    return {name: table_of(folder, one, name=f"{name}.xlsx") for name, one in rows.items()}


@pytest.mark.parametrize(
    ("name", "question", "said"),
    [
        ("tea", "付现金买大杯的有多少单？", "共2项"),
        ("tea", "哪个月实收金额最高？", "2024-02：77"), ("tea", "每个月的实收金额是多少？", "2024-01：33.5"),
        ("metros", "top two metros by number of hospitals?", "Chicago, IL: 84"),
        ("figures", "2024年客户投诉比上一年少了多少件？", "352件"),
        ("figures", "2024年净利润比上一年涨了百分之几？", "20%"),
        ("energy", "Which site used the most gas?", "Canal Works: 60 MWh (The total of Gas / Q1, Gas / Q2 by Site)"),
        ("energy", "What share of gas was used in the North?", "65.63%"),
        ("service", "Given intervals and hours of work, which part has the most hours of work?", "Hours of work 5"),
        ("credit", "哪家银行的剩余额度最大？", "兴业银行：剩余额度192,000.00"),
        ("credit", "工商银行的授信总额是多少？", "工商银行的授信总额为330,435.30"),
        ("figures", "哪一年净利润最高？", "4,638"),
        ("parts", "Which part is the most expensive?", "Pitch motor: Price €1,500"),
        ("energy", "top 2 sites by power", "Harbour: 100 MWh"),
        ("shifts", "How many shifts were there in October?", "2 found: Date 2025-10"),
        ("shifts", "What was the total pay in September?", "€410"),
        ("shifts", "Which shifts were before September 5?", "2025-08-30: Nurse Ola Berg, Ward A"),
        ("shifts", "Who was there on October 3?", "2025-10-03: Nurse Tom Hale, Ward A, Room 12"),
        ("shifts", "How many hours did Tom Hale have in October?", "20"),
        ("shifts", "How many nurses were in ward A?", "3 found"),
        ("shifts", "How many nurses were in ward B?", "1 found"),
        ("shifts", "How many shifts were in room 4?", "2 found: Room 4"),
        ("foodbank volunteers", "Total hours Evan Pryce put in at the food bank?", "9.5"),
        ("receipts", "第三季度有几笔？", "共3项"), ("shifts", "How many nurses were there in Q4?", "1 found"),
        ("shifts", "total pay in the second half", "€990"), ("receipts", "2024年三季度玉米一共多少？", "360"),
        ("receipts", "最近的日期是哪天？", "2024-08-20"),
        ("stock", "What was last counted in August?", "F-301: Desk lamp"),
        ("receipts", "8月份有几笔？", "共2项"), ("receipts", "七月份玉米的数量是多少？", "300"),
        ("receipts", "赵强经手了几笔？", "共2项"), ("receipts", "8月11日是谁经手的？", "李红"),
        ("clients", "A级的是哪几家？", "海川"),
        ("marks", "How many pupils are in 7A?", "2 found"),
        ("flights", "When does the flight from Riga to Berlin leave?", "BT411: Departs 18:20"),
        ("flights", "When does BT204 arrive?", "12:35"),
        ("flats", "How much is the rent for 2A?", "990"),
        ("flats", "What is the total rent per month?", "2,750"),
        ("courses", "能不能告诉我羽毛球的学分？", "1"),
        ("menu", "Which dishes have milk?", "- Leek soup\n- Mushroom risotto"),
        ("rooms", "A303總共有幾台？", "共2项"),
        ("books", "What's the average rental price for the Classic books?", "6"),
        ("foodbank volunteers", "What did Aisha Khan do?", "2025-04-09: Role Driver, Hours 2.5"),
        ("margins", "毛利率最高的是哪个公司？", "45.0%"), ("margins", "哪个公司的平均毛利率最高？", "恒达：30.5%"),
        ("clients", "A级客户有几家？", "共2项"), ("clients", "B级客户在哪个城市？", "杭州"),
        ("stock", "How many items were not last counted in August?", "2 found"),
        ("tasks", "Which tasks were never completed?", "- Fix gate\n- Order bulbs"),
        ("budgets", "哪些项目还没验收？", "- 展会\n- 服务器"),
        ("marks", "Who was never absent?", "- Ada Bell\n- Dev Patel"),
        ("sellers", "Which reps got a bonus?", "- Kim\n- Mona"),
        ("sellers", "Who did not get a bonus?", "Lars"),
        ("flats", "Which flat has no cleaner?", "1B"),
        ("courses", "哪些课程不考试？", "- 羽毛球\n- 书法"),
        ("menu", "Which mains are not vegetarian?", "Lamb shank"),
        ("menu", "Which dishes have no allergens?", "Lamb shank"),
        ("contacts", "有多少人没登记手机号？", "共1项"),
        ("sellers", "Which reps didn't get a bonus?", "Lars"),
        ("deliveries", "Which articles were not checked?", "Rye"),
    ],
)  # fmt: skip
def test_an_everyday_question_is_answered(tables, name, question, said):
    chinese = not question.isascii()
    made = answer_from_tables(question, [tables[name]], chinese)
    assert made is not None and made.score >= MAY and said in made.computed.text


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("tea", "没付现金的有多少单？"), ("tea", "哪个店员开的单最多？"), ("tea", "南京有几家店？"),
        ("tea", "东湖店一共实收多少？"),
        ("figures", "2022年客户投诉比上一年少了多少件？"), ("grants", "How many pages has the report on arts?"),
        ("figures", "2024年哪个季度净利润最高？"),
        ("service", "Which part is the most expensive?"),
        ("shifts", "How many hours did Tom Hale have in January?"), ("shifts", "What was the pay of grade A?"),
        ("clients", "9月以后的客户有几家？"), ("sellers", "Which reps did not result in a sale?"),
        ("flights", "What gate does BT204 use?"), ("courses", "书法的上课地点在哪？"),
        ("tasks", "Which tasks were not watered?"), ("parts", "Which part has the most money left?"),
        ("courses", "哪些课程不收费？"),
        ("flats", "Which flat has no balcony?"), ("marks", "Who is better in French than in Maths?"),
        ("stock", "How much paper is there?"),
        ("stock", "How many office chairs do we have?"), ("stock", "What is the total stock value of paper?"),
        ("grants", "What is the total awarded altogether to the people of Elmet?"),
    ],
)  # fmt: skip
def test_what_the_table_does_not_tell_is_not_answered(tables, name, question):
    made = answer_from_tables(question, [tables[name]], not question.isascii())
    assert made is None or made.score < MAY


def test_where_another_table_of_the_document_answers_otherwise_neither_is_sure(tmp_path):
    book = openpyxl.Workbook()
    for name, amount in (("Received", 300), ("Issued", 120)):
        sheet = book.create_sheet(name)
        sheet.append(["Date", "Article", "Quantity"])
        sheet.append(["2024-04-02", "Maize", amount])
        sheet.append(["2024-05-07", "Rye", 40])
    del book["Sheet"]
    book.save(tmp_path / "mill.xlsx")
    tables = tables_in(tmp_path / "mill.xlsx")
    unclear = answer_from_tables("How many quantities of maize were dispatched in April?", tables, False)
    named = answer_from_tables("What quantity of maize was issued in April?", tables, False)
    assert unclear is not None and unclear.score < MAY and unclear.left_out == ("dispatched",)
    assert named is not None and named.score >= MAY and "120" in named.text
