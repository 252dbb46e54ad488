"""What the cosine of an embedding model is worth.

The cosines of one model lie in a narrow band that differs from model to model, and from one pair of
languages to another. So a cosine is told by where it lies between two means: that of questions and
sentences that have nothing to do with each other (height 0) and that of plain questions with the plain
sentences that answer them (height 1). It is the cohort normalisation of speaker verification
(Auckenthaler et al. 2000) with a cohort on either side.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from engine.providers.embedding import Embedder

_ENGLISH_SENTENCES = (
    "The river floods every spring.", "She studied music in Vienna.", "The company reported higher sales.",
    "Water boils at one hundred degrees.", "The committee approved the budget.", "He was born in a small village.",
    "The engine needs regular maintenance.", "Children played in the park.", "The law was passed by parliament.",
    "Birds migrate to warmer regions.", "The film won several awards.", "Patients received the new treatment.",
    "The museum opened last year.", "Farmers grow wheat and rice.", "The team won the championship.",
    "Scientists discovered a new species.", "The train leaves in the morning.", "The church was built of stone.",
    "Prices rose faster than wages.", "The software supports several languages.",
    "The army crossed the mountains.", "Users must accept the terms.", "The soup is served cold.",
    "Its population is growing slowly.", "The contract may be terminated by either party.",
)  # fmt: skip
_CHINESE_SENTENCES = (
    "这条河每年春天都会泛滥。", "她在维也纳学习音乐。", "公司公布的销售额有所增长。",
    "水在一百度时沸腾。", "委员会批准了预算。", "他出生在一个小村庄。",
    "发动机需要定期保养。", "孩子们在公园里玩耍。", "议会通过了这项法律。",
    "鸟类迁徙到温暖的地区。", "这部电影获得多个奖项。", "患者接受了新的治疗。",
    "博物馆去年开放。", "农民种植小麦和水稻。", "球队赢得了冠军。",
    "科学家发现了一个新物种。", "火车早上出发。", "教堂用石头建造。",
    "物价上涨快于工资。", "软件支持多种语言。", "军队翻越了山脉。",
    "用户必须接受条款。", "汤要冷着吃。", "人口增长缓慢。",
    "合同可由任何一方解除。",
)  # fmt: skip
# A question about each of the sentences.
_ENGLISH_QUESTIONS = (
    "When does the river flood?", "Who studied music in Vienna?", "How did the company's sales develop?",
    "At what temperature does water boil?", "What did the committee approve?", "Where was he born?",
    "What does the engine need?", "Where did the children play?", "Who passed the law?",
    "Where do birds migrate to?", "What did the film win?", "Which treatment did the patients receive?",
    "When did the museum open?", "What do the farmers grow?", "Who won the championship?",
    "What did the scientists discover?", "When does the train leave?", "What was the church built of?",
    "What rose faster than wages?", "How many languages does the software support?",
    "What did the army cross?", "What must users accept?", "How is the soup served?",
    "How fast is its population growing?", "Who may terminate the contract?",
)  # fmt: skip
_CHINESE_QUESTIONS = (
    "这条河什么时候泛滥？", "谁在维也纳学习音乐？", "公司的销售额有什么变化？", "水在多少度沸腾？",
    "委员会批准了什么？", "他出生在哪里？", "发动机需要什么？", "孩子们在哪里玩耍？",
    "哪个机构通过了这项法律？", "鸟类迁徙到哪里？", "这部电影获得了什么？", "患者接受了什么治疗？",
    "博物馆是什么时候开放的？", "农民种植什么？", "谁赢得了冠军？", "科学家发现了什么？",
    "火车什么时候出发？", "教堂是用什么建造的？", "什么上涨得比工资快？", "软件支持几种语言？",
    "军队翻越了什么？", "用户必须接受什么？", "这种汤怎么吃？", "人口增长得有多快？",
    "谁可以解除合同？",
)  # fmt: skip


class Baseline(NamedTuple):
    """Mean cosines of a model for one pair of languages."""

    unrelated: float
    answering: float

    def height(self, cosine: float) -> float:
        """Return a cosine's height: 0 at that of unrelated pairs, 1 at that of plain answers."""
        return (cosine - self.unrelated) / max(self.answering - self.unrelated, 1e-6)


_known: weakref.WeakKeyDictionary[object, dict[tuple[bool, bool], Baseline]] = weakref.WeakKeyDictionary()


def baseline(embedder: Embedder, chinese_question: bool, chinese_text: bool) -> Baseline:
    """Return the model's baseline for a pair of languages; computed once a model. Raises ProviderError."""
    of_model = _known.setdefault(embedder, {})
    pair = (chinese_question, chinese_text)
    if pair not in of_model:
        questions = _CHINESE_QUESTIONS if chinese_question else _ENGLISH_QUESTIONS
        sentences = embedder.passages(_CHINESE_SENTENCES if chinese_text else _ENGLISH_SENTENCES)
        cosines = np.stack([embedder.query(question) for question in questions]) @ sentences.T
        others = ~np.eye(len(questions), dtype=bool)
        of_model[pair] = Baseline(float(cosines[others].mean()), float(np.diag(cosines).mean()))
    return of_model[pair]
