from evidence_maker import bridges, finder

from engine.answer.answerer import answer
from engine.answer.citations import resolve
from engine.answer.phrases import ENGLISH
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
