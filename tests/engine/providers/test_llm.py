import contextlib
import time

import pytest

from engine.config import LlmSettings
from engine.errors import (
    CancelledError,
    ContextExceededError,
    ProviderBusyError,
    ProviderError,
    ProviderUnavailableError,
)
from engine.providers.llm import Llm, check_llm, estimate_tokens, open_llm
from engine.providers.vision import NUMBER, number_drawn
from tests.openai_server import OpenAiServer, Script, broken, busy

ASK = [{"role": "user", "content": "Where is the sea?"}]


def settings_for(server, **changes):
    return LlmSettings(api_base=server.base_url, api_key=server.key, timeout=5, **changes)


def llm_for(server, **changes):
    return Llm(settings_for(server, **changes))


def test_no_endpoint_means_no_model():
    assert open_llm(LlmSettings()) is None


def test_a_whole_reply_comes_with_the_endpoint_s_token_counts(server):
    server.enqueue("In the west.")
    completion = llm_for(server).complete(ASK)
    assert completion.text == "In the west."
    assert completion.usage.completion == 3 and not completion.usage.estimated


def test_a_streamed_reply_arrives_in_pieces_with_counts_at_the_end(server):
    server.enqueue("In the west, behind the dunes.")
    reply = llm_for(server).stream(ASK)
    received = list(reply)
    assert len(received) > 3 and "".join(received) == "In the west, behind the dunes."
    assert reply.finish == "stop" and reply.usage.prompt > 0 and not reply.usage.estimated


def test_tokens_are_estimated_when_the_endpoint_counts_none(server):
    server.enqueue(Script("In the west.", usage=False))
    reply = llm_for(server).stream(ASK)
    list(reply)
    assert reply.usage.estimated and reply.usage.completion == estimate_tokens("In the west.")


def test_an_empty_model_name_takes_the_first_chat_model_listed():
    with OpenAiServer(models=("text-embedding-9", "big-chat", "other")) as server:
        llm = llm_for(server)
        assert llm.model == "big-chat"
        llm.complete(ASK)
        assert server.chats[0]["model"] == "big-chat"


def test_the_fallback_model_is_asked_only_where_listing_is_not_offered():
    with OpenAiServer(models=None) as server:
        assert llm_for(server).model == "gpt-4o-mini"


def test_retry_after_is_honoured_and_the_reply_arrives(server):
    server.enqueue(busy("1"), "done")
    started = time.monotonic()
    assert llm_for(server).complete(ASK).text == "done"
    assert 1 <= time.monotonic() - started < 3


def test_a_server_error_is_tried_again_and_then_told(server):
    server.enqueue(broken(), broken(), broken())
    with pytest.raises(ProviderBusyError, match="500"):
        llm_for(server).complete(ASK)
    assert len(server.chats) == 3


def test_a_wait_longer_than_the_user_would_is_not_waited_for(server):
    server.enqueue(busy("3600"))
    with pytest.raises(ProviderBusyError, match="overloaded"):
        llm_for(server).complete(ASK)
    assert len(server.chats) == 1


def test_used_up_quota_asks_the_user(server):
    spent = Script(status=429, error={"message": "quota", "code": "insufficient_quota"})
    server.enqueue(spent, spent, spent)
    with pytest.raises(ProviderUnavailableError, match="quota"):
        llm_for(server).complete(ASK)


@pytest.mark.parametrize("name", ["temperature", "max_tokens", "stream_options"])
def test_a_parameter_that_the_endpoint_refuses_is_left_out(name):
    with OpenAiServer(refuses=(name,)) as server:
        llm = llm_for(server)
        assert "".join(llm.stream(ASK)) == "OK"
        assert name not in server.chats[0]
        list(llm.stream(ASK))
        assert len([path for _, path in server.requests if path.endswith("completions")]) == 3


@pytest.mark.parametrize(
    ("told", "limit"),
    [
        ("This model's maximum context length is 8192 tokens. However, you requested 9590 tokens (8566 in the prompt).",
         8192),
        ("request (9590 tokens) exceeds the available context size (8192 tokens), try increasing it", 8192),
        ("Requested tokens (9590) exceed context window of 4,096", 4096),
        ("prompt is too long: 9590 tokens > 8192 maximum", 8192),
        ("the request exceeds the available context size", None),
    ],
)  # fmt: skip
def test_a_prompt_that_is_too_long_is_told_with_the_context_that_the_endpoint_names(server, told, limit):
    server.enqueue(Script(status=400, error={"message": told}))
    with pytest.raises(ContextExceededError, match="prompt is too long") as failed:
        llm_for(server).complete(ASK)
    assert failed.value.limit == limit


def test_newer_endpoints_get_max_completion_tokens():
    with OpenAiServer(refuses=("max_tokens",)) as server:
        llm_for(server, max_tokens=99).complete(ASK)
        assert server.chats[0]["max_completion_tokens"] == 99


def test_a_stream_that_breaks_off_is_an_error_after_its_pieces(server):
    server.enqueue(Script("one two three four five", cut_after=3))
    received = []
    with pytest.raises(ProviderError, match="broke off"):
        received.extend(llm_for(server).stream(ASK))
    assert not isinstance(received, str)


def test_a_model_that_only_repeats_itself_is_cut_off(server):
    told = "Row {} says how many lamps the keepers of the lighthouse lit in that year, and why. "
    rows = "".join(told.format(n) for n in range(40))
    server.enqueue(rows, rows + "The fee is 40 euro a day, says the tariff of the harbour. " * 400)
    assert "".join(llm_for(server).stream(ASK)) == rows
    reply = llm_for(server).stream(ASK)
    assert len(rows) < len("".join(reply)) < len(rows) + 3000
    assert reply.finish == "length"


