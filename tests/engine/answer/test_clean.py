import pytest

from engine.answer.grounded.reply import clean_reply, says_not_found, visible


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Plain [1].", "Plain [1]."),
        ('```json\n{"answer": "Inside [1]."}\n```', "Inside [1]."),
        ('{"answer": "Cut in the mid', "Cut in the mid"),
        ("```\nFenced [1].\n```", "Fenced [1]."),
        ("<think>secret</think>Seen.", "Seen."),
        ('Thought: done\nAction: final_answer\nParameters: {"answer": "Inside [1]."}', "Inside [1]."),
        ('Thought: more\nAction: keyword_search\nParameters: {"keywords": ["Seen"]}', ""),
        ('思考：再查\n行动：keyword_search\n参数：{"keywords": ["水库"]}', ""),
        ("<think>never ends", ""),
        ("A ![x](http://evil.example/?q=1) b", "A x b"),
        ("See [here](http://evil.example) [1](http://evil.example)", "See here [1]"),
        ("![![a](b)](c) d", "!a d"),
        ("<b>Bold</b> <script>x</script> <img src=y>", "Bold x"),
        ("<scr<script>ipt>alert", "alert"),
        ("a < b and c > d", "a < b and c > d"),
        ("Text.\n\nSources:\n[1] a.pdf\n[2] b.pdf", "Text."),
        ("正文[1]。\n\n参考资料：\n[1] 甲.pdf", "正文[1]。"),
        ("Two groups.\n\nSources:\n- wind and\n- sun", "Two groups.\n\nSources:\n- wind and\n- sun"),
        ("\x1b[31mred\u202e", "[31mred"),
        ("{}", ""),
        ("...!", ""),
        ("", ""),
    ],
)
def test_a_reply_becomes_plain_harmless_text(reply, text):
    assert clean_reply(reply) == text


def test_a_loop_is_cut_to_one_round():
    assert clean_reply("The bridge opened in 1932. " * 30).count("1932") <= 2


@pytest.mark.parametrize("piece", ["[", "![", "<", "](", "a [1", "<think", "\n", "ab. ", "[a](b"])
def test_no_reply_takes_long_to_clean(piece):
    assert isinstance(clean_reply(piece * 20_000), str)


@pytest.mark.parametrize("reply", ["NOT_IN_DOCUMENTS", "`NOT_IN_DOCUMENTS`.", "Sorry: NOT IN DOCUMENTS"])
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
        (["Yes."], "Yes."),
        (['{"ans', 'wer": "no preview of JSON"}'], ""),
        (["Thought: I", " need it.\nAct", "ion: keyword_search"], ""),
        (["思考：", "好了"], ""),
        ([], ""),
    ],
)
def test_only_what_a_reader_may_see_is_streamed(pieces, seen):
    assert "".join(visible(iter(pieces))) == seen


def test_a_loop_whose_marks_count_on_is_ended_and_half_a_mark_at_the_end_goes():
    looping = (
        " ".join(f"[{n}] The registered office is where the company is run." for n in range(1, 8)) + " [8"
    )
    cleaned = clean_reply(looping)
    assert cleaned.count("registered office") == 2 and not cleaned.endswith("[8")
    assert (
        clean_reply("It opened in 1932 [1]. It was built by [2") == "It opened in 1932 [1]. It was built by"
    )
