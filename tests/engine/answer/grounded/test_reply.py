import pytest

from engine.answer.grounded.reply import clean_reply, says_not_found, searches_in, visible, without_marker


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Plain [1].", "Plain [1]."),
        ('```json\n{"answer": "Inside [1]."}\n```', "Inside [1]."),
        ('{"answer": "Cut in the mid', "Cut in the mid"),
        ("```\nFenced [1].\n```", "Fenced [1]."),
        ("<think>secret</think>Seen.", "Seen."),
        ('{"tool": "final_answer", "arguments": {"answer": "Inside [1]."}}', "Inside [1]."),
        ('{"thought": "more", "tool": "keyword_search", "arguments": {"keywords": ["Seen"]}}', ""),
        ("<think>never ends", ""),
        (
            "A list:\n\n- `List<String>`\n- mail <a@b.org> [1]",
            "A list:\n\n- `List<String>`\n- mail <a@b.org> [1]",
        ),
        ("```csv\na,b\n1,2\n```", "```csv\na,b\n1,2\n```"),
        ("a < b and c > d", "a < b and c > d"),
        ("Text.\n\nSources:\n[1] a.pdf", "Text.\n\nSources:\n[1] a.pdf"),
        ("Two groups.\n\nSources:\n- wind and\n- sun", "Two groups.\n\nSources:\n- wind and\n- sun"),
        ("{}", ""),
        ("...!", ""),
        ("[1][2]", ""),
        ("", ""),
    ],
)
def test_a_reply_loses_its_wrappings_and_nothing_else(reply, text):
    assert clean_reply(reply) == text


@pytest.mark.parametrize("piece", ["[", "![", "<", "](", "a [1", "<think", "\n", "ab. ", "[a](b"])
def test_no_reply_takes_long_to_clean(piece):
    assert isinstance(clean_reply(piece * 20_000), str)


@pytest.mark.parametrize(
    "reply", ["NOT_IN_DOCUMENTS", "[1] NOT_IN_DOCUMENTS", "`NOT_IN_DOCUMENTS`.", "Sorry: NOT IN DOCUMENTS"]
)
def test_the_marker_is_recognised(reply):
    assert says_not_found(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "The documents do not contain this information.",
        "I could not find an answer in the provided evidence.",
        "There is no information about that.",
        "文档中没有提到这一点。",
        "根据提供的资料，无法回答这个问题。",
    ],
)
def test_a_model_may_say_so_in_its_own_words(reply):
    assert says_not_found(reply)


def test_a_denial_with_a_source_is_an_answer():
    assert not says_not_found("The contract does not mention a penalty [1].")
    assert not says_not_found("合同没有提到违约金【2】。")


def test_a_long_answer_that_mentions_the_marker_is_an_answer():
    assert not says_not_found("The evidence tells a lot. " * 20 + "NOT_IN_DOCUMENTS")
    assert not says_not_found("The bridge opened in 1932 [1].")


@pytest.mark.parametrize(
    ("pieces", "seen"),
    [
        (["The bri", "dge opened", " in 1932."], "The bridge opened in 1932."),
        (["<thi", "nk>hmm", " hmm</thi", "nk>The bridge opened", " in 1932."], "The bridge opened in 1932."),
        (["NOT_IN", "_DOCUMENTS"], ""),
        (["[1] ", "NOT_IN", "_DOCUMENTS"], ""),
        (["[1] Ye", "s."], "[1] Yes."),
        (["Yes."], "Yes."),
        (['{"ans', 'wer": "no preview of JSON"}'], ""),
        (["<tool_", 'call>{"name"', ': "keyword_search"}'], ""),
        ([], ""),
    ],
)
def test_only_what_a_reader_may_see_is_streamed(pieces, seen):
    assert "".join(event.text for event in visible(iter(pieces))) == seen


def test_half_a_mark_at_the_end_goes():
    cut = clean_reply("It opened in 1932 [1]. It was built by [2")
    assert cut == "It opened in 1932 [1]. It was built by"


@pytest.mark.parametrize(
    ("reply", "searches"),
    [
        ("NOT_IN_DOCUMENTS No fee is told.\nSEARCH: quay dues; “mooring charges”;", ["quay dues", "mooring charges"]),
        ("NOT_IN_DOCUMENTS No fee is told.\n**SEARCH:**\n- 停泊费\n- 港务费", ["停泊费", "港务费"]),
        ("NOT_IN_DOCUMENTS No fee is told.", ["No fee is told."]),
    ],
)
def test_a_denial_says_what_is_missing_and_apart_from_that_what_would_be_searched_for(reply, searches):
    assert searches_in(reply) == searches and without_marker(reply) == "No fee is told."