def test_a_stream_that_ends_without_a_reason_counts_as_cut(server):
    server.enqueue(Script("one two", finish=""))
    with pytest.raises(ProviderError, match="broke off"):
        list(llm_for(server).stream(ASK))


def test_cancelling_stops_between_pieces(server):
    server.enqueue("one two three four five")
    received = []
    with pytest.raises(CancelledError):
        received.extend(llm_for(server).stream(ASK, cancelled=lambda: len(received) >= 2))
    assert received == ["one", " two"]


@pytest.mark.parametrize("script", [Script("late", delay=30), Script("one two three", pause=30)])
@pytest.mark.parametrize("streamed", [True, False])
def test_cancelling_ends_the_wait_for_a_slow_endpoint_at_once(server, script, streamed):
    server.enqueue(script if streamed else Script("late", delay=30))
    llm = llm_for(server)
    started = time.monotonic()

    def cancelled():
        return time.monotonic() - started > 0.2

    with pytest.raises(CancelledError):
        if streamed:
            list(llm.stream(ASK, cancelled=cancelled))
        else:
            llm.complete(ASK, cancelled=cancelled)
    assert time.monotonic() - started < 5


def test_errors_and_replies_come_through_while_one_may_cancel(server):
    server.enqueue("all of it", broken(), Script("cut in the middle", cut_after=2))
    llm = llm_for(server, retries=0)
    assert llm.complete(ASK, cancelled=lambda: False).text == "all of it"
    with pytest.raises(ProviderError, match="500"):
        llm.complete(ASK, cancelled=lambda: False)
    with pytest.raises(ProviderError, match="broke off"):
        list(llm.stream(ASK, cancelled=lambda: False))


def test_cancelling_ends_the_wait_before_a_retry(server):
    server.enqueue(busy("4"))
    started = time.monotonic()
    with pytest.raises(CancelledError):
        llm_for(server).complete(ASK, cancelled=lambda: time.monotonic() - started > 0.2)
    assert time.monotonic() - started < 2


def test_a_reply_slower_than_the_time_limit_is_busy(server):
    server.enqueue(Script("late", delay=1.0))
    slow = Llm(settings_for(server).model_copy(update={"timeout": 0.2}))
    with pytest.raises(ProviderBusyError, match="within"):
        slow.complete(ASK)
    assert len(server.chats) == 1


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"{}", b"[]", b"{not json"])
def test_a_page_that_is_no_endpoint_is_told(server, body):
    content_type = "text/html" if body.startswith(b"<") else "application/json"
    server.enqueue(Script(raw=body, content_type=content_type))
    with pytest.raises(ProviderError):
        llm_for(server).complete(ASK)


def test_garbage_in_a_stream_is_told(server):
    server.enqueue(Script(raw=b"data: {oops\n\n", content_type="text/event-stream"))
    with pytest.raises(ProviderError):
        list(llm_for(server).stream(ASK))


def test_the_check_is_green_and_names_the_model(server):
    check = check_llm(settings_for(server))
    assert check.ok and "scripted-1" in check.detail


def test_the_check_tells_the_context_and_whether_tools_can_be_called(server):
    server.about_models = {"max_model_len": 8192}
    assert check_llm(settings_for(server)).detail.endswith("Context in tokens: 8192; tools: ✓; pictures: ✗.")
    with OpenAiServer(refuses=("tools",)) as plain:
        assert check_llm(settings_for(plain)).detail.endswith("Context in tokens: ?; tools: ✗; pictures: ✗.")


def test_whether_a_model_sees_is_tried_once_and_taken_back_where_it_refuses_a_picture(server):
    llm = llm_for(server)
    server.enqueue(f"It shows {NUMBER}.")
    assert llm.sees() and llm.sees() and len(server.chats) == 1
    server.enqueue(Script(status=400, error={"message": "scripted-1 is not a multimodal model"}))
    with pytest.raises(ProviderError, match="multimodal"):
        llm.complete(number_drawn())
    assert not llm.sees() and len(server.chats) == 2


def test_a_picture_takes_the_room_of_its_tokens_not_of_its_letters(server):
    server.about_models = {"max_model_len": 8192}
    llm_for(server).complete(number_drawn())
    assert 5000 < server.chats[0]["max_tokens"] < 8192 - 1500


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"api_key": "wrong"}, "refused the API key"),
        ({"model": "no-such-model"}, "no-such-model"),
        ({"api_base": "http://127.0.0.1:9/v1"}, "cannot be reached"),
        ({"api_base": "nonsense"}, "not a web address"),
        ({"api_key": "ключ"}, "characters"),
    ],
)
def test_the_check_tells_what_is_wrong(server, changes, reason):
    check = check_llm(settings_for(server).model_copy(update=changes))
    assert not check.ok and reason in check.detail and check.fix


def test_the_check_tells_a_wrong_path(server):
    wrong = settings_for(server).model_copy(update={"api_base": server.base_url.removesuffix("/v1"), "model": "x"})
    assert "/v1" in check_llm(wrong).detail


def test_the_check_says_when_nothing_is_set_up():
    assert not check_llm(LlmSettings()).ok


def test_a_client_that_hangs_up_does_not_trouble_the_server(server):
    server.enqueue(Script("one two three four", pause=0.01), "again")
    llm = llm_for(server)
    with contextlib.suppress(CancelledError):
        list(llm.stream(ASK, cancelled=lambda: True))
    server.enqueue("fine")
    assert llm.complete(ASK).text
