import pytest

from engine.config import AccessSettings
from engine.errors import AccessError, StorageError
from engine.ingest import Source
from engine.interfaces.login import hash_password
from engine.library import Library
from engine.providers.endpoint_address import check_addresses
from engine.search_settings import WebSearchSettings
from pages.widgets.check_up import check_up
from pages.widgets.model_form import FIELDS, wrong_address
from pages.widgets.setting_field import overriding
from pages.widgets.texts import t
from tests.openai_server import OpenAiServer, Script
from tests.pages.page_texts import texts_of
from tests.pages.shelves import go_to
from tests.waiting import wait_until

LLM = "http://127.0.0.1:9/v1"


def button(app, label):
    return next(item for item in app.button if item.label == label)


def fill(app, base, key="", name=""):
    app.text_input[0].set_value(base)
    app.text_input[1].set_value(key)
    app.text_input[2].set_value(name)
    return app


def test_a_model_is_saved_and_its_key_is_never_shown_again(shelf: Library, open_page):
    app = fill(open_page("settings"), LLM, "sk-very-secret", "tiny")
    button(app, "Save").click().run()
    assert shelf.settings.llm.api_base == LLM and shelf.settings.llm.api_key == "sk-very-secret"
    app = open_page("settings")
    assert "sk-very-secret" not in texts_of(app)
    assert all("sk-very-secret" not in (field.value or "") for field in app.text_input)
    assert "In use: tiny" in texts_of(app)


def test_a_saved_key_stays_with_its_address(shelf: Library, open_page):
    shelf.update_settings({"llm.api_base": LLM, "llm.api_key": "sk-very-secret"})
    app = fill(open_page("settings"), LLM, "", "tiny")
    button(app, "Save").click().run()
    assert shelf.settings.llm.api_key == "sk-very-secret"
    app = fill(open_page("settings"), "http://127.0.0.1:10/v1", "", "tiny")
    button(app, "Save").click().run()
    assert shelf.settings.llm.api_key == ""


def test_a_key_typed_again_is_saved_with_another_address(shelf: Library, open_page):
    shelf.update_settings({"llm.api_base": LLM, "llm.api_key": "sk-very-secret"})
    app = fill(open_page("settings"), "http://127.0.0.1:10/v1", "sk-very-secret")
    button(app, "Save").click().run()
    assert shelf.settings.llm.api_key == "sk-very-secret"


def test_the_test_button_says_what_is_wrong_and_saves_nothing(shelf: Library, open_page):
    app = fill(open_page("settings"), LLM)
    button(app, "Test").click().run(timeout=90)
    wait_until(lambda: app.run().warning, 90)
    assert not shelf.settings.llm.configured


def test_an_address_without_a_scheme_is_told_and_not_saved(shelf: Library, open_page):
    app = fill(open_page("settings"), "localhost:11434/v1", "", "tiny")
    button(app, "Save").click().run()
    assert "an address that begins with http://" in texts_of(app)
    assert not shelf.settings.llm.configured


def test_a_model_on_this_machine_is_used_without_the_key_of_another_address(shelf: Library, open_page):
    try:
        running = OpenAiServer(key=None, models=("qwen3:4b", "gemma3:4b"), port=1234)
    except OSError:
        pytest.skip("port 1234 is in use on this machine")
    shelf.update_settings({"llm.api_base": LLM, "llm.api_key": "sk-very-secret", "llm.model": "tiny"})
    with running:
        app = open_page("settings")
        app.button(key="local.search").click().run()
        app.selectbox(key="local.model.0").set_value("gemma3:4b").run()
        app.button(key="local.use.0").click().run()
    llm = shelf.settings.llm
    assert (llm.api_base, llm.api_key, llm.model) == ("http://127.0.0.1:1234/v1", "", "gemma3:4b")


def test_a_model_can_be_removed(shelf: Library, open_page):
    shelf.update_settings({"llm.api_base": LLM, "llm.api_key": "sk-very-secret", "llm.model": "tiny"})
    button(open_page("settings"), "Remove model").click().run()
    assert not shelf.settings.llm.configured


def test_the_health_of_the_library_is_checked_in_the_background(shelf: Library, open_page):
    shelf.add([Source("note.md", b"# Harvest\n\nNine tons of apples.\n")])
    shelf.original("note.md").write_bytes(b"not what was added")
    app = open_page("settings")
    app.checkbox(key="settings.health.deep").check().run()
    app.button(key="settings.health").click().run()
    wait_until(lambda: "checks need attention" in texts_of(app.run()))
    told = texts_of(app)
    assert "the original of note.md is damaged" in told.replace("\\", "")
    assert "Restore the library folder from a backup" in told
    assert not app.button(key="settings.health").disabled


