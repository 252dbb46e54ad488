"""Measure the direction in which the embedded model tells Chinese from English, and store it.

    python -m benchmarks.language_direction [--write]

A text and its translation differ in the model's space by nearly the same vector, whatever they are about:
a Chinese question is nearer to any Chinese passage than to the English one that answers it. The mean
difference over parallel texts is that vector (Libovický et al. 2020; Yang et al. 2021), and
``engine.providers.embedding_e5`` damps it. The texts below were written for this purpose, in the registers
that documents have. Without ``--write`` the stored direction is compared with what is measured now.
"""

from __future__ import annotations

import argparse

import numpy as np

from engine.providers.embedding import WEIGHTS
from engine.providers.embedding_e5 import E5, LANGUAGE_FILE

PASSAGES = (
    ("The river rises in the northern mountains and flows south for about six hundred kilometres before it reaches the sea. Its lower course is navigable all year, and most of the region's towns lie on its banks.",
     "这条河发源于北部山区，向南流约六百公里后入海。下游全年可通航，该地区的大多数城镇都位于河岸。"),
    ("The company's revenue grew by twelve per cent in the second quarter, driven by higher demand for cloud services. Operating costs rose more slowly, so that the margin improved for the third time in a row.",
     "受云服务需求增长推动，公司第二季度营业收入增长百分之十二。经营成本上升较慢，利润率连续第三次改善。"),
    ("The lessee shall pay the rent on the agreed date. Where the rent is overdue for more than three months, the lessor may terminate the contract and demand compensation for the loss.",
     "承租人应当按照约定的日期支付租金。租金逾期超过三个月的，出租人可以解除合同，并要求赔偿损失。"),
    ("Patients who received the new drug recovered faster than those in the control group. The most common side effects were headache and nausea, and none of them was severe.",
     "接受新药治疗的患者比对照组恢复得更快。最常见的副作用是头痛和恶心，均不严重。"),
    ("Cut the pork into thin slices and marinate it with soy sauce and a little starch for ten minutes. Heat the oil, stir-fry the meat until it changes colour, then add the green peppers.",
     "将猪肉切成薄片，用酱油和少许淀粉腌制十分钟。锅中烧热油，把肉炒至变色，然后加入青椒。"),
    ("The temple was built in the ninth century and rebuilt after a fire in 1623. Its main hall houses three wooden statues and a bronze bell that is still rung at dawn.",
     "这座寺庙建于九世纪，1623年火灾后重建。大殿内供奉三尊木雕像和一口至今仍在清晨敲响的铜钟。"),
    ("The striker scored twice in the final, and his team won the cup for the first time in twenty years. After the match thousands of supporters celebrated in the streets of the old town.",
     "这名前锋在决赛中两度破门，球队二十年来首次夺得冠军。赛后，数千名球迷在老城区的街道上庆祝。"),
    ("Before cleaning the device, switch it off and unplug it from the mains. Do not use solvents; wipe the housing with a soft, slightly damp cloth.",
     "清洁设备之前，请关闭电源并拔下插头。请勿使用溶剂，用柔软微湿的布擦拭外壳。"),
    ("Photosynthesis turns light into chemical energy. Plants take up carbon dioxide and water, store the energy in sugar and release oxygen into the air.",
     "光合作用把光转化为化学能。植物吸收二氧化碳和水，将能量储存在糖中，并向空气释放氧气。"),
    ("The university was founded in 1898 as a school for teachers. Today it has eleven faculties, about thirty thousand students and a library with four million volumes.",
     "这所大学成立于1898年，最初是一所师范学校。如今它有十一个学院、约三万名学生和一座藏书四百万册的图书馆。"),
    ("The new railway line connects the capital with the coast and shortens the journey from five hours to two. It crosses forty bridges and passes through a tunnel of nineteen kilometres.",
     "新的铁路线将首都与海岸连接起来，旅程从五小时缩短到两小时。线路跨越四十座桥梁，穿过一条十九公里长的隧道。"),
    ("We propose a method that learns from unlabelled images. Experiments on three public data sets show that it needs only a tenth of the training time and reaches a higher accuracy.",
     "我们提出一种从无标注图像中学习的方法。在三个公开数据集上的实验表明，它只需十分之一的训练时间，并达到更高的准确率。"),
    ("The emperor moved the capital to the east and ordered the building of a great canal. Heavy taxes and forced labour led to revolts, and the dynasty fell within a generation.",
     "皇帝将都城东迁，并下令开凿大运河。沉重的赋税和徭役引发起义，王朝在一代人之内灭亡。"),
    ("Employees are entitled to fifteen days of paid leave a year. Leave that is not taken may be carried over to the next year with the consent of the head of department.",
     "员工每年享有十五天带薪休假。未休完的假期经部门负责人同意，可以结转到下一年。"),
    ("The singer released her first album at the age of nineteen. It sold more than two million copies and earned her three nominations for a national music prize.",
     "这位歌手十九岁时发行了首张专辑。专辑销量超过两百万张，并为她赢得三项全国音乐奖提名。"),
    ("A magnitude six earthquake shook the province early on Monday. Rescue teams reached the mountain villages by noon; eleven people were injured and several hundred houses were damaged.",
     "周一清晨，该省发生六级地震。救援队中午抵达山村，十一人受伤，数百间房屋受损。"),
    ("To restore a deleted file, open the recycle bin, select the file and click on restore. Files that were deleted more than thirty days ago can no longer be recovered.",
     "要恢复已删除的文件，请打开回收站，选中该文件并点击还原。删除超过三十天的文件无法恢复。"),
    ("The committee consists of nine members who are elected for four years. Decisions are taken by simple majority; in the case of a tie the chair has the casting vote.",
     "委员会由九名成员组成，任期四年。决议以简单多数通过，票数相等时由主席投决定票。"),
    ("The bridge is made of steel and has a span of five hundred metres. Engineers measured the vibration of its cables for two years before it was opened to traffic.",
     "这座桥由钢材建成，跨度五百米。通车前，工程师对缆索的振动进行了两年的测量。"),
    ("Whales are mammals that live in the sea. They breathe air, give birth to live young and communicate by sounds that travel for hundreds of kilometres under water.",
     "鲸是生活在海洋中的哺乳动物。它们呼吸空气，胎生，并通过在水下传播数百公里的声音进行交流。"),
    ("The novel tells the story of a family over three generations. Critics praised its plain language, and it has been translated into more than thirty languages.",
     "这部小说讲述一个家庭三代人的故事。评论家称赞其朴素的语言，作品已被译成三十多种文字。"),
    ("Whoever steals property of a considerable value shall be sentenced to imprisonment of not more than three years and may also be fined. A lighter punishment may be given to those who surrender.",
     "盗窃财物数额较大的，处三年以下有期徒刑，可以并处罚金。自首的，可以从轻处罚。"),
    ("The city lies on a plain at the foot of the hills and has a mild, humid climate. In July the average temperature is twenty-eight degrees, and most of the rain falls in summer.",
     "该市位于山脚下的平原，气候温和湿润。七月平均气温二十八度，降雨大多集中在夏季。"),
    ("The central bank raised its key interest rate by a quarter of a point in order to curb inflation. Economists expect prices to rise more slowly in the second half of the year.",
     "为抑制通货膨胀，中央银行将基准利率上调零点二五个百分点。经济学家预计下半年物价涨幅将放缓。"),
    ("The festival takes place every year on the fifteenth day of the first month. People hang lanterns in front of their houses, eat sweet dumplings and watch the dragon dance.",
     "这个节日在每年正月十五举行。人们在屋前挂灯笼，吃汤圆，观看舞龙。"),
    ("The battery can be charged to eighty per cent in half an hour. At low temperatures its capacity falls, so the manufacturer recommends keeping it above ten degrees.",
     "电池半小时可充电至百分之八十。低温下容量会下降，因此制造商建议将其保持在十度以上。"),
    ("The director studied architecture before he turned to film. His early works are set in small towns, and he often works with actors who have no training.",
     "这位导演在转向电影之前学习建筑。他的早期作品以小城镇为背景，并且经常与未受过训练的演员合作。"),
    ("Farmers in the valley grow rice, tea and oranges. Since the reservoir was completed, the fields can be watered even in dry years and the harvest has doubled.",
     "山谷里的农民种植水稻、茶叶和橙子。水库建成后，即使在干旱年份也能灌溉农田，收成翻了一番。"),
    ("Applications must be submitted in writing within thirty days after the notice was received. The office decides within two months and informs the applicant of the reasons.",
     "申请应当自收到通知之日起三十日内以书面形式提交。主管机关在两个月内作出决定，并告知申请人理由。"),
    ("The virus spreads mainly through droplets in the air. Washing hands, wearing a mask and airing rooms lower the risk of infection considerably.",
     "该病毒主要通过空气中的飞沫传播。洗手、戴口罩和开窗通风可显著降低感染风险。"),
    ("The table shows the number of visitors by month. In August the museum counted almost ninety thousand guests, more than twice as many as in February.",
     "下表列出每月的参观人数。八月博物馆接待近九万名游客，是二月的两倍多。"),
    ("In the year 1911 the revolution ended the monarchy. A provisional government was formed in the south, and a new constitution was drafted in the following spring.",
     "1911年，革命结束了君主制。南方成立临时政府，次年春天起草了新宪法。"),
    ("A function that calls itself is called recursive. Each call must bring the problem closer to a case that can be solved directly, otherwise the program never ends.",
     "调用自身的函数称为递归函数。每次调用都必须使问题更接近可以直接求解的情形，否则程序永远不会结束。"),
    ("The airline cancelled all flights to the island because of the typhoon. Passengers can change their booking free of charge or ask for a refund of the full fare.",
     "由于台风，航空公司取消了飞往该岛的所有航班。乘客可以免费改签，或要求全额退款。"),
    ("Iron reacts with oxygen and water to form rust. A layer of zinc or paint keeps both away from the metal and slows the process down.",
     "铁与氧气和水反应生成铁锈。一层锌或油漆可以使两者与金属隔绝，减缓这一过程。"),
    ("The school offers courses in drawing, pottery and calligraphy for children from six years on. Lessons are held on Saturday mornings in groups of at most ten.",
     "学校为六岁以上的儿童开设绘画、陶艺和书法课程。课程在周六上午进行，每组最多十人。"),
    ("The general crossed the frozen river at night and surprised the enemy camp. The battle lasted only two hours, but it decided the war in the north.",
     "将军在夜间渡过冰封的河流，突袭敌营。战斗只持续了两个小时，却决定了北方的战局。"),
    ("Shareholders approved a dividend of forty cents per share at the annual meeting. The rest of the profit will be invested in two new factories.",
     "股东在年度大会上批准每股派息四十分。其余利润将投资于两座新工厂。"),
    ("The telescope orbits the earth at a height of five hundred kilometres. It has discovered more than a thousand planets outside our solar system.",
     "这台望远镜在五百公里高度环绕地球运行。它已经发现了一千多颗太阳系外行星。"),
    ("Parents have the right and the duty to bring up and educate their minor children. Children who have come of age are obliged to support their parents.",
     "父母有抚养、教育未成年子女的权利和义务。成年子女有赡养父母的义务。"),
)  # fmt: skip
QUESTIONS = (
    ("Where does the river rise, and how long is it?", "这条河发源于哪里，有多长？"),
    ("Why did the revenue grow in the second quarter?", "第二季度营业收入为什么增长？"),
    ("When may the lessor terminate the contract?", "出租人什么时候可以解除合同？"),
    ("What are the side effects of the new drug?", "新药有哪些副作用？"),
    ("How long should the meat be marinated?", "肉要腌多长时间？"),
    ("In which century was the temple built?", "这座寺庙建于哪个世纪？"),
    ("Who scored in the final?", "谁在决赛中进球？"),
    ("How do I clean the device?", "怎样清洁这台设备？"),
    ("What do plants release during photosynthesis?", "植物在光合作用中释放什么？"),
    ("How many students does the university have?", "这所大学有多少名学生？"),
    ("How long is the tunnel of the new railway line?", "新铁路线的隧道有多长？"),
    ("What is the advantage of the proposed method?", "所提出的方法有什么优点？"),
    ("Why did the dynasty fall?", "这个王朝为什么灭亡？"),
    ("How many days of paid leave do employees get?", "员工有多少天带薪休假？"),
    ("How many copies did her first album sell?", "她的首张专辑卖了多少张？"),
    ("How many people were injured in the earthquake?", "地震中有多少人受伤？"),
    ("Can I recover a file that I deleted last month?", "上个月删除的文件可以恢复吗？"),
    ("How does the committee take decisions?", "委员会如何作出决议？"),
    ("What is the bridge made of?", "这座桥是用什么建造的？"),
    ("How do whales communicate?", "鲸如何交流？"),
    ("What is the punishment for theft?", "盗窃如何处罚？"),
    ("What is the climate of the city like?", "这座城市的气候怎么样？"),
    ("By how much was the interest rate raised?", "利率上调了多少？"),
    ("When does the festival take place?", "这个节日什么时候举行？"),
    ("How fast can the battery be charged?", "电池充电有多快？"),
    ("Within how many days must the application be submitted?", "申请应当在多少天内提交？"),
    ("How does the virus spread?", "病毒是怎样传播的？"),
    ("What is a recursive function?", "什么是递归函数？"),
    ("Can passengers get a refund for the cancelled flight?", "航班取消后乘客可以退款吗？"),
    ("How does iron rust, and how can it be prevented?", "铁是怎样生锈的，如何防止？"),
)  # fmt: skip


def direction(model: E5) -> np.ndarray:
    """Return the unit vector that leads from English to Chinese, in the model's own space."""

    def mean_difference(prefix: str, pairs: tuple[tuple[str, str], ...]) -> np.ndarray:
        english = model.raw([prefix + pair[0] for pair in pairs])
        chinese = model.raw([prefix + pair[1] for pair in pairs])
        difference: np.ndarray = (chinese - english).mean(axis=0)
        return difference

    total = mean_difference("passage: ", PASSAGES) + mean_difference("query: ", QUESTIONS)
    unit: np.ndarray = (total / np.linalg.norm(total)).astype(np.float32)
    return unit


def main() -> None:
    """Measure, compare, and store if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="store the direction beside the weights")
    write = parser.parse_args().write
    found = direction(E5(WEIGHTS))
    path = WEIGHTS / LANGUAGE_FILE
    if path.exists():
        print(f"cosine with the stored direction: {float(found @ np.load(path)):.4f}")
    if write:
        np.save(path, found)
        print(f"stored in {path}")


if __name__ == "__main__":
    main()
