"""Settings: sources in order, strict keys, bounds."""

import stat
import traceback
from pathlib import Path

import pytest

from engine.errors import ConfigError
from engine.settings_sources import forgetting_keys, load_settings, save_settings, with_changes


def test_defaults_need_no_model_and_no_server():
    settings = load_settings(environ={})
    assert not settings.llm.configured
    assert settings.retrieval.fusion.dense == 0.45
    assert settings.agent.max_iterations == 3


def test_the_environment_wins_over_the_file(tmp_path: Path):
    (tmp_path / "dropqa.toml").write_text('[llm]\nmodel = "from-file"\ntemperature = 0.5\n')
    settings = load_settings(tmp_path, environ={"DROPQA_LLM__MODEL": "from-env", "OPENAI_API_KEY": "k"})
    assert settings.llm.model == "from-env"
    assert settings.llm.temperature == 0.5
    assert settings.llm.api_key == "k"


def test_a_setting_of_an_earlier_version_is_passed_over_and_any_other_unknown_key_is_not(tmp_path: Path):
    (tmp_path / "dropqa.toml").write_text("[retrieval.fusion]\ntitle_link = 0.1\ndense = 0.5\n")
    assert load_settings(tmp_path, environ={}).retrieval.fusion.dense == 0.5
    (tmp_path / "dropqa.toml").write_text("[retrieval.fusion]\ntitle_links = 0.1\n")
    with pytest.raises(ConfigError, match="title_links"):
        load_settings(tmp_path, environ={})


def test_lists_in_the_environment_have_commas():
    settings = load_settings(environ={"DROPQA_ACCESS__ALLOWED_USERS": "ann@example.org, @example.com"})
    assert settings.access.allowed_users == ("ann@example.org", "@example.com")


def test_secrets_win_over_the_environment_and_flags_over_all():
    environ = {"OPENAI_BASE_URL": "http://env/v1"}
    secrets = {"llm": {"api_base": "http://secret/v1"}, "auth": {"not": "ours"}}
    assert load_settings(environ=environ, secrets=secrets).llm.api_base == "http://secret/v1"
    flags = {"llm.api_base": "http://flag/v1"}
    assert load_settings(environ=environ, secrets=secrets, flags=flags).llm.api_base == "http://flag/v1"


def test_the_names_of_the_rerank_module_are_understood():
    settings = load_settings(environ={"RAG_ENABLE_RERANK": "1", "RAG_RERANK_TOP_N": "7"})
    assert settings.rerank.enabled
    assert settings.rerank.top_n == 7


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("DROPQA_LLM__MODLE", "x", "llm.modle"),
        ("DROPQA_RETRIEVAL__TOP_K", "0", "retrieval.top_k"),
        ("DROPQA_RETRIEVAL__TOP_K", "many", "retrieval.top_k"),
        ("DROPQA_NONSENSE", "1", "nonsense"),
    ],
)
def test_an_unknown_key_or_a_bad_value_is_an_error_that_names_it(name, value, key):
    with pytest.raises(ConfigError, match=key):
        load_settings(environ={name: value})


def test_a_broken_file_is_an_error_that_names_it(tmp_path: Path):
    (tmp_path / "dropqa.toml").write_text("[llm\n")
    with pytest.raises(ConfigError, match=r"dropqa\.toml"):
        load_settings(tmp_path, environ={})


@pytest.mark.parametrize(("given", "told"), [('["("]', "valid regular expression"), ('"x"', "valid list")])
def test_a_pattern_that_is_none_and_what_is_no_list_are_told(tmp_path: Path, given, told):
    (tmp_path / "dropqa.toml").write_text(f"[search.strategy_hints]\nkeyword_patterns = {given}\n")
    with pytest.raises(ConfigError, match=rf"search\.strategy_hints\.keyword_patterns.* {told}"):
        load_settings(tmp_path, environ={})


