import pytest

from engine.parse.encoding import decode

CHINESE = "为了规范公司的组织和行为，保护公司、股东和债权人的合法权益，制定本法。\n"
TRADITIONAL = "為了規範公司的組織和行為，保護公司、股東和債權人的合法權益，制定本法。\n"
JAPANESE = "これは日本語の文章です。文字コードを正しく判定できるかどうかを確かめます。\n"
KOREAN = "이 문서는 한국어로 쓰여 있으며 인코딩을 바르게 알아내는지 확인하기 위한 것이다.\n"
FRENCH = "Le café était fermé, mais l'hôtel à côté restait ouvert jusqu'à minuit.\n"
RUSSIAN = "Этот документ написан по-русски, чтобы проверить определение кодировки текста.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (FRENCH, "utf-16-le"),
        (FRENCH, "utf-16-be"),
        (CHINESE, "utf-32"),
        (CHINESE, "gb18030"),
        (CHINESE, "gbk"),
        (TRADITIONAL, "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (FRENCH, "cp1252"),
        (RUSSIAN * 3, "cp1251"),
    ],
)
def test_text_is_read_in_the_encoding_it_was_written_in(text, encoding):
    assert decode(text.encode(encoding)).text == text


def test_of_stated_encodings_the_first_that_exists_and_fits_is_taken():
    assert decode(RUSSIAN.encode("koi8-r"), "no-such-set", "utf-8", "koi8-r").text == RUSSIAN


def test_a_byte_order_mark_outweighs_what_is_stated():
    assert decode(FRENCH.encode("utf-8-sig"), "cp1252").text == FRENCH


def test_chinese_after_much_english_is_still_chinese():
    data = b"x = 1\n" * 30_000 + CHINESE.encode("gbk")
    assert decode(data).text.endswith(CHINESE)


def test_a_character_cut_off_at_the_end_does_not_spoil_the_rest():
    decoded = decode((CHINESE * 5).encode()[:-2])
    assert decoded.encoding == "utf-8"
    assert decoded.text.startswith(CHINESE)
    assert decoded.lossy


def test_one_bad_byte_in_a_long_text_is_replaced():
    data = CHINESE.encode() * 20 + b"\xff" + CHINESE.encode() * 20
    assert decode(data).text.count("\ufffd") == 1


def test_line_ends_become_one_kind_and_control_characters_go():
    assert decode(b"one\r\ntwo\rth\x07r\x00ee and more").text == "one\ntwo\nthree and more"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("产品,单价,数量\n键盘,89,12", "gb18030"),
        ("姓名,金额\n王芳,3200", "gb18030"),
        ("合同编号：HT-2024", "gb18030"),
        ("帳號:1234 密碼:5678 請勿外洩", "big5"),
        ("姓名,電話", "big5"),
        ("氏名,電話番号\n山田太郎,03", "shift_jis"),
        ("会議室の予約", "euc_jp"),
        ("이름,전화번호\n김철수,010", "euc_kr"),
        ("Größe;Länge\n5;6", "cp1252"),
        ("naïve", "cp1252"),
        ("Имя;Телефон\nОльга;3", "cp1251"),
    ],
)
def test_a_few_words_are_enough_to_tell_the_encoding(text, encoding):
    assert decode(text.encode(encoding)).text == text


def test_zero_width_characters_part_no_words():
    assert decode("word\u200bs and co\u00adoperation\ufeff".encode()).text == "words and cooperation"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_characters_that_end_in_a_zero_byte_do_not_hide_wide_text(codec):
    text = "姓名,金额\n王芳,一百\n李明,一千\n"
    assert decode(text.encode(codec)).text == text
