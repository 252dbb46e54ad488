from engine.topics.key_phrase import background_of, key_phrases

CHAPTERS = [
    "Tidal turbines turn with the current. Every tidal turbine feeds the harbour grid. The harbour pays for it.",
    "The fish market opens at dawn. A fish market needs ice. The harbour sells the ice.",
    "The ferry to the islands leaves twice a week. The ferry carries post and people. The harbour is its home.",
]
ARTICLES = [
    "潮汐电站位于海湾口。潮汐电站每天发电两次。海湾的居民使用这些电力。",
    "海湾的渔民每天清晨出海。渔民合作社负责销售。渔民合作社成立已有十年。",
    "海湾的灯塔建于清代。灯塔至今仍由专人看守。",
]


def test_the_phrase_is_what_a_passage_has_and_the_others_have_not():
    background = background_of(CHAPTERS)
    assert key_phrases(CHAPTERS[0], background)[0] in ("Tidal turbines", "Tidal turbine")
    assert key_phrases(CHAPTERS[1], background)[0] == "Fish market"


def test_chinese_phrases_are_found_without_a_dictionary():
    background = background_of(ARTICLES)
    assert key_phrases(ARTICLES[0], background)[0] == "潮汐电站"
    assert key_phrases(ARTICLES[1], background)[0] == "渔民合作社"


def test_several_phrases_do_not_repeat_each_other():
    found = [phrase.lower() for phrase in key_phrases(" ".join(CHAPTERS), background_of(CHAPTERS), 4)]
    assert len(found) == 4
    assert not any(a != b and a in b for a in found for b in found)


def test_common_words_of_any_language_are_no_phrases():
    text = [
        f"Het schip {name} ligt in het water en het wacht op het tij." for name in ("Anna", "Berta", "Clara")
    ]
    found = {phrase.lower() for phrase in key_phrases(text[0] * 2, background_of(text * 4))}
    assert not found & {"het", "op", "en"}


def test_data_written_in_letters_is_no_phrase():
    passage = "Licence key EOrvN9AfAS7xej6rCKZCZeQ9RoKhVn1U8GKY7c of the harbour crane, for the harbour crane alone."
    found = key_phrases(passage, background_of([passage, "The mill grinds wheat."]))
    assert "Harbour crane" in found
    assert not any("EOrvN9" in phrase for phrase in found)
