import pytest
from engine.answer.citations import resolve
from evidence_maker import bridges, evidence, finder

from engine.answer.answerer import answer
from engine.answer.phrases import ENGLISH, phrases_for
from engine.answer.tables.computed import Computed
from engine.config import LlmSettings, Settings
from engine.providers.llm_openai import OpenAiLlm
from tests.openai_server import OpenAiServer


def supports(reply, **more):
    return [one.support for one in resolve(reply, bridges(), ENGLISH, **more).sentences]


def test_each_sentence_is_supported_partly_or_not_at_all():
    reply = (
        "The bridge opened in 1932 [1]. It cost 7 million pounds to build [1]. Elephants dance at night [1]."
    )
    assert supports(reply) == ["supported", "partly", "unsupported"]


def test_a_number_of_another_source_is_no_support():
    reply = "桥长1149米 [2]。 The Harbour Bridge, 1149 m long, cost 6.25 million pounds [1]."
    done = resolve(reply, bridges(), ENGLISH)
    assert [one.support for one in done.sentences] == ["supported", "partly"]
    assert any("source cited for it" in warning for warning in done.warnings)


def test_an_invented_quotation_leaves_a_sentence_partly_supported():
    assert supports("The Harbour Bridge “opened among wild cheers” in 1932 [1].") == ["partly"]


def test_what_operators_computed_may_be_stated():
    reply = "Steel cost 4,500 and paint cost 300, in all 4,800 [3]."
    assert supports(reply) == ["partly"]
    assert supports(reply, computed=[Computed(["4800"], "4,500 + 300 = 4,800")]) == ["supported"]


def test_support_is_told_in_the_trace_and_sentences_without_it_in_the_warnings():
    with OpenAiServer() as server:
        server.enqueue("The Harbour Bridge opened in 1932 [1]. The mayor wept for three days.")
        llm = OpenAiLlm(LlmSettings(api_base=server.base_url, api_key=server.key))
        made = answer(
            "When did the Harbour Bridge open?",
            retrieve=finder(bridges()),
            llm=llm,
            embedder=None,
            settings=Settings(),
        )
    told = [s for step in made.reasoning_trace if step.params for s in step.params.get("sentences", [])]
    assert [one["support"] for one in told] == ["supported", "unsupported"]
    assert any("The mayor wept" in warning for warning in made.warnings)
    assert made.confidence != "high"


POLICY = [
    evidence(
        1, "Business class is not allowed. First class may be booked for long journeys.", document="policy.md"
    ),
    evidence(
        2,
        "承租方不得将房屋转租给第三人。小修费用由承租方承担。其他维修费用由出租方承担。",
        document="租约.md",
    ),
]


@pytest.mark.parametrize(
    "reply",
    [
        "Business class is allowed [1].",
        "Yes, business class is allowed [1].",
        "承租方可以将房屋转租给第三人[2]。",
        "小修费用由出租方承担[2]。",
    ],
)
def test_what_a_source_denies_is_not_supported_and_told(reply):
    done = resolve(reply, POLICY, phrases_for(reply))
    assert done.refuted and done.unsound and [one.support for one in done.sentences] == ["unsupported"]
    assert any("otherwise" in warning or "相反" in warning for warning in done.warnings)


@pytest.mark.parametrize(
    "reply",
    [
        "No, business class is not allowed [1].",
        "Business class is prohibited [1].",
        "不可以，承租方不得将房屋转租给第三人[2]。",
        "禁止承租方将房屋转租给第三人[2]。",
        "小修费用由承租方负责承担[2]。",
    ],
)
def test_the_same_in_other_words_stays_supported(reply):
    done = resolve(reply, POLICY, phrases_for(reply))
    assert [one.support for one in done.sentences] == ["supported"] and not done.warnings


def test_a_sentence_that_one_of_its_sources_says_is_not_refuted_by_the_other():
    items = [evidence(1, "Business class is not allowed."), evidence(2, "Business class is allowed.")]
    assert not resolve("Business class is allowed [1][2].", items, ENGLISH).contradicted


def ask_of(items, question, reply):
    with OpenAiServer() as server:
        server.default = reply
        llm = OpenAiLlm(LlmSettings(api_base=server.base_url, api_key=server.key))
        return answer(question, retrieve=finder(items), llm=llm, embedder=None, settings=Settings())


def test_a_reply_that_its_source_denies_is_put_aside():
    made = ask_of(POLICY[:1], "Is business class allowed?", "Business class is allowed [1].")
    assert made.engine == "extractive" and "Business class is not allowed" in made.answer
    assert any("put aside" in warning for warning in made.warnings)


def test_one_denied_sentence_among_others_makes_an_answer_uncertain():
    reply = "First class may be booked for long journeys [1]. Business class is allowed [1]."
    made = ask_of(POLICY[:1], "Is business class or first class allowed?", reply)
    assert made.engine == "llm" and made.confidence == "low"
    assert any("otherwise than “Business class is allowed.”" in warning for warning in made.warnings)


@pytest.mark.parametrize("short", ["PWNED.", "Hacked!", "已入侵。"])
def test_a_word_that_the_cited_place_does_not_say_has_no_support(short):
    done = resolve(f"The Harbour Bridge opened in 1932 [1]. {short}", bridges(), ENGLISH)
    assert [one.support for one in done.sentences] == ["supported", "unsupported"]


@pytest.mark.parametrize("short", ["Yes.", "Thanks!", "是的。", "**Summary**", "Cost:"])
def test_a_short_reply_or_heading_needs_no_support(short):
    done = resolve(f"{short}\n\nThe Harbour Bridge opened in 1932 [1].", bridges(), ENGLISH)
    assert [one.support for one in done.sentences] == ["supported"]
