"""Sources, sentences that say the same in other words, and sentences that say the opposite.

A source may be a whole paragraph: a sentence is about one part of it.
"""

from __future__ import annotations

from typing import NamedTuple


class SaidAgain(NamedTuple):
    """A text of a document with true and false sentences about it."""

    source: str
    true: tuple[str, ...]
    false: tuple[str, ...]


ENGLISH = (
    SaidAgain(
        "Business class is not allowed.",
        (
            "Business class is prohibited.",
            "Employees may not fly business class.",
            "No business class is allowed.",
        ),
        ("Business class is allowed.", "Employees may fly business class."),
    ),
    SaidAgain(
        'Keeping dogs needs the Landlord\'s written consent. "No exotic animals are permitted on the premises" '
        "applies without exception.",
        (
            "Dogs may be kept only with the Landlord's written consent.",
            "Dogs may not be kept without the Landlord's written consent.",
            "Exotic animals are prohibited on the premises.",
        ),
        (
            "Keeping dogs needs no written consent of the Landlord.",
            "Dogs may be kept without the Landlord's written consent.",
            "Exotic animals are permitted on the premises.",
        ),
    ),
    SaidAgain(
        "Brightline Pumps delivers the BP-220 with a warranty of 36 months.",
        (
            "The BP-220 has a warranty of 36 months.",
            "Brightline Pumps gives 36 months of warranty on the BP-220.",
        ),
        ("The BP-220 of Brightline Pumps has no warranty.", "The BP-220 comes without a warranty."),
    ),
    SaidAgain(
        "Small repairs up to EUR 120 each are borne by the Tenant. All other repairs are borne by the Landlord.",
        (
            "Small repairs up to EUR 120 are paid by the Tenant.",
            "The Tenant bears small repairs up to EUR 120 each.",
        ),
        (
            "Small repairs up to EUR 120 each are borne by the Landlord.",
            "The Landlord bears small repairs up to EUR 120 each.",
        ),
    ),
    SaidAgain(
        "The device does not support wireless charging, but it can be charged over USB.",
        (
            "Wireless charging is not supported by the device.",
            "The device can be charged over USB.",
            "The device cannot be charged wirelessly, as wireless charging is not supported.",
        ),
        ("The device supports wireless charging.", "The device cannot be charged over USB."),
    ),
    SaidAgain(
        "Visitors must wear a badge at all times.",
        (
            "Visitors are required to wear a badge at all times.",
            "Visitors may not enter without wearing a badge.",
        ),
        ("Visitors need not wear a badge.", "Visitors do not have to wear a badge at all times."),
    ),
    SaidAgain(
        "Smoking is forbidden in all rooms of the hotel.",
        (
            "Guests must not smoke in the rooms of the hotel.",
            "Smoking is not permitted in any room of the hotel.",
        ),
        ("Smoking is permitted in all rooms of the hotel.", "Guests may smoke in the rooms of the hotel."),
    ),
    SaidAgain(
        "The parties shall not disclose the terms of this agreement to third parties without prior written consent.",
        (
            "The terms of this agreement may be disclosed to third parties only with prior written consent.",
            "Disclosing the terms of the agreement to third parties without prior written consent is prohibited.",
        ),
        (
            "The parties may disclose the terms of this agreement to third parties without prior written consent.",
        ),
    ),
    SaidAgain(
        "Unsigned applications are returned to the sender.",
        ("Applications that are not signed are returned to the sender.",),
        ("Unsigned applications are not returned to the sender.",),
    ),
    SaidAgain(
        "The drug did not reduce mortality in older patients, although it lowered blood pressure.",
        (
            "Mortality in older patients was not reduced by the drug.",
            "The drug lowered blood pressure.",
            "The drug lowered blood pressure but did not reduce mortality in older patients.",
        ),
        ("The drug reduced mortality in older patients.", "The drug did not lower blood pressure."),
    ),
    SaidAgain(
        "Revenue increased by 5% to 3 million euros.",
        ("Revenue rose by 5% to 3 million euros.", "There was a 5% increase in revenue, to 3 million euros."),
        ("Revenue decreased by 5% to 3 million euros.", "Revenue did not increase."),
    ),
    SaidAgain(
        "Payment is due no later than 30 days after receipt of the invoice.",
        (
            "Payment must be made within 30 days after receipt of the invoice.",
            "Payment is due at most 30 days after receipt of the invoice.",
        ),
        ("Payment is not due within 30 days after receipt of the invoice.",),
    ),
    SaidAgain(
        "The library is open on Sundays. It is closed on public holidays.",
        ("The library is not open on public holidays.", "On Sundays the library is open."),
        ("The library is closed on Sundays.", "The library is open on public holidays."),
    ),
    SaidAgain(
        "Employees who do not travel receive a meal allowance of EUR 10 a day.",
        (
            "Employees receive a meal allowance of EUR 10 a day if they do not travel.",
            "The meal allowance for employees who do not travel is EUR 10 a day.",
        ),
        ("Employees who do not travel receive no meal allowance.",),
    ),
    SaidAgain(
        "Children under 12 are not admitted unless accompanied by an adult.",
        (
            "Children under 12 are admitted only when accompanied by an adult.",
            "Children under 12 must be accompanied by an adult to be admitted.",
        ),
        ("Children under 12 are admitted without being accompanied by an adult.",),
    ),
    SaidAgain(
        "The court rejected the appeal because it had not been filed in time.",
        (
            "The appeal was rejected by the court.",
            "The appeal was rejected because it was not filed in time.",
            "The court did not accept the appeal, as it had not been filed in time.",
        ),
        (
            "The court accepted the appeal.",
            "The court rejected the appeal although it had been filed in time.",
        ),
    ),
    SaidAgain(
        "The museum was never rebuilt after the fire.",
        ("After the fire, the museum was not rebuilt.", "The museum was not rebuilt after the fire."),
        ("The museum was rebuilt after the fire.",),
    ),
    SaidAgain(
        "The supplier is liable for damage caused by gross negligence. It is not liable for lost profit.",
        (
            "The supplier is liable for damage caused by gross negligence.",
            "The supplier is not liable for lost profit.",
            "The supplier has no liability for lost profit.",
        ),
        (
            "The supplier is liable for lost profit.",
            "The supplier is not liable for damage caused by gross negligence.",
        ),
    ),
    SaidAgain(
        "The update is not only faster but also uses less memory.",
        ("The update is faster and uses less memory.",),
        ("The update is not faster.",),
    ),
    SaidAgain(
        "No fee is charged for transfers within the euro area.",
        (
            "Transfers within the euro area are not charged a fee.",
            "Transfers within the euro area are made without a fee.",
        ),
        ("A fee is charged for transfers within the euro area.",),
    ),
    SaidAgain(
        "Data is stored only on servers in Germany and is never shared with advertisers.",
        ("Data is stored on servers in Germany.", "Data is not shared with advertisers."),
        ("Data is shared with advertisers.", "Data is not stored on servers in Germany."),
    ),
    SaidAgain(
        "The contract may be terminated by either party with three months' notice.",
        (
            "Either party may terminate the contract with three months' notice.",
            "With three months' notice, the contract can be terminated by either party.",
        ),
        ("The contract may not be terminated by either party.", "Neither party may terminate the contract."),
    ),
    SaidAgain(
        "Ms. Orth was appointed by Mr. Keller. Mr. Keller left the company in 2021.",
        ("Mr. Keller appointed Ms. Orth.", "Ms. Orth was appointed by Mr. Keller."),
        ("Mr. Keller was appointed by Ms. Orth.", "Ms. Orth left the company in 2021."),
    ),
    SaidAgain(
        "Overtime is paid at 150%. Sick leave does not count as overtime.",
        ("Overtime is paid at 150%.", "Sick leave is not counted as overtime."),
        ("Sick leave counts as overtime.", "Overtime is not paid."),
    ),
    SaidAgain(
        "The pump should be switched off before cleaning; otherwise the seal may be damaged.",
        (
            "Switch off the pump before cleaning.",
            "If the pump is not switched off before cleaning, the seal may be damaged.",
        ),
        (
            "The pump should not be switched off before cleaning.",
            "The pump should be switched on before cleaning.",
        ),
    ),
    SaidAgain(
        "The committee approved the budget but postponed the decision on the new building.",
        ("The budget was approved by the committee.", "The decision on the new building was postponed."),
        ("The committee did not approve the budget.", "The committee rejected the budget."),
    ),
)
CHINESE = (
    SaidAgain(
        "第七条 禁止在电动自行车上加装遮阳伞。",
        ("不得在电动自行车上加装遮阳伞。", "电动自行车上不允许加装遮阳伞。", "电动自行车禁止加装遮阳伞。"),
        ("可以在电动自行车上加装遮阳伞。", "允许在电动自行车上加装遮阳伞。"),
    ),
    SaidAgain(
        "第五条 驾驶电动自行车应当年满十六周岁，最高时速不得超过二十五公里。",
        (
            "电动自行车的最高时速为二十五公里。",
            "驾驶电动自行车必须年满十六周岁。",
            "电动自行车最高时速不能超过二十五公里。",
        ),
        ("电动自行车的最高时速不受限制。", "驾驶电动自行车无需年满十六周岁。"),
    ),
    SaidAgain(
        "饲养犬只须经出租方书面同意。",
        (
            "未经出租方书面同意，不得饲养犬只。",
            "饲养犬只需要出租方书面同意。",
            "只有经出租方书面同意才能饲养犬只。",
        ),
        ("饲养犬只无须出租方书面同意。", "饲养犬只不需要出租方书面同意。"),
    ),
    SaidAgain(
        "小修费用由承租方承担。其他维修费用由出租方承担。",
        ("承租方承担小修费用。", "小修费用由承租方负责承担。"),
        ("小修费用由出租方承担。",),
    ),
    SaidAgain(
        "该设备不支持无线充电，但可以通过数据线充电。",
        ("该设备无法无线充电，不支持无线充电功能。", "该设备可以通过数据线充电。"),
        ("该设备支持无线充电。", "该设备不能通过数据线充电。"),
    ),
    SaidAgain(
        "员工乘坐公务舱须事先获得部门经理批准。",
        ("未经部门经理事先批准，员工不得乘坐公务舱。", "员工乘坐公务舱需要部门经理事先批准。"),
        ("员工乘坐公务舱无需部门经理批准。", "员工乘坐公务舱不必事先获得部门经理批准。"),
    ),
    SaidAgain(
        "本产品保修期为36个月，人为损坏不在保修范围内。",
        ("本产品的保修期是36个月。", "人为损坏不属于保修范围。", "保修范围不包括人为损坏。"),
        ("本产品没有保修期。", "人为损坏在保修范围内。"),
    ),
    SaidAgain(
        "未经许可，任何人不得进入实验室。",
        ("进入实验室必须经过许可。", "禁止任何人未经许可进入实验室。", "经许可才可以进入实验室。"),
        ("任何人未经许可可以进入实验室。",),
    ),
    SaidAgain(
        "承租方不得将房屋转租给第三人。",
        ("禁止承租方将房屋转租给第三人。", "承租方不能把房屋转租给第三人。"),
        ("承租方可以将房屋转租给第三人。", "承租方有权将房屋转租给第三人。"),
    ),
    SaidAgain(
        "公司营业收入比上年增长5%，净利润比上年下降3%。",
        ("公司营业收入增长了5%。", "净利润比上年减少3%。"),
        ("公司营业收入比上年下降5%。", "净利润比上年增长3%。"),
    ),
    SaidAgain(
        "驾驶人和乘坐人应当佩戴安全头盔。违反规定的，处五十元罚款。",
        (
            "驾驶人和乘坐人必须佩戴安全头盔。",
            "不佩戴安全头盔的驾驶人处五十元罚款。",
            "乘坐人也要佩戴安全头盔。",
        ),
        ("驾驶人和乘坐人无需佩戴安全头盔。", "驾驶人和乘坐人可以不佩戴安全头盔。"),
    ),
    SaidAgain(
        "图书馆周日开放，法定节假日不开放。",
        ("图书馆周日开放。", "法定节假日图书馆关闭。", "图书馆在法定节假日不开放。"),
        ("图书馆周日不开放。", "图书馆法定节假日开放。"),
    ),
    SaidAgain(
        "申请人逾期不补正的，视为放弃申请。",
        ("申请人逾期未补正的，视为放弃申请。", "逾期不补正申请的视为放弃。"),
        ("申请人逾期不补正的，不视为放弃申请。",),
    ),
    SaidAgain(
        "未成年人不得参加本次活动，但有监护人陪同的除外。",
        ("未成年人有监护人陪同的可以参加本次活动。", "没有监护人陪同的未成年人不得参加本次活动。"),
        ("未成年人可以在没有监护人陪同的情况下参加本次活动。",),
    ),
    SaidAgain(
        "法院驳回了原告的上诉请求。",
        ("原告的上诉请求被法院驳回。", "法院没有支持原告的上诉请求，予以驳回。"),
        ("法院支持了原告的上诉请求。", "法院没有驳回原告的上诉请求。"),
    ),
    SaidAgain(
        "押金在合同终止后30日内退还，不计利息。",
        ("押金于合同终止后30日内退还。", "退还押金时不计利息。", "合同终止后押金应在30日内退还。"),
        ("合同终止后押金不予退还。", "押金计利息。"),
    ),
    SaidAgain(
        "逾期未付款的，供应商有权暂停服务。",
        ("如果逾期未付款，供应商可以暂停服务。", "逾期不付款时供应商有权暂停服务。"),
        ("逾期未付款的，供应商无权暂停服务。", "逾期未付款的，供应商不得暂停服务。"),
    ),
    SaidAgain(
        "该药物对老年患者无效，但能够降低血压。",
        ("该药物能降低血压。", "该药物对老年患者没有效果。"),
        ("该药物对老年患者有效。", "该药物不能降低血压。"),
    ),
    SaidAgain(
        "系统不仅支持中文，而且支持英文。",
        ("系统支持中文和英文。", "系统支持英文。"),
        ("系统不支持中文。",),
    ),
    SaidAgain(
        "境内转账免收手续费。",
        ("境内转账不收取手续费。", "境内转账无手续费。"),
        ("境内转账收取手续费。",),
    ),
    SaidAgain(
        "用户数据保存在境内服务器，绝不提供给广告商。",
        ("用户数据保存在境内服务器上。", "用户数据不会提供给广告商。"),
        ("用户数据会提供给广告商。", "用户数据不保存在境内服务器。"),
    ),
    SaidAgain(
        "任何一方可提前三个月书面通知解除合同。",
        ("提前三个月书面通知，任何一方都可以解除合同。", "任何一方均可在提前三个月书面通知后解除合同。"),
        ("任何一方不得解除合同。",),
    ),
    SaidAgain(
        "付款期限不超过收到发票后30日。",
        ("应在收到发票后30日内付款。", "付款期限最多为收到发票后30日。"),
        ("付款期限超过收到发票后30日。",),
    ),
    SaidAgain(
        "会议由张伟主持，李娜负责记录。",
        ("张伟主持会议。", "会议由张伟主持。", "李娜负责会议记录。"),
        ("会议由李娜主持。",),
    ),
    SaidAgain(
        "实习生不享受年休假，正式员工每年享受十天年休假。",
        ("正式员工每年有十天年休假。", "实习生没有年休假。", "实习生不能享受年休假。"),
        ("实习生享受年休假。", "正式员工不享受年休假。"),
    ),
    SaidAgain(
        "董事会批准了预算，但推迟了新办公楼的决定。",
        ("预算获得董事会批准。", "新办公楼的决定被推迟。"),
        ("董事会没有批准预算。", "董事会否决了预算。"),
    ),
)
PAIRS = (*ENGLISH, *CHINESE)
