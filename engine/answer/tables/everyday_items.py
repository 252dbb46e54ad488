"""Items of filings in everyday words and as accountants print them: "set aside for bad debts" is the row "Allowance
for doubtful accounts", 客户欠的钱 the row 应收账款.

A question is written with the printed name where the names of the table's rows and columns have it and do not have
the everyday words. Of the names that may be meant the first that stands there is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.answer.tables.matching import features
from engine.answer.tables.question import is_asking
from engine.answer.tables.table_source import TableSource

_NOT = r"(?:not|n['’]t|never)"
_DEBTS = r"(?:bad|doubtful|uncollectible|unpaid|sour) (?:debts?|loans?|accounts?|receivables?|customers?)"
_COSTS = r"(?:costs?|expenses?|spending|bill|outlays?)"
_OWNERS = r"(?:the |its |their |our )?(?:share|stock)?(?:holders|owners)"
# What people say, and the names that may be printed for it, the one that is meant first in front.
_EN: tuple[tuple[str, str], ...] = (
    # customers and suppliers
    (rf"(?:set|put) (?:aside|by) (?:for|against) {_DEBTS}|{_DEBTS} (?:reserve|cushion|provision)s?",
     r"allowances? for doubtful accounts|allowances? for (?:expected )?credit losses"
     r"|(?:expected credit )?loss allowances?"
     r"|provisions? for (?:doubtful|bad) debts?|allowances? for (?:bad debts?|impairment)|expected credit loss(?:es)?"),
    (rf"\b(?:had|has|have|was|were|is|are|yet)? ?{_NOT} (?:yet )?(?:been )?(?:yet )?(?:billed|invoiced)(?: yet)?"
     r"|still to be (?:billed|invoiced)", r"unbilled|uninvoiced|contract assets?"),
    (r"(?:money |amounts? )?owed by (?:the |its |their )?(?:customers|clients)|(?:what )?(?:the |its )?(?:customers"
     r"|clients)"
     r" (?:still )?(?:owed?|had not (?:yet )?paid)", r"trade receivables?|accounts receivable|trade debtors"
     r"|receivables?"),
    (r"owed to (?:the |its |their )?suppliers|unpaid (?:supplier )?(?:bills|invoices)|suppliers['’]? unpaid bills",
     r"trade payables?|accounts payable|trade creditors|payables?"),
    (r"(?:paid|received|collected) (?:in advance|up ?front|ahead) (?:by|from) (?:the |its )?(?:customers|clients)"
     r"|customers? prepayments?|customers (?:had |have )?(?:paid|prepaid) (?:in advance|up ?front)",
     r"deferred revenues?|contract liabilit(?:y|ies)|unearned revenues?|customer deposits?|deferred income"),
    (r"\b(?:paid|bills paid) (?:in advance|ahead|up ?front)|advance payments",
     r"prepaid expenses?|prepayments?|prepaids?"),
    (r"everything (?:that )?(?:the )?\w+ owe[sd]|all (?:that )?(?:the )?\w+ owe[sd]|owed (?:in all|altogether|in total)"
     r"|all (?:of )?(?:the |its )?debts", r"total liabilities|liabilities, total"),
    (r"everything (?:that )?(?:the )?\w+ own(?:s|ed)|all (?:that )?(?:the )?\w+ own(?:s|ed)",
     r"total assets|assets, total"),
    (r"(?:goods |stocks? |products |merchandise )?(?:on the shelf|on the shelves|in the warehouses?|lying in stock)"
     r"|unsold (?:goods|products|stock)|stocks? of goods|goods in stock", r"inventor(?:y|ies)|stocks"),
    # income and costs
    (r"\b(?:br[io]ng|brought|brings|took|takes?|taken) in\b|takings\b",
     r"total revenues?|revenues?|net sales|sales|turnover|income"),
    (r"cost of (?:what was sold|the goods sold|making the products)",
     r"cost of (?:goods sold|sales|revenues?|products?(?: sold)?)"),
    (r"(?:the )?costs? of borrowing|borrowing costs?\b|\bborrowing cost\b|(?:the )?interest (?:bill|paid on (?:its "
     r"|the )?"
     r"(?:debts?|loans?|borrowings?))|paid (?:in interest|for (?:its |the )?(?:loans|borrowings))",
     r"interest expenses?|finance costs?|finance expenses?|finance charges?|financing costs?|interest costs?"
     r"|interest charges?|interest paid|borrowing costs"),
    (r"(?:earned|made) (?:on|from|with) (?:bank )?(?:deposits|savings|cash balances)|interest (?:earned|received)",
     r"interest income|finance income|interest received"),
    (rf"(?:staff|personnel|payroll|employees?|workforce|labou?r) {_COSTS}|pay of (?:the )?(?:staff|employees|workers)",
     r"(?:total )?(?:personnel|staff|employee|labou?r)(?: benefits?)? (?:expenses?|costs?)|salaries and (?:wages"
     r"|benefits)"
     r"|wages and salaries|salaries, wages,? and (?:related|benefits)"),
    (r"\bwages?\b|\bsalar(?:y|ies)\b|\bpay\b(?= (?:rises?|increases?|growth|was|were|assumed))",
     r"wages?|salar(?:y|ies)|compensation|remuneration"),
    (rf"(?:the )?fuel {_COSTS}|spent on fuel", r"aircraft fuel(?: expenses?| costs?)?|fuel (?:expenses?|costs?)|fuel"),
    (rf"\brent {_COSTS}|paid (?:in|as|for) rent", r"rent(?:al)? expenses?|(?:operating )?lease (?:costs?|expenses?)"),
    (rf"(?:running|day[- ]to[- ]day) {_COSTS}", r"operating (?:expenses?|costs?)"),
    (rf"overheads?\b|(?:head[- ]office|office|back[- ]office) {_COSTS}",
     r"selling, general,? and administrative|general and administrative|administrative expenses?|administration"),
    (rf"spent on (?:ads|adverts)|\bad(?:vert)? {_COSTS}", r"advertising(?: expenses?| costs?)?|marketing"),
    (rf"\blegal {_COSTS}|spent on lawyers|lawyers['’]? fees", r"legal (?:fees|costs|expenses)|litigation"),
    (r"auditors?['’]? (?:bill|pay|fees?)|paid to (?:the )?auditors?", r"audit fees?|auditors?['’]? remuneration"),
    (r"wear and tear", r"depreciation"),
    (r"\b(?:wr(?:ote|iting|itten)|write) (?:down|off) (?:of |the )?(?=goodwill|assets?|inventor|invest|intang)"
     r"|\bwrite[- ]?(?:down|off)s? (?:of|on) (?:the )?(?=goodwill|assets?|inventor|invest|intang)",
     r"impairments? (?:loss(?:es)? )?(?:of|on)|write[- ]?(?:down|off)s? of|impairments?"),
    (r"(?:the )?tax bill|tax(?:es)? (?:charged|to be paid)|paid in taxes",
     r"income tax(?:es)? (?:expenses?|charges?|provision)|provision for (?:income )?taxes|tax (?:expenses?|charges?)"
     r"|income taxes|taxation"),
    (r"redundanc(?:y|ies)(?: pay(?:ments)?)?|lay[- ]?offs?|pay[- ]?offs?", r"severance|restructuring"
     r"|termination benefits"),
    (r"currency (?:gains?|loss(?:es)?|effects?)|exchange[- ]rate (?:gains?|loss(?:es)?|effects?)",
     r"foreign (?:currency|exchange)(?: transaction)? (?:\(?gains?\)?|\(?loss(?:es)?\)?)|exchange (?:gains?|losses?"
     r"|differences)"
     r"|effect of exchange rates?|foreign (?:exchange|currency)"),
    (r"(?:state|government) aid|subsid(?:y|ies)", r"government grants?|grants?"),
    # cash
    (r"(?:the )?(?:day[- ]to[- ]day|everyday|ordinary|daily|core) (?:operations|business|activities)"
     r"|running the business",
     r"operating activities|operations"),
    (r"cash (?:on hand|at hand|in (?:the )?bank|in hand)|money (?:(?:was|is|were|lay) )?in (?:the )?bank",
     r"cash and cash equivalents|cash at bank|cash and bank balances|cash"),
    (rf"(?:paid|handed|given|gave|went) (?:out |back )?to {_OWNERS}|{_OWNERS} (?:got|received|were paid)",
     r"dividends? paid|payments? of (?:cash )?dividends?|cash dividends?|dividends?|distributions?"),
    (r"(?:loans?|debts?|borrowings?) (?:that (?:was|were) )?(?:paid back|repaid|paid off)|(?:paid|paying) (?:back"
     r"|off) (?:of )?"
     r"(?:loans?|debts?|borrowings?)", r"(?:re)?payments? (?:of|on) (?:long-term |short-term )?(?:debts?|borrowings?"
     r"|loans?)"),
    (r"(?:newly|freshly) borrowed|new (?:loans|debts?|borrowings)|money borrowed",
     r"proceeds from (?:the )?(?:issuance of )?(?:long-term |short-term )?(?:debt|borrowings?|loans?)"),
    (r"(?:spent on|bought|buying) (?:new )?(?:plants?|machines|machinery|equipment|buildings)(?: and (?:machines"
     r"|machinery"
     r"|equipment|buildings))?", r"(?:purchases?|acquisitions?|additions?) (?:of|to) property|capital expenditures?"),
    # what is owned and owed
    (r"(?:land,? )?(?:buildings|factories|plants) and (?:machines|machinery)|bricks and mortar",
     r"property,? plant,? and equipment|property and equipment|fixed assets"),
    (r"(?:profits?|earnings) (?:kept|left|ploughed back|plowed back) in the (?:business|company)|profits? (?:kept"
     r"|not paid"
     r" out)", r"retained (?:earnings|profits?)|accumulated (?:profits?|earnings|deficit)"),
    (rf"money of {_OWNERS}|what belong(?:s|ed) to {_OWNERS}",
     r"total equity|total (?:share|stock)holders['’] equity|(?:share|stock)holders['’] equity|equity"),
    (r"bank loans?|loans? from (?:the )?banks?", r"bank borrowings?|borrowings from banks|bank debt|term loans?"),
    (r"(?:due|payable|to be (?:paid|repaid)) within (?:a|one|the next) year|within the next (?:12|twelve) months",
     r"(?:less than|within|under) (?:1|one) year|current liabilities|current portion"),
    (r"(?:currency|fx|foreign[- ](?:exchange|currency)) forwards|forward currency deals",
     r"forward (?:foreign )?(?:exchange|currency)(?: forward)? contracts|(?:foreign )?(?:exchange"
     r"|currency) forward contracts"
     r"|(?:foreign )?(?:exchange|currency) forwards|forward contracts"),
    (r"(?:can|could|may|might|to) be carried forward|carried over to later years",
     r"carry-?forwards?|carried forward"),
    (r"(?:brands?|patents?|trademarks?) and the like|things one cannot touch", r"intangible assets|intangibles"),
    # shares, options and awards
    (r"\b(?:handed|given|dealt) out\b|newly given|\bgave out\b", r"granted|awarded|issued|grants"),
    (r"\bstill (?:open|running|alive|unexercised)\b|not yet (?:exercised|used)|\bstill held by \w+",
     r"outstanding|unexercised"),
    (r"\b(?:cashed in|taken up|turned into shares|converted into shares)\b", r"exercised|converted"),
    (r"\b(?:lapsed|given up|lost by leavers|ran out)\b", r"forfeited|lapsed|expired|cancell?ed"),
    (r"(?:pay|paid|wages|bonus(?:es)?) in shares|share[- ]?based pay\b|stock awards", r"share-based (?:payments?"
     r"|compensation)"
     r"|stock-based compensation|share-based|equity compensation"),
    (r"shares? (?:in issue|in circulation|out there)", r"shares outstanding|outstanding shares|shares issued"
     r"|issued shares"),
    # where
    (r"\b(?:foreign|overseas|abroad|in other countries|outside the (?:home )?country)\b",
     r"foreign|international|overseas|non-u\.?s\.?|outside|rest of (?:the )?world|abroad"),
    (r"\b(?:at home|home market|in the home country|inland)\b", r"domestic|u\.s\.|united states|home"),
    (r"\b(?:sold off|scrapped|disposed of|got rid of)\b", r"disposals?|disposed|retirements?|sold"),
    (r"\b(?:takeovers?|companies bought|bought companies)\b", r"acquisitions?|business combinations?|acquired"),
)  # fmt: skip
_ZH: tuple[tuple[str, str], ...] = (
    (r"客户(?:还)?(?:拖)?欠(?:公司|我们)?(?:的|多少)?(?:钱|款项?|货款)|没收回的货款", r"应收账款|应收帐款|应收款项"),
    (r"(?:公司)?欠供应商的?(?:钱|款项?|货款)?|没付的货款", r"应付账款|应付帐款|应付款项"),
    (r"客户(?:预先|提前)(?:付|支付|交)的?(?:钱|款项?)?", r"合同负债|预收款项|预收账款|递延收入"),
    (r"(?:预先|提前)(?:付|支付)给?(?:供应商)?的?(?:钱|款项?)", r"预付款项|预付账款"),
    (r"(?:计提的?|准备的?)坏账|为坏账(?:准备|计提|留出)的?(?:钱|金额)?",
     r"坏账准备|信用减值准备|信用减值损失|损失准备"),
    (r"(?:仓库里|货架上|没卖出去|没卖掉|积压)的?(?:货物?|商品|产品)", r"存货|库存商品"),
    (r"(?:一共|总共|全部)(?:欠(?:了|着|的)?)(?:多少钱|的?债|的?钱)?|总欠款|全部债务",
     r"负债合计|负债总计|总负债|负债总额"),
    (r"(?:全部|所有)家当|(?:一共|总共)(?:有多少|拥有的)资产", r"资产总计|资产合计|总资产|资产总额"),
    (r"账上的?(?:现金|钱)|手头的?(?:现金|钱)|银行里的?钱", r"货币资金|现金及现金等价物|银行存款"),
    (r"(?:借钱|贷款|借款|融资)的?(?:成本|代价|花费)|付(?:了|出)?的?利息", r"利息支出|利息费用|财务费用|融资成本"),
    (r"(?:存款|存银行)(?:赚|得|收)(?:了|到|的)?的?利息", r"利息收入"),
    (r"(?:员工|职工|人员|人工|用工)的?(?:工资|薪水|薪酬|成本|开支|开销)", r"职工薪酬|员工成本|人工成本|员工薪酬|工资"),
    (r"(?:日常|平时)的?(?:经营|运营|业务)", r"经营活动|营业活动"),
    (r"分给(?:股东|投资者)的?(?:钱|利润)?|给股东(?:的)?分红|(?:派|发)的?红利", r"现金股利|现金红利|股利|分配利润|股息"),
    (r"交(?:了|的|纳)?(?:多少)?(?:所得)?税(?:款|金)?", r"所得税费用|所得税|应交税费|税金"),
    (r"(?:搞|做|花在)研发(?:上)?的?(?:钱|花费|开支)?|研发(?:花费|开销|开支)", r"研发费用|研发投入|研究开发费|研发支出"),
    (r"(?:卖东西|卖货|推销|推广)的?(?:开支|花费|费用|成本)", r"销售费用|营销费用"),
    (r"(?:行政|办公|后台)的?(?:开支|花费|开销)", r"管理费用|行政费用|行政开支"),
    (r"(?:净赚|纯利|纯利润|最终赚)(?:了|到|的)?", r"净利润|净收益|溢利"),
    (r"(?:卖出|销售)(?:货物|商品|产品)的?成本", r"营业成本|销售成本|主营业务成本"),
    (r"(?:厂房|房屋|机器)(?:和|与|及|、)?(?:机器|设备)", r"固定资产|物业、厂房及设备"),
    (r"(?:留在公司|没分掉|没有分配|未分)的?利润|留存(?:的)?(?:收益|利润)", r"未分配利润|留存收益|保留盈利"),
    (r"股东的(?:钱|家底)|属于股东的(?:部分|权益)", r"所有者权益合计|股东权益合计|所有者权益|股东权益"),
    (r"一年(?:之)?内(?:要|需)?(?:还|到期)的?(?:债务?|借款|负债)",
     r"一年内到期的非流动负债|短期借款|流动负债合计|流动负债"),
    (r"(?:政府|国家)(?:给|发)?的?(?:补贴|补助|补助金)", r"政府补助|政府补贴|政府资助"),
    (r"(?:汇率|货币|外汇)(?:变动)?的?(?:损失|收益|影响|损益)", r"汇兑损益|汇兑损失|汇兑收益|汇率变动对现金"),
    (r"(?:买|购买|购置)(?:新)?(?:设备|机器|厂房)(?:花|付)?的?(?:钱|款)?",
     r"购建固定资产|购置固定资产|资本开支|资本性支出"),
    (r"(?:新借|借来|借入)的?(?:钱|款项?)", r"取得借款收到的现金|借款收到的现金|取得借款"),
    (r"(?:还|偿还)(?:了|掉)?的?(?:债|贷款|借款)", r"偿还债务支付的现金|偿还借款|偿还债务"),
    (r"还没(?:有)?开(?:票|账单)的?", r"未开票|合同资产"),
    (r"(?:国外|海外|境外|外国)(?:的|市场)?", r"国外|境外|海外|国际"),
    (r"(?:国内|境内|本土)(?:的|市场)?", r"国内|境内|中国大陆|内地"),
)  # fmt: skip


# "Plain EBITDA" beside "Underlying EBITDA".
_PLAIN = re.compile(
    r"\b(?:plain|mere|ordinary|unadjusted) (?=EBIT|profit|earnings|income|revenue|loss|sales)", re.IGNORECASE
)


def _compiled(
    pairs: Sequence[tuple[str, str]], words: bool
) -> list[tuple[re.Pattern[str], list[re.Pattern[str]]]]:
    """Return the patterns of pairs; ``words`` says that the printed names are whole words."""
    made = []
    for said, printed in pairs:
        names = _alternatives(printed)
        whole = [rf"(?<![\w-])(?:{name})(?!\w)" if words else name for name in names]
        made.append((re.compile(said, re.IGNORECASE), [re.compile(name, re.IGNORECASE) for name in whole]))
    return made


def _alternatives(pattern: str) -> list[str]:
    """Return the alternatives of a pattern, those within brackets left together."""
    found, depth = [""], 0
    for character in pattern:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return found


_ITEMS = [*_compiled(_EN, words=True), *_compiled(_ZH, words=False)]


def as_accountants_print(question: str, source: TableSource) -> str:
    """Return a question with everyday words for items as the table's rows and columns print them.

    Words that stand in the text around the table are no everyday ones there.
    """
    table = source.table
    names = [*(row.name for row in table.rows), *(column.name for column in table.columns)]
    printed = "\n".join(names)
    around = "\n".join([printed, *source.announcements, *source.beside]).casefold()
    question = _PLAIN.sub(lambda match: match[0] if match[0] in around else "", question)
    for said, forms in _ITEMS:
        match = said.search(question)
        if match is None or match[0].strip().casefold() in around:
            continue
        own = {f for f in features(match[0]) if not is_asking(f)}
        if own and any(own <= features(name) for name in names):
            continue
        found = next((written for form in forms if (written := form.search(printed))), None)
        if found is not None:
            # The pattern may have taken the blanks around the words.
            inner = match[0].replace(match[0].strip(), found[0])
            question = question[: match.start()] + inner + question[match.end() :]
    return question