def test_saving_keeps_other_keys_and_refuses_bad_values(tmp_path: Path):
    (tmp_path / "dropqa.toml").write_text('[llm]\nmodel = "kept"\n')
    save_settings(tmp_path, {"llm.api_base": 'http://x/"v1"', "search.semantic.enabled": False})
    settings = load_settings(tmp_path, environ={})
    assert (settings.llm.model, settings.llm.api_base) == ("kept", 'http://x/"v1"')
    assert settings.search.semantic.enabled is False
    before = (tmp_path / "dropqa.toml").read_text()
    with pytest.raises(ConfigError, match="retrieval"):
        save_settings(tmp_path, {"retrieval.top_k": -1})
    assert (tmp_path / "dropqa.toml").read_text() == before


def test_changes_are_tried_without_saving_and_bad_ones_are_told():
    settings = load_settings(environ={"OPENAI_MODEL": "tiny"})
    tried = with_changes(settings, {"retrieval.fusion.dense": 0.9, "retrieval.translate": False})
    assert (tried.retrieval.fusion.dense, tried.retrieval.translate, tried.llm.model) == (0.9, False, "tiny")
    assert settings.retrieval.fusion.dense == 0.45
    assert "model" not in tried.rerank.model_fields_set
    with pytest.raises(ConfigError, match=r"retrieval\.fusion\.dense"):
        with_changes(settings, {"retrieval.fusion.dense": 2})


def test_nobody_else_on_this_machine_can_read_a_file_with_a_key(tmp_path: Path):
    path = tmp_path / "dropqa.toml"
    path.write_text('[llm]\napi_key = "sk-x"\n')  # as an editor writes it
    path.chmod(0o644)
    load_settings(tmp_path, environ={})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    save_settings(tmp_path, {"llm.api_key": "sk-y"})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["dropqa.toml"]


def test_a_file_without_secrets_stays_as_its_owner_left_it(tmp_path: Path):
    path = tmp_path / "dropqa.toml"
    path.write_text("[retrieval]\ntop_k = 3\n")
    path.chmod(0o644)
    load_settings(tmp_path, environ={})
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_wrong_key_is_told_by_name_and_not_by_value(tmp_path: Path):
    (tmp_path / "dropqa.toml").write_text('[llm]\napi_key = ["sk-very-secret"]\n')
    with pytest.raises(ConfigError, match=r"llm\.api_key") as error:
        load_settings(tmp_path, environ={})
    assert "sk-very-secret" not in "".join(traceback.format_exception(error.value))


def test_a_key_of_the_environment_is_not_sent_to_an_address_that_was_saved_with_another(tmp_path: Path):
    save_settings(tmp_path, {"llm.api_base": "http://elsewhere.example/v1", "llm.api_key": ""})
    settings = load_settings(tmp_path, environ={"OPENAI_API_KEY": "sk-mine"}, secrets={"llm": {"api_key": "sk"}})
    assert settings.llm.api_key == ""
    both = {"OPENAI_API_KEY": "sk-mine", "OPENAI_BASE_URL": "http://mine.example/v1"}
    settings = load_settings(tmp_path, environ=both)
    assert (settings.llm.api_base, settings.llm.api_key) == ("http://mine.example/v1", "sk-mine")


def test_a_key_of_the_environment_serves_an_address_that_was_written_without_one(tmp_path: Path):
    (tmp_path / "dropqa.toml").write_text('[llm]\napi_base = "http://mine.example/v1"\n')
    assert load_settings(tmp_path, environ={"OPENAI_API_KEY": "sk-mine"}).llm.api_key == "sk-mine"


def test_a_new_address_forgets_the_keys_that_were_for_the_old_one():
    known = load_settings(
        environ={
            "OPENAI_BASE_URL": "http://old.example/v1", "OPENAI_API_KEY": "a", "DROPQA_SUMMARY__API_KEY": "b",
            "DROPQA_INDEXING__API_KEY": "c", "DROPQA_INDEXING__API_BASE": "http://other.example/v1",
        }
    )  # fmt: skip
    new = {"llm.api_base": "http://new.example/v1"}
    assert forgetting_keys(known, new) == new | {"llm.api_key": "", "summary.api_key": ""}
    assert forgetting_keys(known, new | {"llm.api_key": "n"})["llm.api_key"] == "n"
    same = {"llm.api_base": "http://old.example/v1", "llm.model": "m"}
    assert forgetting_keys(known, same) == same