def test_checks_that_break_off_are_told(shelf: Library, monkeypatch):
    def breaks(_deep: bool) -> None:
        raise StorageError("The disk is gone.")

    monkeypatch.setattr(shelf.storage, "check", breaks)
    checking = check_up(shelf, deep=False)
    assert checking.ended(60) and checking.problem == "The disk is gone."


def test_variables_that_win_over_the_form_are_named():
    environ = {"OPENAI_API_KEY": "x", "DROPQA_LLM__MODEL": "y", "PATH": "z", "OPENAI_MODEL": ""}
    found = {name: overriding(f"llm.{name}", environ) for name in FIELDS}
    assert found == {"api_base": [], "api_key": ["OPENAI_API_KEY"], "model": ["DROPQA_LLM__MODEL"]}


def test_a_setting_is_checked_and_saved_as_soon_as_it_is_changed(shelf: Library, open_page):
    app = open_page("settings")
    field = next(item for item in app.number_input if item.label == "Passages found")
    told = field.set_value(7).run().toast
    assert [one.value for one in told] == [t("settings.saved")]
    assert shelf.settings.retrieval.top_k == 7


def test_a_value_out_of_its_range_is_not_taken_and_the_old_one_stays_in_force(shelf: Library, open_page):
    app = open_page("settings")
    rounds = next(item for item in app.number_input if item.label == "Most rounds")
    assert (rounds.min, rounds.max) == (1, 20)
    rounds.set_value(99).run()
    assert shelf.settings.agent.max_iterations == 3
    next(item for item in app.number_input if item.label == "Most rounds").set_value(5).run()
    assert shelf.settings.agent.max_iterations == 5


def test_a_setting_that_the_environment_decides_cannot_be_changed_here(shelf: Library, open_page, monkeypatch):
    monkeypatch.setenv("DROPQA_RETRIEVAL__TOP_K", "10")
    app = open_page("settings")
    assert next(item for item in app.number_input if item.label == "Passages found").disabled
    assert "DROPQA" in texts_of(app)


def test_an_address_that_is_none_is_told_at_its_field_and_not_saved(shelf: Library, open_page):
    app = open_page("settings")
    app.text_input(key="vision.base.").set_value("localhost:11434")
    app.button(key="vision.save").click().run()
    assert "begins with http" in texts_of(app)
    assert not shelf.settings.vision.api_base


@pytest.mark.parametrize("asks", ["", "http://localhost:11434/v1", "https://api.example.org"])
def test_a_right_address_is_taken(asks):
    assert wrong_address(asks) is None


def test_a_kind_of_work_gets_a_model_of_its_own_and_is_given_that_of_answers_again(shelf: Library, open_page):
    shelf.update_settings({"llm.api_base": LLM, "llm.api_key": "sk-very-secret", "llm.model": "large"})
    app = open_page("settings")
    app.text_input(key="indexing.model.").set_value("small")
    app.button(key="indexing.save").click().run()
    own = shelf.settings.indexing_llm
    assert (own.api_base, own.api_key, own.model) == (LLM, "sk-very-secret", "small")
    open_page("settings").button(key="indexing.forget").click().run()
    assert shelf.settings.indexing_llm == shelf.settings.llm


def test_a_test_of_a_kind_of_work_asks_its_model_at_the_address_of_the_language_model(
    shelf: Library, open_page, server
):
    shelf.update_settings({"llm.api_base": server.base_url, "llm.api_key": server.key})
    app = open_page("settings")
    app.text_input(key="summary.model.").set_value("scripted-1")
    app.button(key="summary.test").click().run()
    assert app.success and {chat["model"] for chat in server.chats} == {"scripted-1"}
    assert not shelf.settings.summary.model


def test_what_a_slow_test_finds_is_there_after_saving_and_on_coming_back(shelf: Library, open_page, server):
    server.default = Script("OK", delay=2)
    app = fill(open_page("settings"), server.base_url, server.key, "scripted-1")
    button(app, "Test").click().run(timeout=90)
    assert not app.success and t("settings.testing") in texts_of(app)
    app.number_input(key="setting.llm.max_tokens.16384").set_value(2048).run()
    assert shelf.settings.llm.max_tokens == 2048
    go_to(app, "documents", {})
    go_to(app, "settings", {})
    wait_until(lambda: app.run().success, 20)
    assert "answered in" in app.success[0].value
    fill(app, LLM)
    button(app, "Save").click().run()
    assert shelf.settings.llm.configured and not app.success


def test_the_key_of_a_kind_of_work_is_not_taken_to_another_address(shelf: Library, open_page):
    shelf.update_settings({"llm.api_base": LLM, "indexing.api_key": "sk-very-secret"})
    app = fill(open_page("settings"), "http://127.0.0.1:10/v1")
    button(app, "Save").click().run()
    assert shelf.settings.llm.api_base == "http://127.0.0.1:10/v1"
    assert shelf.settings.indexing.api_key == ""


def test_the_budget_of_an_answer_is_set_in_tokens_or_in_money(shelf: Library, open_page):
    app = open_page("settings")
    next(item for item in app.number_input if item.label.startswith("Tokens, read")).set_value(9000).run()
    next(item for item in app.number_input if item.label.startswith("Cost, in")).set_value(0.0025).run()
    assert (shelf.settings.llm.answer_tokens, shelf.settings.llm.answer_cost) == (9000, 0.0025)


def test_a_key_is_revoked_on_the_page(shelf, open_page):
    from engine.interfaces.keys import api_keys

    key, _ = api_keys(shelf.folder).create("reports", "read")
    app = open_page("settings")
    app.button(key=f"keys.revoke.{key.key_id}").click().run()
    assert not app.exception and not api_keys(shelf.folder).all()


def another(open_page, name: str, base: str):
    """The page after an endpoint of a name was saved at an address."""
    app = open_page("settings")
    app.text_input(key="endpoints.name").set_value(name).run()
    section = f"endpoints.{name.lower()}"
    app.text_input(key=f"{section}.base.").set_value(base)
    app.text_input(key=f"{section}.key").set_value("sk-very-secret")
    return app.button(key=f"{section}.save").click().run()


def test_another_endpoint_is_added_by_name_and_removed(shelf, open_page):
    another(open_page, "Spare", LLM)
    assert shelf.settings.endpoints["spare"].api_key == "sk-very-secret"
    app = open_page("settings")
    assert "spare" in {box.label for box in app.expander} and "sk-very-secret" not in texts_of(app)
    app.button(key="endpoints.spare.forget").click().run()
    assert shelf.settings.endpoints == {}
    assert "sk-very-secret" not in (shelf.folder / "dropqa.toml").read_text()


@pytest.mark.parametrize(
    ("name", "base", "told"), [("a b", LLM, "endpoints"), ("spare", "", "http"), ("spare", "x", "http")]
)
def test_an_endpoint_that_cannot_be_is_told_and_not_saved(shelf, open_page, name, base, told):
    assert told in texts_of(another(open_page, name, base)) and shelf.settings.endpoints == {}


def test_a_web_search_is_set_up_and_its_key_is_never_shown_again(shelf: Library, open_page):
    app = open_page("settings")
    toggle = next(item for item in app.toggle if item.label.startswith("Search the web"))
    toggle.set_value(True).run()
    app.selectbox(key="setting.web_search.provider.searxng").set_value("tavily").run()
    app.text_input(key="web_search.key").set_value("tvly-very-secret")
    app.button(key="web_search.save").click().run()
    chosen = shelf.settings.web_search
    assert (chosen.provider, chosen.api_key) == ("tavily", "tvly-very-secret")
    assert shelf.settings.agent.enable_web_search
    assert (shelf.folder / "dropqa.toml").stat().st_mode & 0o077 == 0
    app = open_page("settings")
    assert "tvly-very-secret" not in texts_of(app)
    assert all("tvly-very-secret" not in (field.value or "") for field in app.text_input)
    app.text_input(key="web_search.base.").set_value("https://proxy.example")
    app.button(key="web_search.save").click().run()
    assert shelf.settings.web_search.api_key == ""  # another address does not get the key


def test_a_shared_library_asks_no_web_search_in_its_own_network(shelf: Library):
    password = {"password_hash": hash_password("correct horse")}
    shared = shelf.settings.model_copy(update={"access": AccessSettings(**password)})
    with pytest.raises(AccessError, match="network"):
        check_addresses(shared, ["http://127.0.0.1:8888"])
    mine = shared.model_copy(update={"web_search": WebSearchSettings(api_base="http://127.0.0.1:8888")})
    check_addresses(mine, ["http://127.0.0.1:8888"])  # as whoever runs it has set it up
